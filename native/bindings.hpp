// What the files that know Python share. The rest of the core includes none of these.
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

// A chance as Python sees it; less than 0 stands for none.
inline nb::object or_none(double value) {
    return value < 0 ? nb::object(nb::none()) : nb::float_(value);
}

// The core works with the lock of the interpreter released. Now and then it is taken, to let
// Ctrl-C and other signals through.
inline void let_signals_through() {
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_position(nb::module_& module);
void bind_vector_env(nb::module_& module);

}  // namespace mineproof
