// Boards that are won without a guess: deals by the rule `opening`, again and again.
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
    // Throws std::invalid_argument as `deal` does. `nodes` bounds the work of one decision.
    NoGuessDealer(const Grid& grid, int mines, std::int64_t first, std::int64_t nodes, Poll poll);

    // The first attempt from `begin` to before `end` whose board is won without a guess, or
    // `end`. The board is that of the last attempt made.
    std::uint64_t find(std::uint64_t seed, std::uint64_t begin, std::uint64_t end);
    const Held<std::uint8_t>& board() const { return *board_; }

    // Whether a board, one byte a cell, is won from the first cell without a guess.
    bool is_no_guess(const std::uint8_t* mined);

    // The position where proofs end on a board: one code a cell.
    Held<std::uint8_t> solve(const std::uint8_t* mined);

private:
    // Whether some mines and safe cells could change places without a clue that tells: a guess
    // for sure. Looks for near ones only, at a fraction of the cost of a game.
    bool has_swap(const std::uint8_t* mined);
    bool is_swap(int mine, int safe) const;
    bool is_crossed(int place) const;

    Grid grid_;
    int mines_;
    int first_;
    BoardDealer dealer_;
    Player player_;
    const Held<std::uint8_t>* board_ = nullptr;
    // By place: 1 for a mine, 0 for a safe cell and `margin` beside the board; whether it is a
    // safe cell, and how many neighbours are.
    Held<std::uint8_t> mined_, safe_, safe_near_, scratch_;
};

}  // namespace mineproof
