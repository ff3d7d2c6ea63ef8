// How the components and the interior share the mines.
#pragma once

#include <cstdint>
#include <span>

#include "held.hpp"
#include "interior.hpp"
#include "product_tree.hpp"
#include "random.hpp"
#include "scaled.hpp"

namespace mineproof {

// A component as the others see it: a weight for every number of mines that it can hold.
struct Factor {
    int low;                            // the mines that the first term stands for
    std::span<const double> terms;      // or, if this is empty:
    std::span<const Scaled> wide_terms;
    int cells;
    double bits;  // all terms but zeros lie in 2^-bits .. 2^bits

    int length() const { return static_cast<int>(terms.size() + wide_terms.size()); }
    Scaled term(int i) const { return terms.empty() ? wide_terms[i] : Scaled(terms[i]); }
};

// Components meet in the number of mines alone. From their polynomials and the interior
// follows the *outer* weight of each: for every number of mines it may hold, the weight of
// all that lies outside.
//
// On boards of ordinary size all weights fit doubles as they are: the mixture is *plain*. Else
// polynomials are tilted: term k is multiplied by t^k, with t such that the expected number of
// mines is right; the weight then lies around that number, and tails that make no difference
// are cut off. What is possible at all is followed separately, in bits. Either way a possible
// number of mines never gets the weight 0, and an impossible one always does.
class Mixture {
public:
    // Weights of 2^-+max_bits leave room for sums and products in doubles.
    static constexpr double max_bits = 900;

    void clear() { factors_.clear(); }
    // The terms of the factor must outlive the mixture.
    void add(const Factor& factor) { factors_.push_back(factor); }

    // Multiplies everything. False: no number of mines fits.
    bool combine(const Interior& interior);

    // Finds the outer weights of all components, on a scale of each one's own. If the mixture
    // is not plain, the largest is 1, and the doubles are rounded up to 2^-500.
    void spread();
    std::span<const double> outer(int component) const;
    std::span<const Scaled> wide_outer(int component) const;
    bool is_plain() const { return plain_; }

    // The natural logarithm of the number of layouts, for a known number of mines; infinity if
    // the mixture is not plain.
    double log_layouts() const;

    struct Share {
        double risk = 0;
        bool mined = false;  // some interior cell can be mined
        bool free = false;
    };
    const Share& interior_share() const { return share_; }

    // Draws the mines of each component; gives how many are used.
    int draw(Stream& stream, Held<int>& mines) const;

private:
    void draw_independent(Stream& stream, Held<int>& mines) const;
    bool share_out();
    bool combine_independent();
    bool combine_tilted(int span);
    bool find_possible(int span);
    double find_tilt(const Held<Scaled>& weights) const;
    double mean_used(double log_tilt, const Held<double>& logs) const;
    void plant_tilted();
    void weigh_tilted(Held<Scaled>& weights);
    void untilt();
    void round_outer();

    Held<Factor> factors_;
    Interior interior_;
    ProductTree tree_;
    bool plain_ = true;
    int used_low_ = 0;             // the least mines that the components can hold
    Held<double> weights_;  // of the interior, for each degree of the product
    Share share_;

    // Only if not plain, terms of all components one after the other:
    double tilt_ = 1;
    Held<std::size_t> begin_;
    Held<std::uint8_t> possible_;
    Held<Scaled> wide_outer_;
    Held<double> outer_;
};

}  // namespace mineproof
