// The agent `deep` for Python: guesses by playouts.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <vector>

#include "bindings_play.hpp"
#include "deep.hpp"
#include "posterior.hpp"

namespace mineproof {
namespace {

constexpr std::int64_t max_playouts = 100'000'000;
constexpr double max_seconds = 1e6;
constexpr int max_cores = 256;
constexpr int max_candidates = 1000;

Position checked_position(int rows, int columns, int mines, const nb::bytes& shown) {
    const Grid grid = checked_grid(rows, columns);
    const std::uint8_t* codes = checked_codes(grid, shown);
    if (mines < 0 || mines > grid.cells())
        throw std::invalid_argument("expected a number of mines from 0 to the number of cells");
    return {grid, mines, {codes, codes + shown.size()}};
}

PlayoutSettings checked_playout(const GuessSettings& policy, std::uint64_t seed, int cores,
                                std::int64_t nodes) {
    if (cores < 1 || cores > max_cores) throw std::invalid_argument("expected 1 to 256 cores");
    return {policy, checked_nodes(nodes), seed, cores};
}

std::int64_t checked_playouts(std::int64_t playouts) {
    if (playouts < 1 || playouts > max_playouts)
        throw std::invalid_argument("expected 1 to 100000000 playouts");
    return playouts;
}

double checked_seconds(double seconds) {
    if (!(seconds >= 0)) throw std::invalid_argument("expected a number of seconds from 0 on");
    return std::min(seconds, max_seconds);
}

// Lets signals through, and asks a Python function whether to go on, if there is one.
GoesOn asking(const nb::object& function) {
    return [&function] {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return function.is_none() || nb::cast<bool>(function());
    };
}

nb::object to_answer(const Grid& grid, const DeepChoice& choice) {
    if (choice.candidates.empty()) return nb::none();
    nb::list found;
    for (const DeepCandidate& each : choice.candidates)
        found.append(nb::make_tuple(grid.cell(each.guess.place), each.guess.safety,
                                    each.guess.outlook.next, each.guess.survival,
                                    or_none(each.guess.win), or_none(each.win), each.error,
                                    each.playouts));
    return nb::make_tuple(grid.cell(choice.fast), choice.exact, found);
}

nb::object guess_deep(int rows, int columns, int mines, const nb::bytes& shown,
                      const GuessSettings& fast, const GuessSettings& wide,
                      const GuessSettings& endgame, const GuessSettings& playout,
                      const Evaluation* evaluation, int candidates, double doubt,
                      std::int64_t playouts, double seconds, std::uint64_t seed, int cores,
                      const nb::object& goes_on, std::int64_t nodes) {
    const Position position = checked_position(rows, columns, mines, shown);
    if (candidates < 1 || candidates > max_candidates)
        throw std::invalid_argument("expected 1 to 1000 candidates");
    if (!(doubt >= 0 && std::isfinite(doubt)))
        throw std::invalid_argument("expected a doubt from 0 on");
    const DeepSettings settings{joined(fast, evaluation),
                                joined(wide, evaluation),
                                endgame,
                                checked_playout(playout, seed, cores, nodes),
                                candidates,
                                doubt,
                                checked_playouts(playouts),
                                checked_seconds(seconds)};
    DeepChoice choice;
    {
        nb::gil_scoped_release unlocked;
        choice = choose_deep(position, settings, asking(goes_on));
    }
    return to_answer(position.grid, choice);
}

// The places of cells with their safety; each must be unopened and possibly safe. Mines that
// are proved are shown from now on.
std::vector<Crew::Entry> checked_entries(Position& position, const std::vector<int>& cells,
                                         std::int64_t nodes) {
    Solver solver;
    const Poll poll = Patience();
    Budget budget(nodes, poll);
    if (!solve(solver, position.grid, ClueKind::exact, position.shown.data(),
               Prior::known(position.mines), budget))
        throw std::invalid_argument("expected a position that has layouts");
    std::vector<double> risk(position.shown.size());
    std::vector<Verdict> verdict(position.shown.size());
    write_results(solver, risk.data(), verdict.data());
    std::vector<Crew::Entry> entries;
    for (int cell : cells) {
        if (cell < 0 || cell >= position.grid.cells() || position.shown[cell] != unopened ||
            verdict[cell] == Verdict::mined)
            throw std::invalid_argument("expected unopened cells that can be safe");
        entries.push_back({position.grid.place(cell), 1 - risk[cell]});
    }
    solver.take_verdicts();
    position.show_mines(solver.field);
    return entries;
}

nb::list play_layouts(int rows, int columns, int mines, const nb::bytes& shown,
                      const std::vector<int>& cells, const GuessSettings& policy,
                      const Evaluation* evaluation, std::int64_t layouts, double seconds,
                      std::uint64_t seed, int cores, const nb::object& goes_on,
                      std::int64_t nodes) {
    Position position = checked_position(rows, columns, mines, shown);
    const auto settings = checked_playout(joined(policy, evaluation), seed, cores, nodes);
    const std::chrono::duration<double> time(checked_seconds(seconds));
    checked_playouts(layouts);
    std::vector<Crew::Row> rows_played;
    {
        nb::gil_scoped_release unlocked;
        const auto until =
            Crew::Clock::now() + std::chrono::duration_cast<Crew::Clock::duration>(time);
        const std::vector<Crew::Entry> entries = checked_entries(position, cells, nodes);
        Crew crew(position, settings, until, asking(goes_on));
        rows_played = crew.play(entries, layouts, until);
    }
    nb::list all;
    for (const Crew::Row& row : rows_played) {
        nb::list results;
        for (double result : row.results) results.append(result);
        all.append(nb::tuple(results));
    }
    return all;
}

}  // namespace

void bind_deep(nb::module_& module) {
    module.def("guess_deep", &guess_deep, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
               nb::arg("shown"), nb::arg("fast"), nb::arg("wide"), nb::arg("endgame"),
               nb::arg("playout"), nb::arg("evaluation").none(), nb::arg("candidates"),
               nb::arg("doubt"), nb::arg("playouts"), nb::arg("seconds"), nb::arg("seed"),
               nb::arg("cores") = 1, nb::arg("goes_on").none() = nb::none(),
               nb::arg("nodes") = default_nodes,
               "Choose a guess by playouts: (cell of the fast policy, exact, candidates).");
    module.def("play_layouts", &play_layouts, nb::arg("rows"), nb::arg("columns"),
               nb::arg("mines"), nb::arg("shown"), nb::arg("cells"), nb::arg("policy"),
               nb::arg("evaluation").none(), nb::arg("layouts"), nb::arg("seconds"),
               nb::arg("seed"), nb::arg("cores") = 1, nb::arg("goes_on").none() = nb::none(),
               nb::arg("nodes") = default_nodes,
               "Play random layouts on from a position, each cell opened first in turn: for each "
               "layout the chances to win.");
}

}  // namespace mineproof
