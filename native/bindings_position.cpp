// Python bindings of solved positions. Results are returned as flat bytes.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "shared_position.hpp"
#include "text.hpp"

namespace mineproof {
namespace {

const Poll signals = &let_signals_through;

// Asks a question (position, budget) with the interpreter's lock released.
template <class Question>
auto ask(SharedPosition& position, const Limits& limits, Question question) {
    nb::gil_scoped_release unlocked;
    return position.ask(limits, signals, question);
}

void make_position(SharedPosition* place, int rows, int columns, const nb::bytes& shown,
                 const std::string& clues, const std::tuple<std::string, double, double>& prior,
                 const Limits& limits) {
    const auto& [kind, low, high] = prior;
    Position position =
        checked_position(rows, columns, bytes_of(shown), clues, prior_named(kind, low, high));
    nb::gil_scoped_release unlocked;
    const HeldScope bound(limits.memory);
    Budget budget(limits, signals);
    new (place) SharedPosition(std::move(position), budget);
}

// Returns None if the text is not a plain position.
nb::object solve_text(const nb::str& text, const Limits& limits) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {  // lone surrogates
        PyErr_Clear();
        return nb::none();
    }
    auto position = read_plain_position({data, static_cast<std::size_t>(size)});
    if (!position) return nb::none();
    SharedPosition* made = nullptr;
    {
        nb::gil_scoped_release unlocked;
        const HeldScope bound(limits.memory);
        Budget budget(limits, signals);
        made = new SharedPosition(std::move(*position), budget);
    }
    return nb::cast(made, nb::rv_policy::take_ownership);
}

double time_text(const std::string& text, std::int64_t nodes, int repeats) {
    nb::gil_scoped_release unlocked;
    return time_plain_position(text, nodes, repeats, signals);
}

nb::object to_integer(const std::uint64_t* words, int count) {
    const nb::bytes data(reinterpret_cast<const char*>(words), static_cast<std::size_t>(count) * 8);
    return nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)).attr("from_bytes")(data, "little");
}

// Returns (fixed mines, interior cells, [(minimum mines, [layouts, ..]), ..]) as exact integers.
nb::tuple layouts(SharedPosition& position, const Limits& limits) {
    const auto all = ask(position, limits, [](auto& asked, Budget& b) { return asked.layouts(b); });
    nb::list components;
    for (const ExactTerms& terms : all.components) {
        nb::list counts;
        for (int i = 0; i < terms.count; ++i)
            counts.append(to_integer(&terms.words[static_cast<std::size_t>(i) * terms.limbs],
                                     terms.limbs));
        components.append(nb::make_tuple(terms.low, counts));
    }
    return nb::make_tuple(all.fixed, all.interior, components);
}

nb::tuple values(SharedPosition& position, int cell, const Limits& limits) {
    const auto [a, b, c, d, e, f, g, h, i] =
        ask(position, limits, [&](auto& asked, Budget& budget) { return asked.values(cell, budget); });
    return nb::make_tuple(a, b, c, d, e, f, g, h, i);
}

nb::object suppose(SharedPosition& position, const std::vector<std::pair<int, int>>& clues,
                   const Limits& limits) {
    Held<SolvedPosition::Shown> shown;
    for (const auto& [cell, clue] : clues) shown.push_back({cell, clue});
    const auto found = ask(position, limits, [&](auto& asked, Budget& budget) {
        return asked.suppose(shown, budget);
    });
    if (!found) return nb::none();
    return nb::make_tuple(to_bytes(found->risk), to_bytes(found->verdict));
}

nb::bytes sample(SharedPosition& position, std::uint64_t seed) {
    return to_bytes(ask(position, {}, [&](auto& asked, Budget& budget) {
        return asked.sample(seed, budget);
    }));
}

// (win, exact, best cell, a double for each cell, steps)
using Wins = std::tuple<std::optional<double>, bool, std::optional<int>, nb::bytes, std::int64_t>;

Wins win_chances(SharedPosition& position, int layouts, bool moves, const Limits& limits) {
    std::int64_t steps = 0;
    const Winning found = ask(position, limits, [&](auto& asked, Budget& budget) {
        Winning winning = asked.win_chances(layouts, moves, budget);
        steps = budget.used();
        return winning;
    });
    std::optional<int> best;
    if (found.place >= 0) best = position->position().grid.cell(found.place);
    return {found.win, found.exact, best, to_bytes(position->wins_by_cell(found)), steps};
}

// Returns (cell, next safety, estimated win, win by playouts or exact, its error, playouts) tuples.
nb::list to_list(const Grid& grid, const Held<Candidate>& candidates) {
    nb::list found;
    for (const Candidate& each : candidates)
        found.append(nb::make_tuple(grid.cell(each.place), each.outlook.next, or_none(each.win),
                                    or_none(each.played), each.error, each.playouts));
    return found;
}

nb::object guess(SharedPosition& position, const GuessSettings& settings, const Limits& limits) {
    const auto [guess, candidates] = ask(position, limits, [&](auto& asked, Budget& budget) {
        return asked.guess(settings, budget);
    });
    if (guess.place < 0) return nb::none();
    const Grid& grid = position->position().grid;
    return nb::make_tuple(grid.cell(guess.place), guess.exact, or_none(guess.win),
                          to_list(grid, candidates));
}

// Handles signals, and asks a Python function, if there is one, whether to continue.
PlayoutRun make_run(std::int64_t playouts, double seconds, std::uint64_t seed, int cores,
                    const nb::object& goes_on) {
    return {playouts, seconds, seed, cores, [&goes_on] {
                nb::gil_scoped_acquire lock;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                return goes_on.is_none() || nb::cast<bool>(goes_on());
            }};
}

nb::object guess_deep(SharedPosition& position, const DeepSettings& settings, std::int64_t playouts,
                      double seconds, std::uint64_t seed, int cores, const nb::object& goes_on,
                      const Limits& limits) {
    const PlayoutRun run = make_run(playouts, seconds, seed, cores, goes_on);
    const DeepGuess found = ask(position, limits, [&](auto& asked, Budget& budget) {
        return asked.guess_deep(settings, run, budget);
    });
    if (found.candidates.empty()) return nb::none();
    const Grid& grid = position->position().grid;
    return nb::make_tuple(grid.cell(found.fast), found.exact, to_list(grid, found.candidates));
}

Held<Held<double>> play_layouts(SharedPosition& position, const std::vector<int>& cells,
                                              const GuessSettings& policy, std::int64_t layouts,
                                              double seconds, std::uint64_t seed, int cores,
                                              const nb::object& goes_on) {
    const PlayoutRun run = make_run(layouts, seconds, seed, cores, goes_on);
    return ask(position, {}, [&](auto& asked, Budget&) {
        return asked.play_layouts(cells, policy, run);
    });
}

}  // namespace

void bind_position(nb::module_& module) {
    nb::class_<SharedPosition>(module, "SolvedPosition", "A position that is solved once and can be asked many questions.")
        .def("__init__", &make_position, nb::arg("rows"), nb::arg("columns"), nb::arg("shown"),
             nb::arg("clues"), nb::arg("prior"), nb::arg("limits"),
             "Solve a position. `status` tells whether it succeeded.")
        .def_prop_ro(
            "status", [](const SharedPosition& self) { return static_cast<int>(self->status()); },
            "0: solved; 1: no layout fits; 2: a limit was reached.")
        .def_prop_ro(
            "bound", [](const SharedPosition& self) { return name(self->bound()); },
            "The limit that was reached: states, time, memory, width or precision.")
        .def_prop_ro(
            "nodes", [](const SharedPosition& self) { return self->nodes(); }, "Number of states counted.")
        .def_prop_ro(
            "rows", [](const SharedPosition& self) { return self->position().grid.rows; },
            "Number of rows.")
        .def_prop_ro(
            "columns", [](const SharedPosition& self) { return self->position().grid.columns; },
            "Number of columns.")
        .def_prop_ro(
            "mines", [](const SharedPosition& self) { return self->position().prior.low; },
            "Number of mines, if it is known.")
        .def_prop_ro(
            "shown", [](const SharedPosition& self) { return to_bytes(self->position().shown); },
            "One code per cell.")
        .def_prop_ro(
            "risks", [](const SharedPosition& self) { return to_bytes(self->risks()); },
            "The risk of each cell as a double; NaN unless it is unopened.")
        .def_prop_ro(
            "verdicts", [](const SharedPosition& self) { return to_bytes(self->verdicts()); },
            "One byte per cell. 0: undecided; 1: proved safe; 2: proved mine.")
        .def("layouts", &layouts, nb::arg("limits"), "Count the layouts exactly.")
        .def("values", &values, nb::arg("cell"), nb::arg("limits"),
             "Return the chances that a cell is safe and has 0, 1, .. 8 neighbouring mines.")
        .def("suppose", &suppose, nb::arg("clues"), nb::arg("limits"),
             "Return (risks, verdicts) if unopened cells showed these (cell, clue) pairs; None if "
             "they cannot.")
        .def("sample", &sample, nb::arg("seed"), "Draw a layout by weight: one byte per cell.")
        .def("win_chances", &win_chances, nb::arg("layouts"), nb::arg("moves"), nb::arg("limits"),
             "Search for best play: (win, exact, best cell, wins, steps).")
        .def("guess", &guess, nb::arg("settings"), nb::arg("limits"),
             "Choose a guess when nothing is proved safe: (cell, exact, win, candidates).")
        .def("guess_deep", &guess_deep, nb::arg("settings"), nb::arg("playouts"),
             nb::arg("seconds"), nb::arg("seed"), nb::arg("cores"), nb::arg("goes_on").none(),
             nb::arg("limits"),
             "Choose a guess by playouts: (cell of the fast policy, exact, candidates).")
        .def("play_layouts", &play_layouts, nb::arg("cells"), nb::arg("policy"),
             nb::arg("layouts"), nb::arg("seconds"), nb::arg("seed"), nb::arg("cores") = 1,
             nb::arg("goes_on").none() = nb::none(),
             "Play random layouts to the end, opening each cell first in turn. Return the chances "
             "of winning for each layout.");
    module.def("solve_text", &solve_text, nb::arg("text"), nb::arg("limits"),
               "Read and solve one plain position. Return None if it is not plain.");
    module.def("time_text", &time_text, nb::arg("text"), nb::arg("nodes"), nb::arg("repeats"),
               "Return the CPU seconds for reading and solving a plain position in the core.");
}

}  // namespace mineproof
