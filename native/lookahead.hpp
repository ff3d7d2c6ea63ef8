// One move ahead: what opening a cell leads to.
#pragma once

#include <array>

#include "branches.hpp"
#include "budget.hpp"
#include "held.hpp"
#include "prior.hpp"
#include "solver.hpp"

namespace mineproof {

// What is left to decide when a cell was opened and shows one of its values.
struct Reply {
    static constexpr int reach = 2;
    static constexpr int side = 2 * reach + 1;
    static constexpr int cells = side * side;

    int value = 0;
    double chance = 0;       // of this value, if the cell is safe
    double best = 0;         // the safety of the best move after it; 1 where one is proved safe
    double second = 0;       // the same of the second-best box
    int proved = 0;          // cells that are proved safe
    double doubt = 0;        // the sum of risk x safety over the frontier
    double local = 0;        // the safety of the best cell in its region; 1 if none is left
    double local_doubt = 0;  // the sum of risk x safety in its region
    bool is_resolved = true;  // whether all cells of its region are decided
    std::array<float, cells> risk{};  // of the cells around it, row by row; 0 if not unknown
};

// What follows if a cell is opened and is safe, over the values that it can show.
struct Outlook {
    double next = 0;      // expected safety of the best move after it; 1 where one is proved safe
    double second = 0;    // the same of the second-best box
    double progress = 0;  // chance that some cell is proved safe
    double proved = 0;    // expected number of cells proved safe, at most `proved_cap` counted
    double doubt = 0;     // expected sum of risk x safety over the frontier
    double local = 0;     // expected safety of the best cell in its region; 1 if none is left
    double local_doubt = 0;  // expected sum of risk x safety in its region
    double resolved = 0;  // chance that all cells of its region are decided
    double zero = 0;      // chance that it shows a 0
    double likeliest = 0; // chance of its likeliest value
    double entropy = 0;   // of its value, in nats
    int values = 0;       // how many it can show; a cell with one value tells nothing
    bool is_cut = false;  // `next` is less than was asked for, and not all values were looked at
    Held<Reply> replies;  // by value

    static constexpr double proved_cap = 10;
};

// The *region* of a cell is its component and its neighbours. It keeps its memory.
class LookAhead {
public:
    // Turns to a position: the solver has weighed it, and `component_of` has the number of each
    // component by place, -1 elsewhere. Both must stay as they are, and outlive it.
    void begin(Solver& solver, const Prior& prior, const Held<int>& component_of);

    // Opens a cell for the sake of argument, with every value that it can show; it is neither
    // opened nor known to be a mine. The likeliest values come first, and it ends where `next`
    // can no more come to `least`.
    Outlook look(int place, double least, Budget& budget);

private:
    Outlook look_by_asking(int place, double least, Budget& budget);

    Solver* solver_ = nullptr;
    Prior prior_;
    const Held<int>* component_of_ = nullptr;
    bool has_branches_ = false;
    Branches branches_;
};

}  // namespace mineproof
