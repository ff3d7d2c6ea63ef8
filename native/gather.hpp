// From cells to components: boxes of interchangeable cells, and what hangs together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "field.hpp"
#include "problem.hpp"

namespace mineproof {

// Where the boxes and clues of a component lie on the board.
struct Places {
    std::vector<int> clues;  // place of each clue
    std::vector<int> cells;  // places of all cells, box by box
    std::vector<int> begin;  // where the cells of each box begin, and the end

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

    std::vector<int> clue_number_;  // by place; -1: not in this component
    std::vector<std::uint8_t> seen_;
    std::vector<int> first_box_;    // by clue: its newest box of which it is the first clue
    std::vector<int> next_box_;     // by box
    std::vector<std::uint16_t> shape_;
    std::vector<int> found_, box_of_;  // the cells as they are found, and their boxes
};

}  // namespace mineproof
