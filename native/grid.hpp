// The geometry of a board: cells, neighbours and border. All other files use this one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "held.hpp"

namespace mineproof {

// Codes of a cell: 0 to 8 is a clue; the others are the same as in src/mineproof/core/clues.py.
constexpr std::uint8_t unopened = 9;
constexpr std::uint8_t withheld = 10;
constexpr std::uint8_t exploded = 11;
constexpr std::uint8_t margin = 12;  // not a cell: off the board

constexpr int max_side = 1000;

// A *cell* is a number in row order. A *place* is the index of a cell in an array with a margin:
// one place before each row, one row above and one below. So every cell has eight neighbours at
// fixed offsets, and places are in the same order as cells.
struct Grid {
    struct Direction {
        int down, right;
    };
    static constexpr std::array<Direction, 8> directions = {
        {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

    int rows = 0;
    int columns = 0;
    int stride = 0;
    std::array<int, 8> steps{};  // in increasing order, one for each direction

    Grid() = default;
    Grid(int rows_, int columns_) : rows(rows_), columns(columns_), stride(columns_ + 1) {
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i] = directions[i].down * stride + directions[i].right;
    }
    // Throws std::invalid_argument if there is no such board.
    static Grid checked(int rows, int columns) {
        if (rows < 1 || rows > max_side || columns < 1 || columns > max_side)
            throw std::invalid_argument("expected 1 to 1000 rows and columns");
        return Grid(rows, columns);
    }
    bool operator==(const Grid&) const = default;

    int cells() const { return rows * columns; }
    bool has(std::int64_t cell) const { return cell >= 0 && cell < cells(); }
    std::size_t places() const {
        return (static_cast<std::size_t>(rows) + 2) * static_cast<std::size_t>(stride) + 1;
    }
    int first_place(int row) const { return (row + 1) * stride + 1; }
    int place(int cell) const { return cell + cell / columns + stride + 1; }
    int row(int place) const { return (place - 1) / stride - 1; }
    int column(int place) const { return (place - 1) % stride; }
    int cell(int place) const { return place - 1 - stride - row(place); }

    // Returns the number of neighbours of a cell on the board.
    int degree(int place) const { return degree(row(place), column(place)); }
    int degree(int row, int column) const {
        return side(row, rows) * side(column, columns) - 1;
    }
    // Returns whether two cells are neighbours, given their places.
    bool is_near(int place, int other) const {
        const int apart = std::abs(place - other);
        return apart == 1 || (apart >= stride - 1 && apart <= stride + 1);
    }
    // Calls visit(cell) for the neighbours of a cell, in increasing order.
    template <class Visit>
    void each_near(int cell, Visit visit) const {
        const int r = cell / columns, c = cell % columns;
        for (const auto [down, right] : directions)
            if (is_inside(r + down, c + right)) visit(cell + down * columns + right);
    }
    // Calls visit(i, place) for the places at most `reach` rows and columns from a cell, row by
    // row. The index i also counts positions off the board, which are skipped.
    template <class Visit>
    void each_around(int place, int reach, Visit visit) const {
        const int r = row(place), c = column(place);
        for (int down = -reach, i = 0; down <= reach; ++down)
            for (int right = -reach; right <= reach; ++right, ++i)
                if (is_inside(r + down, c + right)) visit(i, place + down * stride + right);
    }

    // Copies one item per cell into an array with a margin, which is filled with `outside`.
    template <class T>
    void pad(const T* cells, Held<T>& places_of, T outside) const {
        places_of.assign(places(), outside);
        for (int row = 0; row < rows; ++row, cells += columns)
            std::copy_n(cells, columns, places_of.begin() + first_place(row));
    }
    // The reverse: returns one item per cell, without the margin.
    template <class T>
    Held<T> unpad(const Held<T>& places_of) const {
        Held<T> found;
        for (int row = 0; row < rows; ++row) {
            const auto first = places_of.begin() + first_place(row);
            found.insert(found.end(), first, first + columns);
        }
        return found;
    }
    // Counts, for each place, how many neighbours are set (0 or 1 each). It takes two passes over
    // whole arrays, which compilers turn into vector code, at a tenth of the cost of visiting every
    // neighbour.
    void count_near(const Held<std::uint8_t>& set, Held<std::uint8_t>& counts,
                    Held<std::uint8_t>& scratch) const {
        const std::size_t end = places(), down = static_cast<std::size_t>(stride);
        scratch.assign(end, 0);
        counts.assign(end, 0);
        const std::uint8_t* cells = set.data();
        std::uint8_t *in_row = scratch.data(), *sums = counts.data();
        for (std::size_t p = 1; p + 1 < end; ++p)
            in_row[p] = static_cast<std::uint8_t>(cells[p - 1] + cells[p] + cells[p + 1]);
        for (std::size_t p = down; p < end - down; ++p)
            sums[p] = static_cast<std::uint8_t>(in_row[p - down] + in_row[p] + in_row[p + down] -
                                                cells[p]);
    }

private:
    bool is_inside(int row, int column) const {
        return row >= 0 && row < rows && column >= 0 && column < columns;
    }
    // Returns how many of three adjacent rows or columns are on the board.
    static int side(int middle, int count) { return 1 + (middle > 0) + (middle + 1 < count); }
};

}  // namespace mineproof
