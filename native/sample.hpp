// Random layouts, drawn exactly by weight, and changed so that a cell is safe.
#pragma once

#include <cstdint>

#include "held.hpp"
#include "passes.hpp"
#include "random.hpp"
#include "solver.hpp"

namespace mineproof {

// A layout of a weighed position: one byte a cell, 1 for a mine.
void draw_layout(const Solver& solver, Stream& stream, std::uint8_t* mined);

// The cells of one component drawn again, with so many mines, which it can hold.
void draw_component(const Solver& solver, int number, int mines, Stream& stream,
                    std::uint8_t* mined);

// Takes a random layout in which a cell is a mine, and gives a random one in which it is safe:
// exactly by weight, and with all that has nothing to do with the cell as it was, if possible.
//
// A layout meets the component of the cell only in the number of mines there. If that number is
// as likely where the cell is safe as where it is a mine, it can stay, and all the rest with
// it; only the component is drawn again. It stays as often as these two chances allow;
// otherwise the whole layout is drawn, from what is then missing.
class Redraw {
public:
    // `layout` has one byte a cell, and was drawn by weight from the layouts of the weighed
    // position. False: no layout with the cell safe was found.
    bool make_safe(const Solver& solver, int place, Stream& stream,
                   Held<std::uint8_t>& layout);

private:
    // The cells that hang together with a cell.
    struct Part {
        int component = -1;  // its number, or -1 for the interior
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
    Budget unbounded_;  // each is a single pass
    Held<BoxSums<double>> sums_;
    Held<double> outer_;
    Held<std::uint8_t> other_;
};

}  // namespace mineproof
