// Collects cells into components: boxes of interchangeable cells, and the clues that connect them.
#pragma once

#include <cstdint>
#include <span>

#include "field.hpp"
#include "held.hpp"
#include "problem.hpp"

namespace mineproof {

// The places of the boxes and clues of a component on the board.
struct Places {
    Held<int> clues;  // place of each clue
    Held<int> cells;  // places of all cells, box by box
    Held<int> begin;  // where the cells of each box begin; then the end

    std::span<const int> cells_of(int box) const {
        return {cells.data() + begin[box], cells.data() + begin[box + 1]};
    }
};

// Collects components from a field. Reuse it, because its arrays have the size of the board.
class Gatherer {
public:
    // Collects the component of a clue that has unknown neighbours.
    void gather(const Field& field, int clue, Problem& problem, Places& places);

private:
    int number(const Field& field, int place, Problem& problem, Places& places);
    int box(const Field& field, int place, Problem& problem, Places& places);
    void sort_cells(const Problem& problem, Places& places) const;

    Held<int> clue_number_;  // by place; -1 if not in this component
    Held<int> seen_;
    Held<int> first_box_;    // by clue: the newest box whose first clue it is
    Held<int> next_box_;     // by box
    Held<std::uint16_t> shape_;
    Held<int> found_, box_of_;  // the cells in the order of discovery, and their boxes
};

}  // namespace mineproof
