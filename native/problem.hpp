// One component as a counting problem: clues over boxes, without the board.
#pragma once

#include <cstdint>
#include <span>

#include "held.hpp"

namespace mineproof {

// C(n, k) for the cells of one box. A box touches a clue, so it has at most eight cells.
inline constexpr double choose[9][9] = {
    {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1},
    {1, 6, 15, 20, 15, 6, 1}, {1, 7, 21, 35, 35, 21, 7, 1}, {1, 8, 28, 56, 70, 56, 28, 8, 1}};

// A clue allows `low` to `high` mines in its boxes. If it is unreliable, each number has its own
// weight: nine weights starting at index `weights` (-1: all are 1). An *asked* clue is not known
// yet: the layouts are classified by the number it would show.
struct Clue {
    int low;
    int high;
    int cells;  // in all its boxes
    int weights = -1;
    bool asked = false;
    int boxes = 0;
};

// Boxes with the clues that touch them. All vectors keep their memory when cleared.
struct Problem {
    Held<Clue> clues;
    Held<double> weights;
    Held<std::uint8_t> sizes;   // number of cells of each box
    Held<int> box_begin{0};     // where the clues of each box begin in `box_clues`
    Held<int> box_clues;
    int cells = 0;

    int box_count() const { return static_cast<int>(sizes.size()); }
    int clue_count() const { return static_cast<int>(clues.size()); }
    std::span<const int> clues_of(int box) const {
        return {box_clues.data() + box_begin[box], box_clues.data() + box_begin[box + 1]};
    }
    // All counts and products of weights are between 2^-bits and 2^bits.
    double bits() const { return cells + 3.2 * static_cast<double>(weights.size()) / 9; }

    void clear() {
        clues.clear();
        weights.clear();
        sizes.clear();
        box_begin.assign(1, 0);
        box_clues.clear();
        cells = 0;
    }
};

}  // namespace mineproof
