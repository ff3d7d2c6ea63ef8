// Parts of a position that are connected only by the number of mines.
#pragma once

#include <limits>

#include "held.hpp"
#include "solver.hpp"

namespace mineproof {

// Unopened cells whose numbers depend on no cell outside, with the number of ways to fill them.
//
// Adjacent cells are connected if one of them can be a mine, because the other may show it. All
// cells around a clue are connected too. Opening cells of a region tells nothing about the rest,
// except how many mines are left for it.
struct Region {
    Held<int> places;      // unopened and not known mines, in increasing order
    Held<int> components;  // their indices in the solver
    Held<int> inside;      // the unknown places that touch no clue
    int low = 0;                  // number of mines of the first entry in `ways`
    Held<double> ways;     // number of layouts by mines, in doubles

    int high() const { return low + static_cast<int>(ways.size()) - 1; }
    bool is_fixed() const { return ways.size() == 1; }
    double ways_with(int mines) const {
        return mines < low || mines > high() ? 0.0 : ways[mines - low];
    }
    double layouts() const;
    // Whether there are too many layouts to list, so that they were not counted.
    bool is_endless() const { return ways.front() == std::numeric_limits<double>::infinity(); }
    // Removes impossible numbers of mines at both ends.
    void trim();
};

// Joins two regions into one.
Region join(const Region& a, const Region& b);

// Finds the regions of a position with known risks, in order of their first cells.
class RegionFinder {
public:
    void find(const Solver& solver, Held<Region>& regions);

private:
    int root(int place);
    void link(int a, int b);

    Held<int> parent_;  // by place
    Held<int> number_;  // by place: the index of the region with this root
    Held<int> places_;
};

}  // namespace mineproof
