// From cells to components: boxes of interchangeable cells, and what hangs together.
#pragma once

#include <cstdint>
#include <span>

#include "field.hpp"
#include "held.hpp"
#include "problem.hpp"

namespace mineproof {

// Where the boxes and clues of a component lie on the board.
struct Places {
    Held<int> clues;  // place of each clue
    Held<int> cells;  // places of all cells, box by box
    Held<int> begin;  // where the cells of each box begin, and the end

    std::span<const int> cells_of(int box) const {
        return {cells.data() + begin[box], cells.data() + begin[box + 1]};
    }
};

// Collects components from a field. It holds arrays the size of the board, so keep it.
class Gatherer {
public:
    // The component of a clue that has unknown neighbours.
    void gather(const Field& field, int clue, Problem& problem, Places& places);

private:
    int number(const Field& field, int place, Problem& problem, Places& places);
    int box(const Field& field, int place, Problem& problem, Places& places);
    void sort_cells(const Problem& problem, Places& places) const;

    Held<int> clue_number_;  // by place; -1: not in this component
    Held<std::uint8_t> seen_;
    Held<int> first_box_;    // by clue: its newest box of which it is the first clue
    Held<int> next_box_;     // by box
    Held<std::uint16_t> shape_;
    Held<int> found_, box_of_;  // the cells as they are found, and their boxes
};

}  // namespace mineproof
