// Many whole games: on given boards, or on those that consecutive seeds deal.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "budget.hpp"
#include "deal.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "player.hpp"

namespace mineproof {

struct PlayedGame {
    GameResult game;
    double milliseconds;  // of CPU time
};

// Plays boards that stand one after the other, one byte a cell. False: some decision takes more
// nodes, and nothing is played. Throws std::invalid_argument if these are no such boards.
bool play_boards(const Grid& grid, int mines, std::span<const std::uint8_t> boards,
                 std::int64_t first, const GuessSettings& settings, std::int64_t nodes,
                 const Poll& poll, Held<PlayedGame>& games);

// Boards that consecutive seeds deal.
struct Deals {
    Grid grid;
    int mines;
    Start start;
    std::int64_t first;
    std::uint64_t seed;
    std::int64_t games;
};

struct Tally {
    std::int64_t won = 0, lost = 0, stuck = 0;
    std::int64_t guesses = 0, moves = 0;
    std::int64_t opened = 0;  // safe cells
    std::int64_t proofs = 0, false_proofs = 0;
};
Tally tally_games(const Deals& deals, const GuessSettings& settings, std::int64_t nodes,
                  const Poll& poll);

// What is kept of a game that is watched, as it crosses the border.
struct GameTrace {
    std::uint32_t result;
    std::uint32_t guesses;
    std::uint32_t moves;
    std::uint32_t hidden;  // unopened cells at the last guess, then its layouts and safety
    float log_layouts;
    float safety;
    float milliseconds;
    float slowest;  // guess, in milliseconds
};
static_assert(sizeof(GameTrace) == 32);

Held<GameTrace> trace_games(const Deals& deals, const GuessSettings& settings,
                                   std::int64_t nodes, const Poll& poll);

// CPU time of this thread, or of the process where threads have no clock of their own.
double cpu_seconds();

}  // namespace mineproof
