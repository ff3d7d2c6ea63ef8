// How the mines are distributed between the components and the interior.
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
    int low;                            // number of mines of the first term
    std::span<const double> terms;      // if empty, `wide_terms` is used instead
    std::span<const Scaled> wide_terms;
    int cells;
    double bits;  // all nonzero terms are between 2^-bits and 2^bits

    int length() const { return static_cast<int>(terms.size() + wide_terms.size()); }
    Scaled term(int i) const { return terms.empty() ? wide_terms[i] : Scaled(terms[i]); }
};

// Components are connected only by the number of mines. Their polynomials and the interior
// determine the *outer* weight of each component: for every number of mines it may hold, the weight
// of everything outside it.
//
// On boards of ordinary size, all weights fit into doubles: the mixture is *plain*. Otherwise
// polynomials are tilted: term k is multiplied by t^k, with t such that the expected number of
// mines is right. The weight is then concentrated around that number, and negligible tails are cut
// off. A separate computation in bits tracks which numbers are possible. In both cases, a possible
// number of mines never gets the weight 0, and an impossible one always does.
class Mixture {
public:
    // Weights between 2^-max_bits and 2^max_bits leave room for sums and products in doubles.
    static constexpr double max_bits = 900;

    void clear() { factors_.clear(); }
    // The terms of the factor must outlive the mixture.
    void add(const Factor& factor) { factors_.push_back(factor); }

    // Multiplies everything. Returns false if no number of mines fits.
    bool combine(const Interior& interior);

    // Computes the outer weights of all components, each on its own scale. If the mixture is not
    // plain, the largest weight is 1, and smaller ones are rounded up to 2^-500.
    void spread();
    std::span<const double> outer(int component) const;
    std::span<const Scaled> wide_outer(int component) const;
    bool is_plain() const { return plain_; }

    // Returns the natural logarithm of the number of layouts, for a known number of mines; infinity
    // if the mixture is not plain.
    double log_layouts() const;

    struct Share {
        double risk = 0;
        bool mined = false;  // an interior cell can be a mine
        bool free = false;
    };
    const Share& interior_share() const { return share_; }

    // Draws the mines of each component. Returns how many are used.
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
    int used_low_ = 0;             // the smallest number of mines in all components
    Held<double> weights_;  // of the interior, for each degree of the product
    Share share_;

    // Only if not plain; terms of all components, one after the other:
    double tilt_ = 1;
    Held<std::size_t> begin_;
    Held<std::uint8_t> possible_;
    Held<Scaled> wide_outer_;
    Held<double> outer_;
};

}  // namespace mineproof
