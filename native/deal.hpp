// Dealing: the twin of `deal` in src/mineproof/core/board.py.
#pragma once

#include <cstdint>
#include <vector>

namespace mineproof {

enum class Start { any, safe, opening };

// One byte a cell, 1 for a mine. `first` is a cell index; the start `any` ignores it.
// Throws std::invalid_argument where the numbers fit no board.
std::vector<std::uint8_t> deal(int rows, int columns, int mines, Start start, std::int64_t first,
                               std::uint64_t seed);

}  // namespace mineproof
