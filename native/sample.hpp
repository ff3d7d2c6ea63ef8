// Random layouts, drawn exactly by weight, and changed so that a cell is safe.
#pragma once

#include <cstdint>

#include "held.hpp"
#include "passes.hpp"
#include "random.hpp"
#include "solver.hpp"

namespace mineproof {

// Draws a layout of a weighed position: one byte per cell, 1 for a mine.
void draw_layout(const Solver& solver, Stream& stream, std::uint8_t* mined);

// Draws the cells of one component again, with a number of mines that it can hold.
void draw_component(const Solver& solver, int number, int mines, Stream& stream,
                    std::uint8_t* mined);

// Turns a random layout in which a cell is a mine into a random one in which it is safe. The result
// is drawn exactly by weight, and everything independent of the cell stays the same if possible.
//
// The rest of a layout is connected to the component of the cell only by the number of mines there.
// If that number is as likely when the cell is safe as when it is a mine, the rest can be kept, and
// only the component is drawn again. The rest is kept as often as these two chances allow.
// Otherwise a whole new layout is drawn, so that every layout has the right frequency overall.
class Redraw {
public:
    // `layout` has one byte per cell and must be drawn by weight from the layouts of the weighed
    // position. Returns false if no layout with the cell safe was found.
    bool make_safe(const Solver& solver, int place, Stream& stream,
                   Held<std::uint8_t>& layout);

private:
    // The cells connected to a cell.
    struct Part {
        int component = -1;  // its index, or -1 for the interior
        int box = -1;        // of the cell
        double safety = 0;   // of the cell
    };
    static Part find(const Solver& solver, int place);
    static int count(const Solver& solver, const Part& part,
                     const Held<std::uint8_t>& layout);
    double ratio(const Solver& solver, const Part& part, int mines);
    double safety_given(const Solver& solver, const Part& part, int mines);
    bool redraw_part(const Solver& solver, const Part& part, int place, int mines, Stream& stream,
                     Held<std::uint8_t>& layout);
    bool redraw_all(const Solver& solver, const Part& part, int place, Stream& stream,
                    Held<std::uint8_t>& layout);

    BackwardPass<double> backward_;
    Budget unbounded_;  // enough, because each use is a single pass
    Held<BoxSums<double>> sums_;
    Held<double> outer_;
    Held<std::uint8_t> other_;
};

}  // namespace mineproof
