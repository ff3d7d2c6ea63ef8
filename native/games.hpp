// Many whole games, on given boards or on boards dealt from consecutive seeds.
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

// Plays consecutive boards, one byte per cell. Returns false, without games, if a decision takes
// more than `nodes` nodes. Throws std::invalid_argument if the boards are not valid.
bool play_boards(const Grid& grid, int mines, std::span<const std::uint8_t> boards,
                 std::int64_t first, const GuessSettings& settings, std::int64_t nodes,
                 const Poll& poll, Held<PlayedGame>& games);

// Boards dealt from consecutive seeds.
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

// The binary record of a watched game.
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

// Returns the CPU time of this thread, or of the process if threads have no CPU clock.
double cpu_seconds();

}  // namespace mineproof
