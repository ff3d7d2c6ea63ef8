// All layouts of a position, where they are few.
#pragma once

#include <cstdint>
#include <vector>

#include "solver.hpp"

namespace mineproof {

// Lists layouts as rows of what each cell would show, the form in which `Endgame` takes them.
// It keeps its memory from one position to the next.
class Listing {
public:
    std::vector<int> places;         // the unopened cells that are not known mines
    std::vector<std::uint8_t> rows;  // layouts x places: what each would show, or a mine
    int count = 0;

    // Lists all layouts with `mines` mines besides the known ones, of an updated solver with
    // exact clues. False: there are more than `limit`, and the rows are of no use.
    bool list(const Solver& solver, int mines, int limit);

private:
    bool walk(int component, std::uint32_t state, std::size_t layer, int left);
    bool fill(int component, std::uint32_t to, std::size_t layer, std::size_t cell, int mines,
              int left);
    bool place_inside(std::size_t next, int left);
    bool emit();

    const Solver* solver_ = nullptr;
    int limit_ = 0;
    std::vector<int> inside_;          // unknown cells next to no clue
    std::vector<std::uint8_t> mined_;  // by place
};

}  // namespace mineproof
