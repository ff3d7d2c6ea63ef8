// Random layouts, drawn exactly by weight.
#pragma once

#include <cstdint>

#include "random.hpp"
#include "solver.hpp"

namespace mineproof {

// A layout of a weighed position: one byte a cell, 1 for a mine.
void draw_layout(const Solver& solver, Stream& stream, std::uint8_t* mined);

// The cells of one component drawn again, with so many mines, which it can hold.
void draw_component(const Solver& solver, int number, int mines, Stream& stream,
                    std::uint8_t* mined);

}  // namespace mineproof
