// What the files that know Python share. The rest of the core includes none of these.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
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
#include "prior.hpp"

namespace mineproof {

namespace nb = nanobind;

constexpr int max_cells = max_side * max_side;

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

// (least, most) mines, or (p, p) with a density: what the adapter makes of a prior.
inline Prior checked_prior(const std::string& kind, double low, double high) {
    if (kind == "density") {
        if (!(low > 0 && low < 1))
            throw std::invalid_argument("expected a density between 0 and 1");
        return Prior::of_density(low);
    }
    if (!(0 <= low && low <= high && low <= max_cells))
        throw std::invalid_argument("expected numbers of mines from 0 to 1000000, in order");
    const int least = static_cast<int>(low);
    const int most = static_cast<int>(std::min<double>(high, max_cells));
    if (kind == "range") return Prior::range(least, most);
    if (kind == "known" && least == most) return Prior::known(least);
    throw std::invalid_argument("expected a prior known, density or range, got " + kind);
}

inline const std::uint8_t* checked_codes(const Grid& grid, const nb::bytes& shown) {
    const auto* codes = reinterpret_cast<const std::uint8_t*>(shown.c_str());
    if (shown.size() != static_cast<std::size_t>(grid.cells()))
        throw std::invalid_argument("expected one code a cell");
    if (std::any_of(codes, codes + shown.size(), [](auto code) { return code > exploded; }))
        throw std::invalid_argument("expected codes from 0 to 11");
    return codes;
}

inline std::int64_t checked_nodes(std::int64_t nodes) {
    if (nodes < 0) throw std::invalid_argument("expected a number of nodes from 0 on");
    return nodes;
}

// Bytes to be written into, before anyone else sees them.
inline nb::bytes blank_bytes(std::size_t size) {
    return nb::steal<nb::bytes>(
        nb::handle(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size))));
}

inline char* inside(const nb::bytes& data) { return PyBytes_AS_STRING(data.ptr()); }

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
void bind_endgame(nb::module_& module);
void bind_champion(nb::module_& module);
void bind_deep(nb::module_& module);

}  // namespace mineproof
