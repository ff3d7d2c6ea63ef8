// Dealing boards: the twin of `deal` in src/mineproof/core/board.py.
#pragma once

#include <cstdint>

#include "grid.hpp"
#include "held.hpp"

namespace mineproof {

enum class Start { any, safe, opening };

// Returns one byte per cell, 1 for a mine. `first` is a cell index, ignored if `start` is `any`.
// Throws std::invalid_argument if the arguments do not describe a valid board.
Held<std::uint8_t> deal(const Grid& grid, int mines, Start start, std::int64_t first,
                        std::uint64_t seed);

// Deals many boards with the same rules, and computes what they have in common only once.
class BoardDealer {
public:
    // Throws std::invalid_argument in the same cases as `deal`.
    BoardDealer(const Grid& grid, int mines, Start start, std::int64_t first);

    // Returns the board of an attempt with a seed. It is valid until the next call.
    const Held<std::uint8_t>& deal(std::uint64_t seed, std::uint64_t attempt);

private:
    Held<std::uint8_t> forced_, mined_;  // by cell: always a mine; the board
    Held<int> free_, pool_;              // cells for the other mines
    std::size_t left_;                   // number of other mines
};

}  // namespace mineproof
