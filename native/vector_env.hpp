// Many boards for learning agents, with a move on each in one call. The arrays belong to the caller
// and have one item per board or per cell; only this class writes to them.
#pragma once

#include <cstdint>

#include "deal.hpp"
#include "held.hpp"

namespace mineproof {

// The results of the moves, one item per board, and what the player sees, one item per cell.
struct VectorArrays {
    std::int8_t* shown;        // codes of grid.hpp
    std::int8_t* mask;         // 1 if a cell can be opened
    double* rewards;
    std::uint8_t* terminated;  // the game is over
    std::uint8_t* truncated;   // too many moves
    std::uint8_t* won;
    std::uint64_t* seeds;      // of the current game
};

struct VectorRules {
    Grid grid;
    int mines;
    Start start;
    int given;  // safe cells that are open at the start, under the start `any`
};

class VectorEnv {
public:
    static constexpr double illegal_reward = -0.1;
    static constexpr double loss_reward = -1.0;

    // Throws std::invalid_argument if the arguments do not describe a valid board.
    VectorEnv(const VectorRules& rules, std::int64_t boards, const VectorArrays& arrays);

    // Starts episode 0 of a seed on a board; without a seed, the next episode of the previous seed.
    void reset(std::int64_t board, std::uint64_t seed);
    void next_episode(std::int64_t board);

    // Opens a cell on each board; if its game is over, starts the next episode instead. Throws
    // std::invalid_argument, before any move, if a cell is not on the board.
    void step(const std::int64_t* cells);

    std::int64_t boards() const { return static_cast<std::int64_t>(states_.size()); }
    int cells() const { return cells_; }

    // One per board. `STATE` in gym/boards.py has the same fields.
    struct State {
        std::uint64_t seed = 0;
        std::uint64_t episode = 0;
        std::int32_t safe_left = 0;
        std::int32_t moves = 0;
        bool is_dealt = false;
    };

    // All that is not in the caller's arrays. Games can be saved and set up by reading and writing
    // it: any values are safe, because none is used as an index.
    Held<State>& states() { return states_; }
    Held<std::uint8_t>& truth() { return truth_; }

private:

    void begin(std::int64_t board);
    void deal_board(std::int64_t board, int first);
    void place_mines(std::int64_t board, const Held<int>& excluded);
    void open_given(std::int64_t board);
    void move(std::int64_t board, int cell);
    int open(std::int64_t board, int cell);  // returns how many safe cells were opened

    std::uint8_t* truth(std::int64_t board) { return &truth_[static_cast<std::size_t>(board) * cells_]; }

    VectorRules rules_;
    int cells_;
    VectorArrays arrays_;
    Held<State> states_;
    Held<std::uint8_t> truth_;  // clues, or `mine`; one per cell of each board
    Held<int> near_;            // for each cell: the number of neighbours, then the neighbours
    Held<int> order_;           // 0, 1, 2, ...; shuffled temporarily while dealing
    Held<int> drawn_;
    Held<int> pending_;
};

// Returns the seed of an episode's game: the seed itself for episode 0, otherwise one that fits
// into int64.
std::uint64_t episode_seed(std::uint64_t seed, std::uint64_t episode);

}  // namespace mineproof
