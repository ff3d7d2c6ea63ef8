// Parts of a position that meet in the number of mines alone.
#pragma once

#include <limits>

#include "held.hpp"
#include "solver.hpp"

namespace mineproof {

// Unopened cells whose numbers depend on no cell outside, with the ways to fill them.
//
// Cells next to each other hang together if one of them can be a mine: the other may show it.
// So do all cells around a clue. Whatever is opened in a region tells nothing of the rest but
// how many mines are left to it.
struct Region {
    Held<int> places;      // unopened and no known mines, in increasing order
    Held<int> components;  // their numbers in the solver
    Held<int> inside;      // the unknown places next to no clue
    int low = 0;                  // the mines that the first number of ways stands for
    Held<double> ways;     // layouts by mines; exact as far as a double is

    int high() const { return low + static_cast<int>(ways.size()) - 1; }
    bool is_fixed() const { return ways.size() == 1; }
    double ways_with(int mines) const {
        return mines < low || mines > high() ? 0.0 : ways[mines - low];
    }
    double layouts() const;
    // More than anyone lists: nobody counted them.
    bool is_endless() const { return ways.front() == std::numeric_limits<double>::infinity(); }
    // Cuts off numbers of mines at both ends for which there is no way.
    void trim();
};

// Both together, as one region.
Region join(const Region& a, const Region& b);

// Finds the regions of a position whose risks are known, those with the lowest cell first.
class RegionFinder {
public:
    void find(const Solver& solver, Held<Region>& regions);

private:
    int root(int place);
    void link(int a, int b);

    Held<int> parent_;  // by place
    Held<int> number_;  // by place: of the region with this root
    Held<int> places_;
};

}  // namespace mineproof
