// One component with all that was worked out about it.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "gather.hpp"
#include "lattice.hpp"
#include "mixture.hpp"
#include "order.hpp"
#include "passes.hpp"
#include "problem.hpp"

namespace mineproof {

enum class Verdict : std::uint8_t { open, safe, mined };

// A risk as it is shown where nothing is proved: never 0 nor 1, however little is missing.
double keep_open(double risk);

// Boxes, clues, lattice, counts. Parts are computed when asked for and kept until the
// component changes; objects are used again, so that nothing is allocated in the long run.
class Component {
public:
    Problem problem;
    Places places;
    Lattice lattice;
    std::vector<double> risk;      // by box; set by `weigh`
    std::vector<Verdict> verdict;  // by box; set by `weigh` or `prove`

    struct Tools {  // memory that all components share
        Gatherer gatherer;
        OrderSearch orders;
        LatticeBuilder builder;
        SupportPass support;
        BackwardPass<double> backward;
        BackwardPass<Scaled> wide_backward;
        std::vector<BoxSums<double>> sums;
        std::vector<BoxSums<Scaled>> wide_sums;
        std::vector<SupportPass::Box> boxes;
        std::vector<Scaled> wide_forward, wide_outer;
        std::vector<int> order;
    };

    // Collects the component of a clue. False: its clues contradict each other.
    bool make(const Field& field, int clue, Tools& tools, Budget& budget);

    // The mines it can hold.
    int low() const { return lattice.last().low; }
    int span() const { return lattice.last().length - 1; }

    // The verdicts that hold for any number of mines. True if a box is decided.
    bool prove(Tools& tools);

    // Counts, if that is not done; then its polynomial, for a mixture.
    void count();
    Factor factor() const;
    // Risks and verdicts, given the outer weights.
    void weigh(const Mixture& mixture, int number, Tools& tools);

    // Forward values in doubles if they fit, else scaled.
    bool is_wide() const { return problem.bits() > Mixture::max_bits; }
    const std::vector<double>& forward() const { return forward_; }
    const std::vector<Scaled>& wide_forward() const { return wide_forward_; }

private:
    template <class Number>
    void judge(const std::vector<BoxSums<Number>>& sums);

    bool has_forward_ = false;
    bool has_support_ = false;
    std::vector<double> forward_;
    std::vector<Scaled> wide_forward_;
};

}  // namespace mineproof
