// The cells that touch no clue, and the total number of mines.
#pragma once

#include <cstdint>

#include "held.hpp"
#include "random.hpp"
#include "scaled.hpp"

namespace mineproof {

// The weight of a layout with m mines on a board of `cells` cells:
//   known: 1 if m is `low`, else 0;
//   density: p^m (1 - p)^(cells - m), 0 < p < 1;
//   range: 1 / C(cells, m) if low <= m <= high (every number equally likely), else 0.
struct Prior {
    enum class Kind : std::uint8_t { known, density, range };

    Kind kind = Kind::known;
    int low = 0;
    int high = 0;
    double density = 0;

    static Prior known(int mines) { return {Kind::known, mines, mines, 0}; }
    static Prior of_density(double p) { return {Kind::density, 0, 0, p}; }
    static Prior range(int low, int high) { return {Kind::range, low, high, 0}; }
};

// The interior gets the mines that the components leave. It has a weight for each number of *used*
// mines, those placed in the components.
class Interior {
public:
    Interior() = default;
    // `fixed` mines are known outside components and interior. The board has `total` cells.
    Interior(const Prior& prior, int cells, int fixed, int total)
        : prior_(prior), cells_(cells), fixed_(fixed), total_(total) {}

    // Computes weights for `low`, `low + 1`, .. used mines, up to a common factor.
    void weigh(int low, int count, Held<Scaled>& weights) const;
    // The same in doubles, for a known number of mines. `bits` returns the spread of the weights.
    // Returns false if it is too large for doubles, or if the number is not known.
    bool weigh(int low, int count, Held<double>& weights, double& bits) const;

    // Whether this number of used mines is possible, and whether an interior cell can then be a
    // mine, and be free.
    struct Support {
        bool possible;
        bool mined;
        bool free;
    };
    Support support(int used) const;

    // Returns the natural logarithm of the number of ways to place the remaining mines, if their
    // number is known.
    double log_ways(int used) const;

    // Returns the expected share of mines in the interior, given the used mines.
    double share(int used) const;

    // Draws a random number of interior mines, given the used ones.
    int draw(int used, Stream& stream) const;

    // Under a density prior, a cell tells nothing about cells outside its component.
    bool is_independent() const { return prior_.kind == Prior::Kind::density; }
    bool is_known() const { return prior_.kind == Prior::Kind::known; }
    double density() const { return prior_.density; }
    int cells() const { return cells_; }

private:
    struct Counts {  // the possible numbers of interior mines
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
