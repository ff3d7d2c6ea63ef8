// The cells next to no clue, and the total number of mines.
#pragma once

#include <cstdint>

#include "held.hpp"
#include "prior.hpp"
#include "random.hpp"
#include "scaled.hpp"

namespace mineproof {

// The interior takes the mines that the components leave: a weight for each number of mines
// *used*, that is, placed in the components.
class Interior {
public:
    Interior() = default;
    // `fixed` mines are known outside components and interior; the board has `total` cells.
    Interior(const Prior& prior, int cells, int fixed, int total)
        : prior_(prior), cells_(cells), fixed_(fixed), total_(total) {}

    // Weights for `low`, `low + 1`, .. used mines, up to a common factor.
    void weigh(int low, int count, Held<Scaled>& weights) const;
    // The same in doubles for a known number of mines. `bits` says how far they spread; false
    // if that is too far for doubles, or if the number is not known.
    bool weigh(int low, int count, Held<double>& weights, double& bits) const;

    // Whether so many used mines are possible, and whether some interior cell can then be
    // mined, and some free.
    struct Support {
        bool possible;
        bool mined;
        bool free;
    };
    Support support(int used) const;

    // The natural logarithm of the ways to lay the rest of a known number of mines.
    double log_ways(int used) const;

    // The expected share of mined cells in the interior, given the used mines.
    double share(int used) const;

    // A random number of interior mines, given the used ones.
    int draw(int used, Stream& stream) const;

    // Under a density prior no cell tells anything of one that shares no component with it.
    bool is_independent() const { return prior_.kind == Prior::Kind::density; }
    bool is_known() const { return prior_.kind == Prior::Kind::known; }
    double density() const { return prior_.density; }
    int cells() const { return cells_; }

private:
    struct Counts {  // numbers of interior mines that are possible
        int low;
        int high;
    };
    Counts counts(int used) const;
    // Calls visit(mines, weight) for each number of interior mines (known and range priors).
    template <class Visit>
    void visit(int used, Visit visit) const;
    double total_ratio(int mines) const;

    Prior prior_;
    int cells_ = 0;
    int fixed_ = 0;
    int total_ = 0;
};

}  // namespace mineproof
