// What the files that know Python share. The rest of the core includes none of these.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>

#include "budget.hpp"
#include "deal.hpp"
#include "field.hpp"
#include "grid.hpp"

namespace mineproof {

namespace nb = nanobind;

inline Start start_named(const std::string& name) {
    if (name == "any" || name == "given") return Start::any;
    if (name == "safe") return Start::safe;
    if (name == "opening") return Start::opening;
    throw std::invalid_argument("expected a start any, safe, opening or given, got " + name);
}

inline Grid checked_grid(int rows, int columns) {
    if (rows < 1 || rows > max_side || columns < 1 || columns > max_side)
        throw std::invalid_argument("expected 1 to 1000 rows and columns");
    return Grid(rows, columns);
}

// A call now and then, with the lock of the interpreter released in between: lets Ctrl-C and
// other signals through, and ends at a deadline.
class Patience {
public:
    explicit Patience(std::optional<double> seconds = {}) {
        if (!seconds) return;
        if (!(*seconds >= 0)) throw std::invalid_argument("expected a number of seconds from 0 on");
        const double bounded = *seconds < 1e8 ? *seconds : 1e8;
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(bounded));
    }

    void operator()() const {
        if (deadline_ && Clock::now() > *deadline_) throw WorkLimit{};
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

private:
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> deadline_;
};

// CPU time of this thread, or of the process where threads have no clock of their own.
inline double cpu_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
#else
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

void bind_engine(nb::module_& module);
void bind_play(nb::module_& module);

}  // namespace mineproof
