// The Python module mineproof._native: dealing, limits, settings and whole games. Solved positions
// are in bindings_position.cpp.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "deep.hpp"
#include "games.hpp"
#include "no_guess.hpp"
#include "position.hpp"

namespace mineproof {
namespace {

const Poll signals = &let_signals_through;

void make_limits(Limits* place, std::int64_t nodes, std::optional<double> seconds,
                 std::optional<std::int64_t> memory) {
    new (place) Limits(Limits::checked(nodes, seconds, memory));
}

void make_settings(GuessSettings* place, double endgame_layouts, int endgame_cells, int layouts,
                   std::int64_t endgame_work, std::int64_t look_work, double reach,
                   double inner_reach, double margin, int finalists,
                   std::shared_ptr<const Evaluation> evaluation) {
    const GuessSettings settings{endgame_layouts, endgame_cells, layouts, endgame_work,
                                 look_work,       reach,         inner_reach, margin,
                                 finalists,       std::move(evaluation)};
    settings.check();
    new (place) GuessSettings(settings);
}

void make_deep_settings(DeepSettings* place, const GuessSettings& fast, const GuessSettings& wide,
                        const GuessSettings& endgame, const GuessSettings& playout, int candidates,
                        double doubt) {
    const DeepSettings settings{fast, wide, endgame, playout, candidates, doubt};
    settings.check();
    new (place) DeepSettings(settings);
}

void bind_settings(nb::module_& module) {
    nb::class_<Limits>(module, "Limits", "Limits on the work for one question.")
        .def("__init__", &make_limits, nb::arg("nodes") = Limits().nodes,
             nb::arg("seconds").none() = nb::none(), nb::arg("memory").none() = nb::none(),
             "Set and check the limits.");
    nb::class_<Evaluation>(module, "Evaluation", "A trained estimate of the chance of winning.")
        .def(
            "__init__",
            [](Evaluation* place, const nb::bytes& data) {
                new (place) Evaluation(bytes_of(data));
            },
            nb::arg("data"), "Read the weights from bytes.");
    const GuessSettings usual;
    nb::class_<GuessSettings>(module, "GuessSettings", "Settings for choosing a guess.")
        .def("__init__", &make_settings, nb::arg("endgame_layouts") = usual.endgame_layouts,
             nb::arg("endgame_cells") = usual.endgame_cells, nb::arg("layouts") = usual.layouts,
             nb::arg("endgame_work") = usual.endgame_work, nb::arg("look_work") = usual.look_work,
             nb::arg("reach") = usual.reach, nb::arg("inner_reach") = usual.inner_reach,
             nb::arg("margin") = usual.margin, nb::arg("finalists") = usual.finalists,
             nb::arg("evaluation").none() = nb::none(), "Set and check the settings.")
        .def_ro("endgame_layouts", &GuessSettings::endgame_layouts)
        .def_ro("endgame_cells", &GuessSettings::endgame_cells)
        .def_ro("layouts", &GuessSettings::layouts)
        .def_ro("endgame_work", &GuessSettings::endgame_work)
        .def_ro("look_work", &GuessSettings::look_work)
        .def_ro("reach", &GuessSettings::reach)
        .def_ro("inner_reach", &GuessSettings::inner_reach)
        .def_ro("margin", &GuessSettings::margin)
        .def_ro("finalists", &GuessSettings::finalists);
    nb::class_<DeepSettings>(module, "DeepSettings", "Settings for choosing a guess by playouts.")
        .def("__init__", &make_deep_settings, nb::arg("fast"), nb::arg("wide"),
             nb::arg("endgame"), nb::arg("playout"), nb::arg("candidates"), nb::arg("doubt"),
             "Set and check the settings.");
}

const char* name(Result result) {
    return result == Result::win ? "win" : result == Result::loss ? "loss" : "stuck";
}

nb::list play_games(int rows, int columns, int mines, const nb::bytes& boards, std::int64_t first,
                    const GuessSettings* settings, std::int64_t nodes) {
    Held<PlayedGame> games;
    {
        nb::gil_scoped_release unlocked;
        play_boards(Grid::checked(rows, columns), mines, bytes_of(boards), first,
                    settings ? *settings : GuessSettings::safest(), nodes, signals,
                    games);
    }
    nb::list results;
    for (const auto& [game, milliseconds] : games)
        results.append(nb::make_tuple(name(game.result), game.guesses, game.moves, milliseconds,
                                      game.false_proofs));
    return results;
}

nb::tuple tally(int rows, int columns, int mines, const std::string& start, std::int64_t first,
                std::uint64_t seed, std::int64_t games, const GuessSettings* settings,
                std::int64_t nodes) {
    Tally all;
    {
        nb::gil_scoped_release unlocked;
        all = tally_games(
            {Grid::checked(rows, columns), mines, start_named(start), first, seed, games},
            settings ? *settings : GuessSettings::safest(), nodes, signals);
    }
    return nb::make_tuple(all.won, all.lost, all.stuck, all.guesses, all.moves, all.opened,
                          all.proofs, all.false_proofs);
}

nb::bytes trace(int rows, int columns, int mines, const std::string& start, std::int64_t first,
                std::uint64_t seed, std::int64_t games, const GuessSettings* settings,
                std::int64_t nodes) {
    Held<GameTrace> traces;
    {
        nb::gil_scoped_release unlocked;
        traces = trace_games(
            {Grid::checked(rows, columns), mines, start_named(start), first, seed, games},
            settings ? *settings : GuessSettings::safest(), nodes, signals);
    }
    return nb::bytes(reinterpret_cast<const char*>(traces.data()),
                     traces.size() * sizeof(GameTrace));
}

// Finds one board at a time, even with several callers, because it keeps its memory between calls.
class HeldNoGuessDealer {
public:
    HeldNoGuessDealer(int rows, int columns, int mines, std::int64_t first, std::int64_t nodes)
        : grid_(Grid::checked(rows, columns)),
          dealer_(grid_, mines, first, Limits::checked(nodes).nodes, signals) {}

    nb::tuple find(std::uint64_t seed, std::uint64_t begin, std::uint64_t end) {
        std::uint64_t attempt = end;
        Held<std::uint8_t> board;
        {
            nb::gil_scoped_release unlocked;
            const std::lock_guard alone(mutex_);
            attempt = dealer_.find(seed, begin, end);
            if (attempt < end) board = dealer_.board();
        }
        return nb::make_tuple(attempt, attempt < end ? nb::object(to_bytes(board)) : nb::none());
    }

    bool is_no_guess(const nb::bytes& mined) {
        const auto cells = checked(mined);
        nb::gil_scoped_release unlocked;
        const std::lock_guard alone(mutex_);
        return dealer_.is_no_guess(cells.data());
    }

    nb::bytes solve(const nb::bytes& mined) {
        const auto cells = checked(mined);
        Held<std::uint8_t> shown;
        {
            nb::gil_scoped_release unlocked;
            const std::lock_guard alone(mutex_);
            shown = dealer_.solve(cells.data());
        }
        return to_bytes(shown);
    }

private:
    std::span<const std::uint8_t> checked(const nb::bytes& mined) const {
        const auto cells = bytes_of(mined);
        if (cells.size() != static_cast<std::size_t>(grid_.cells()))
            throw std::invalid_argument("expected one byte per cell");
        return cells;
    }

    std::mutex mutex_;
    Grid grid_;
    NoGuessDealer dealer_;
};

void bind_no_guess(nb::module_& module) {
    nb::class_<HeldNoGuessDealer>(module, "NoGuessDealer",
                                  "Deals boards that can be won without a guess.")
        .def(nb::init<int, int, int, std::int64_t, std::int64_t>(), nb::arg("rows"),
             nb::arg("columns"), nb::arg("mines"), nb::arg("first"),
             nb::arg("nodes") = Limits().nodes, "Set the size, the number of mines and the first cell.")
        .def("find", &HeldNoGuessDealer::find, nb::arg("seed"), nb::arg("begin"), nb::arg("end"),
             "Return the first attempt that deals such a board, and the board; or `end` and None.")
        .def("is_no_guess", &HeldNoGuessDealer::is_no_guess, nb::arg("mined"),
             "Return whether a board, one byte per cell, is won without a guess.")
        .def("solve", &HeldNoGuessDealer::solve, nb::arg("mined"),
             "Return the position of a board after all proofs: one code per cell.");
}

void bind_games(nb::module_& module) {
    const std::int64_t nodes = Limits().nodes;
    module.def(
        "deal",
        [](int rows, int columns, int mines, const std::string& start, std::int64_t first,
           std::uint64_t seed) {
            return to_bytes(deal(Grid::checked(rows, columns), mines, start_named(start), first,
                                 seed));
        },
        nb::arg("rows"), nb::arg("columns"), nb::arg("mines"), nb::arg("start"), nb::arg("first"),
        nb::arg("seed"), "Deal a board like mineproof.core.board.deal: one byte per cell.");
    module.def("play_games", &play_games, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
               nb::arg("boards"), nb::arg("first"), nb::arg("settings").none() = nb::none(),
               nb::arg("nodes") = nodes,
               "Play boards as the agent champion does, or as exact does if there are no settings. "
               "Return (result, guesses, moves, milliseconds, false proofs) for each board; "
               "nothing if a decision exceeds the node limit.");
    module.def("tally_games", &tally, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
               nb::arg("start"), nb::arg("first"), nb::arg("seed"), nb::arg("games"),
               nb::arg("settings").none() = nb::none(), nb::arg("nodes") = nodes,
               "Deal and play the boards of consecutive seeds. Return (won, lost, stuck, guesses, "
               "moves, cells opened, cells called proved, false proofs).");
    module.def("trace_games", &trace, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
               nb::arg("start"), nb::arg("first"), nb::arg("seed"), nb::arg("games"),
               nb::arg("settings").none() = nb::none(), nb::arg("nodes") = nodes,
               "Deal and play the boards of consecutive seeds. Return 32 bytes per game.");
}

}  // namespace
}  // namespace mineproof

NB_MODULE(_native, module) {
    module.doc() = "The native core of Mineproof.";
    nanobind::set_leak_warnings(false);  // a cached agent may outlive Python
    nanobind::exception<mineproof::WorkLimit>(module, "WorkLimit", PyExc_RuntimeError);
    mineproof::bind_settings(module);
    mineproof::bind_games(module);
    mineproof::bind_no_guess(module);
    mineproof::bind_position(module);
    mineproof::bind_vector_env(module);
}
