// No-guess boards, dealt with the rule `opening` until one can be won without a guess.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "deal.hpp"
#include "grid.hpp"
#include "held.hpp"
#include "player.hpp"

namespace mineproof {

class NoGuessDealer {
public:
    // Throws std::invalid_argument in the same cases as `deal`. `nodes` limits the work of one
    // decision.
    NoGuessDealer(const Grid& grid, int mines, std::int64_t first, std::int64_t nodes, Poll poll);

    // Returns the first attempt in [`begin`, `end`) whose board is won without a guess, or
    // `end` if there is none. `board` is that of the last attempt.
    std::uint64_t find(std::uint64_t seed, std::uint64_t begin, std::uint64_t end);
    const Held<std::uint8_t>& board() const { return *board_; }

    // Returns whether a board, one byte per cell, is won from the first cell without a guess.
    bool is_no_guess(const std::uint8_t* mined);

    // Returns the position of a board after all proofs: one code per cell.
    Held<std::uint8_t> solve(const std::uint8_t* mined);

private:
    // Returns whether mines and safe cells can be swapped without changing any clue, which makes a
    // guess unavoidable. Checks only cells close to each other, which takes a fraction of the time
    // of a game.
    bool has_swap(const std::uint8_t* mined);
    bool is_swap(int mine, int safe) const;
    bool is_crossed();

    Grid grid_;
    int mines_;
    int first_;
    BoardDealer dealer_;
    Player player_;
    const Held<std::uint8_t>* board_ = nullptr;
    // By place: 1 for a mine, 0 for a safe cell and `margin` off the board; whether it is a safe
    // cell, and how many of its neighbours are.
    Held<std::uint8_t> mined_, safe_, safe_near_, scratch_;
};

}  // namespace mineproof
