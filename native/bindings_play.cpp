// Whole games for Python: boards go in, results come out, nothing crosses in between.
#include "bindings_play.hpp"

#include <nanobind/stl/string.h>

#include <vector>

namespace mineproof {
namespace {

constexpr std::int64_t max_games = 10'000'000;  // in one call, some minutes

const char* name(Result result) {
    return result == Result::win ? "win" : result == Result::loss ? "loss" : "stuck";
}

struct Played {
    GameResult game;
    double milliseconds;
};

void check_board(const std::uint8_t* mined, int cells, int mines) {
    int found = 0;
    for (int cell = 0; cell < cells; ++cell) {
        if (mined[cell] > 1) throw std::invalid_argument("expected bytes 0 and 1 in a board");
        found += mined[cell];
    }
    if (found != mines) throw std::invalid_argument("expected as many mines as stated");
}

int checked_first(const Grid& grid, std::int64_t first) {
    if (first < 0 || first >= grid.cells())
        throw std::invalid_argument("expected a first cell on the board");
    return static_cast<int>(first);
}

nb::list play_exact(int rows, int columns, int mines, const nb::bytes& boards, std::int64_t first,
                    std::int64_t nodes) {
    ExactPlayer player(checked_nodes(nodes), Patience());
    return play_boards(player, rows, columns, mines, boards, first);
}

// (won, lost, stuck, guesses, moves, cells opened) over the boards that consecutive seeds deal.
nb::tuple simulate_exact(int rows, int columns, int mines, const std::string& start,
                         std::int64_t first, std::uint64_t seed, std::int64_t games,
                         std::int64_t nodes) {
    const Deals deals(rows, columns, mines, start, first, seed, games);
    ExactPlayer player(checked_nodes(nodes), Patience());
    std::int64_t results[3] = {0, 0, 0}, guesses = 0, moves = 0, opened = 0;
    {
        nb::gil_scoped_release unlocked;
        for (std::int64_t i = 0; i < games; ++i) {
            const GameResult game = deals.play(player, i);
            ++results[static_cast<int>(game.result)];
            guesses += game.guesses;
            moves += game.moves;
            opened += game.opened;
        }
    }
    return nb::make_tuple(results[0], results[1], results[2], guesses, moves, opened);
}

}  // namespace

nb::list play_boards(Player& player, int rows, int columns, int mines, const nb::bytes& boards,
                     std::int64_t first) {
    const Grid grid = checked_grid(rows, columns);
    const int cell = checked_first(grid, first);
    const auto cells = static_cast<std::size_t>(grid.cells());
    if (boards.size() % cells != 0) throw std::invalid_argument("expected whole boards");
    const auto* mined = reinterpret_cast<const std::uint8_t*>(boards.c_str());
    const std::size_t count = boards.size() / cells;
    std::vector<Played> games;
    try {
        nb::gil_scoped_release unlocked;
        for (std::size_t i = 0; i < count; ++i) check_board(mined + i * cells, grid.cells(), mines);
        double before = cpu_seconds() * 1e3;
        for (std::size_t i = 0; i < count; ++i) {
            const GameResult game = player.play(grid, mines, mined + i * cells, cell);
            const double after = cpu_seconds() * 1e3;
            games.push_back({game, after - before});
            before = after;
        }
    } catch (const WorkLimit&) {
        return nb::list();
    }
    nb::list results;
    for (const Played& played : games)
        results.append(nb::make_tuple(name(played.game.result), played.game.guesses,
                                      played.game.moves, played.milliseconds));
    return results;
}

Deals::Deals(int rows, int columns, int mines, const std::string& start, std::int64_t first,
             std::uint64_t seed, std::int64_t games)
    : grid_(checked_grid(rows, columns)),
      mines_(mines),
      start_(start_named(start)),
      first_(checked_first(grid_, first)),
      seed_(seed),
      games_(games) {
    if (games < 0 || games > max_games)
        throw std::invalid_argument("expected 0 to 10000000 games");
}

GameResult Deals::play(Player& player, std::int64_t number) const {
    const auto board = deal(grid_.rows, grid_.columns, mines_, start_, first_,
                            seed_ + static_cast<std::uint64_t>(number));
    return player.play(grid_, mines_, board.data(), first_);
}

void bind_play(nb::module_& module) {
    module.def("play_exact", &play_exact, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
               nb::arg("boards"), nb::arg("first"), nb::arg("nodes") = default_nodes,
               "Play boards (one byte a cell, one after the other) as the agent exact does: "
               "(result, guesses, moves, milliseconds) for each. Empty if some decision needs "
               "more nodes.");
    module.def("simulate_exact", &simulate_exact, nb::arg("rows"), nb::arg("columns"),
               nb::arg("mines"), nb::arg("start"), nb::arg("first"), nb::arg("seed"),
               nb::arg("games"), nb::arg("nodes") = default_nodes,
               "Deal and play the boards of consecutive seeds: (won, lost, stuck, guesses, moves, "
               "cells opened).");
}

}  // namespace mineproof
