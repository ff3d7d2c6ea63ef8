// The safest cell of a position.
#pragma once

#include "solver.hpp"

namespace mineproof {

struct SafestCell {
    int place = -1;  // -1: no cell is unknown
    double safety = 0;
};

// Of a weighed solver; of equally safe cells that with the fewest unopened neighbours, then the
// first.
SafestCell safest_cell(const Solver& solver);

}  // namespace mineproof
