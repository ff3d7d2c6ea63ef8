// Looking one move ahead: the consequences of opening a cell.
#pragma once

#include <array>

#include "branches.hpp"
#include "budget.hpp"
#include "held.hpp"
#include "solver.hpp"

namespace mineproof {

// The position that follows when a cell was opened and shows one of its values.
struct Reply {
    static constexpr int reach = 2;
    static constexpr int side = 2 * reach + 1;
    static constexpr int cells = side * side;

    int value = 0;
    double chance = 0;       // of this value, if the cell is safe
    double best = 0;         // the safety of the best move after it; 1 if a cell is proved safe
    double second = 0;       // the same for the second-best box
    int proved = 0;          // number of cells proved safe
    double doubt = 0;        // the sum of risk x safety over the frontier
    double local = 0;        // the safety of the best cell in its region; 1 if none is left
    double local_doubt = 0;  // the sum of risk x safety in its region
    bool is_resolved = true;  // whether all cells of its region are decided
    std::array<float, cells> risk{};  // of the cells around it, row by row; 0 if not unknown
};

// The consequences of opening a cell, if it is safe, over all values that it can show.
struct Outlook {
    double next = 0;      // expected safety of the best move after it; 1 if one is proved safe
    double second = 0;    // the same for the second-best box
    double progress = 0;  // chance that a cell is proved safe
    double proved = 0;    // expected number of cells proved safe, counting at most `proved_cap`
    double doubt = 0;     // expected sum of risk x safety over the frontier
    double local = 0;     // expected safety of the best cell in its region; 1 if none is left
    double local_doubt = 0;  // expected sum of risk x safety in its region
    double resolved = 0;  // chance that all cells of its region are decided
    double zero = 0;      // chance of a 0
    double likeliest = 0; // chance of its likeliest value
    double entropy = 0;   // of its value, in nats
    int values = 0;       // number of possible values; a cell with one value gives no information
    bool is_cut = false;  // `next` is below the requested minimum, and some values were skipped
    Held<Reply> replies;  // by value

    static constexpr double proved_cap = 10;
};

// The *region* of a cell is its component and its neighbours. Objects keep their memory for reuse.
class LookAhead {
public:
    // Switches to a weighed position. `component_of` has the index of each component by place, and
    // -1 elsewhere. The solver and `component_of` must not change, and must outlive this object.
    void begin(Solver& solver, const Prior& prior, const Held<int>& component_of);

    // Opens a cell hypothetically, with every value that it can show. It must be neither open nor a
    // known mine. The likeliest values come first, and the search stops when `next` can no longer
    // reach `least`.
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
