// One component with all that was worked out about it.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "gather.hpp"
#include "held.hpp"
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
    Held<double> risk;      // by box; set by `weigh`
    Held<Verdict> verdict;  // by box; set by `weigh` or `prove`

    struct Tools {  // memory that all components share
        Gatherer gatherer;
        OrderSearch orders;
        LatticeBuilder builder;
        SupportPass support;
        BackwardPass<double> backward;
        BackwardPass<Scaled> wide_backward;
        Held<BoxSums<double>> sums;
        Held<BoxSums<Scaled>> wide_sums;
        Held<SupportPass::Box> boxes;
        Held<Scaled> wide_forward;
        Held<int> order;
    };

    // Collects the component of a clue. False: its clues contradict each other.
    bool make(const Field& field, int clue, Tools& tools, Budget& budget);

    // The mines it can hold.
    int low() const { return low_; }
    int span() const { return length_ - 1; }

    // The verdicts that hold for any number of mines. True if a box is decided.
    bool prove(Tools& tools);

    // Counts, if that is not done; then its polynomial, for a mixture.
    void count(Budget& budget);
    Factor factor() const;
    // Risks and verdicts, given its outer weights.
    void weigh(const Mixture& mixture, int number, Tools& tools, Budget& budget);

    // If it has an asked clue: everything holds for one answer from now on (its place in
    // `lattice.answers`), or for all of them together (-1).
    void select(int answer);
    // The weight of each answer, given outer weights that hold for all of them together.
    Held<Scaled> answer_weights(const Mixture& mixture, int number) const;

    // Forward values in doubles if they fit, else scaled.
    bool is_wide() const { return problem.bits() > Mixture::max_bits; }
    const Held<double>& forward() const { return forward_; }
    const Held<Scaled>& wide_forward() const { return wide_forward_; }

private:
    template <class Number>
    void add_up(const Held<Number>& forward, Held<Number>& terms) const;
    template <class Number>
    void run_backward(BackwardPass<Number>& pass, const Held<Number>& forward,
                      const Number* outer, Held<BoxSums<Number>>& sums, Budget& budget);
    bool is_selected(int answer) const { return selected_ < 0 || selected_ == answer; }

    int selected_ = -1;
    int low_ = 0, length_ = 0;  // of the polynomial, for what is selected
    bool has_forward_ = false, has_terms_ = false, has_support_ = false;
    Held<double> forward_, terms_;
    Held<Scaled> wide_forward_, wide_terms_;
};

}  // namespace mineproof
