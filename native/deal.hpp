// Dealing: the twin of `deal` in src/mineproof/core/board.py.
#pragma once

#include <cstdint>

#include "grid.hpp"
#include "held.hpp"

namespace mineproof {

enum class Start { any, safe, opening };

// One byte a cell, 1 for a mine. `first` is a cell index; the start `any` ignores it.
// Throws std::invalid_argument where the numbers fit no board.
Held<std::uint8_t> deal(const Grid& grid, int mines, Start start, std::int64_t first,
                        std::uint64_t seed);

// Deals many boards of one kind: what they have in common is worked out once.
class BoardDealer {
public:
    // Throws std::invalid_argument as `deal` does.
    BoardDealer(const Grid& grid, int mines, Start start, std::int64_t first);

    // The board of an attempt under a seed, until the next one is dealt.
    const Held<std::uint8_t>& deal(std::uint64_t seed, std::uint64_t attempt);

private:
    Held<std::uint8_t> forced_, mined_;  // by cell: mined in any case; the board
    Held<int> free_, pool_;              // where the other mines are dealt
    std::size_t left_;                   // how many
};

}  // namespace mineproof
