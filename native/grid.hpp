// The geometry of a board with a margin around it, so that no neighbour needs a test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mineproof {

// Codes of a cell: 0 to 8 is a clue; the rest as in src/mineproof/core/clues.py.
constexpr std::uint8_t unopened = 9;
constexpr std::uint8_t withheld = 10;
constexpr std::uint8_t exploded = 11;
constexpr std::uint8_t margin = 12;  // no cell: beside the board

constexpr int max_side = 1000;

// A *place* is the number of a cell in an array with a margin: one place before each row, a
// row of places above and one below. Every cell then has eight neighbours at fixed steps, and
// the order of places is the order of cells.
struct Grid {
    int rows = 0;
    int columns = 0;
    int stride = 0;
    std::array<int, 8> steps{};  // in increasing order

    Grid() = default;
    Grid(int rows_, int columns_) : rows(rows_), columns(columns_), stride(columns_ + 1) {
        steps = {-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1};
    }

    int cells() const { return rows * columns; }
    std::size_t places() const {
        return (static_cast<std::size_t>(rows) + 2) * static_cast<std::size_t>(stride) + 1;
    }
    int first_place(int row) const { return (row + 1) * stride + 1; }
    int place(int cell) const { return cell + cell / columns + stride + 1; }
    int row(int place) const { return (place - 1) / stride - 1; }
    int column(int place) const { return (place - 1) % stride; }
    int cell(int place) const { return place - 1 - stride - row(place); }
    // The place so many rows below another and columns to its right; -1: beside the board.
    int beside(int place, int down, int right) const {
        const int r = row(place) + down, c = column(place) + right;
        return r < 0 || r >= rows || c < 0 || c >= columns ? -1 : place + down * stride + right;
    }
    // How many neighbours a cell has on the board.
    int degree(int place) const {
        const int r = row(place), c = column(place);
        const int high = 1 + (r > 0) + (r + 1 < rows);
        const int wide = 1 + (c > 0) + (c + 1 < columns);
        return high * wide - 1;
    }
};

}  // namespace mineproof
