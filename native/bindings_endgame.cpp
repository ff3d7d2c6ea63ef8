// The exact endgame for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "parts.hpp"
#include "posterior.hpp"

namespace mineproof {
namespace {

// A chart of so many layouts takes 50 MB.
constexpr int max_layouts = 20'000;

void check_endgame(int mines, int layouts, std::int64_t work) {
    if (mines < 0 || mines > max_cells)
        throw std::invalid_argument("expected 0 to 1000000 mines");
    if (layouts < 1 || layouts > max_layouts)
        throw std::invalid_argument("expected 1 to 20000 layouts");
    if (work < 0) throw std::invalid_argument("expected an amount of work from 0 on");
}

// (win, exact, best cell, a double for each cell, steps)
using Answer = std::tuple<std::optional<double>, bool, std::optional<int>, nb::bytes, std::int64_t>;

Answer to_answer(const Grid& grid, const Winning& winning, std::int64_t steps) {
    nb::bytes moves = blank_bytes(static_cast<std::size_t>(grid.cells()) * sizeof(double));
    auto* wins = reinterpret_cast<double*>(inside(moves));
    std::fill(wins, wins + grid.cells(), std::numeric_limits<double>::quiet_NaN());
    for (const Winning::Move& move : winning.moves) wins[grid.cell(move.place)] = move.win;
    std::optional<int> best;
    if (winning.place >= 0) best = grid.cell(winning.place);
    return {winning.win, winning.exact, best, std::move(moves), steps};
}

Answer win_chances(int rows, int columns, int mines, const nb::bytes& shown, int layouts,
                   std::int64_t work, std::int64_t nodes, bool moves,
                   std::optional<double> seconds) {
    const Grid grid = checked_grid(rows, columns);
    const std::uint8_t* codes = checked_codes(grid, shown);
    check_endgame(mines, layouts, work);
    const Poll poll = Patience(seconds);
    Budget counting(checked_nodes(nodes), poll), searching(work, poll);
    Winning winning;
    {
        nb::gil_scoped_release unlocked;
        Solver solver;
        if (!solve(solver, grid, ClueKind::exact, codes, Prior::known(mines), counting))
            throw std::invalid_argument("expected a position that has layouts");
        const int left = mines - solver.field.known_mines;
        winning = Parts().solve(solver, left, layouts, moves, searching);
    }
    return to_answer(grid, winning, searching.used());
}

}  // namespace

void bind_endgame(nb::module_& module) {
    module.def("win_chances", &win_chances, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
               nb::arg("shown"), nb::arg("layouts"), nb::arg("work"), nb::arg("nodes"),
               nb::arg("moves"), nb::arg("seconds").none(),
               "Search for best play: (win, exact, best cell, wins, steps). None where nothing "
               "is found; wins has a double for each cell, NaN where it is not known.");
}

}  // namespace mineproof
