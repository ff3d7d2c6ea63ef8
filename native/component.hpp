// One component with everything computed about it.
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

// Returns a risk to show for an unproved cell: never exactly 0 or 1, even if rounding says so.
double keep_open(double risk);

// The polynomial of a component in which every layout counts once, regardless of its weight. Each
// term takes `limbs` words, the least significant first.
struct ExactTerms {
    int low = 0;
    int count = 0;
    int limbs = 1;
    Held<std::uint64_t> words;
};

// Boxes, clues, lattice and counts. Everything is computed on demand and kept until the component
// changes. Objects are reused, so that no memory is allocated in the long run.
class Component {
public:
    Problem problem;
    Places places;
    Lattice lattice;
    Held<double> risk;      // by box; set by `weigh`
    Held<Verdict> verdict;  // by box; set by `weigh` or `prove`

    struct Tools {  // memory shared by all components
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

    // Builds the component of a clue. Returns false if its clues contradict each other.
    bool make(const Field& field, int clue, Tools& tools, Budget& budget);

    // The range of its number of mines.
    int low() const { return low_; }
    int span() const { return length_ - 1; }

    // Finds the verdicts that hold for any number of mines. Returns true if a box is decided.
    bool prove(Tools& tools);

    // Counts, unless already done. Afterwards, its polynomial can be added to a mixture.
    void count(Budget& budget);
    Factor factor() const;
    ExactTerms exact_terms(Budget& budget) const;
    // Computes risks and verdicts from its outer weights.
    void weigh(const Mixture& mixture, int number, Tools& tools, Budget& budget);

    // For a component with an asked clue: restricts it to one answer (an index into
    // `lattice.answers`), or to all answers together (-1).
    void select(int answer);
    // Returns the weight of each answer, given outer weights for all answers together.
    Held<Scaled> answer_weights(const Mixture& mixture, int number) const;

    // Whether forward values need `Scaled` numbers because they may not fit into doubles.
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
    int low_ = 0, length_ = 0;  // of the polynomial, for the selected answers
    bool has_forward_ = false, has_terms_ = false, has_support_ = false;
    Held<double> forward_, terms_;
    Held<Scaled> wide_forward_, wide_terms_;
};

}  // namespace mineproof
