// Helpers shared by the bindings. The rest of the core must not include this file.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>

#include "budget.hpp"

namespace mineproof {

namespace nb = nanobind;

inline std::span<const std::uint8_t> bytes_of(const nb::bytes& data) {
    return {reinterpret_cast<const std::uint8_t*>(data.c_str()), data.size()};
}

template <class Numbers>
nb::bytes to_bytes(const Numbers& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()),
                     numbers.size() * sizeof(numbers[0]));
}

// Converts a chance for Python: a negative number becomes None.
inline nb::object or_none(double value) {
    return value < 0 ? nb::object(nb::none()) : nb::float_(value);
}

// The core works with the interpreter's lock released. It takes the lock from time to time, so that
// Ctrl-C and other signals are handled.
inline void let_signals_through() {
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_position(nb::module_& module);
void bind_vector_env(nb::module_& module);

}  // namespace mineproof
