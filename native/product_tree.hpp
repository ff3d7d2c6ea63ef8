// Products of many polynomials, and for each of them the weight of all the others.
#pragma once

#include <cstddef>
#include <span>

#include "held.hpp"
#include "random.hpp"

namespace mineproof {

// A binary tree. Leaves are polynomials with non-negative terms from degree 0 on, and every node is
// the product of its two children. Weights for the degrees of the whole product are carried down:
// each degree of a leaf gets its weight with all other leaves multiplied in.
class ProductTree {
public:
    void clear() {
        nodes_.clear();
        terms_.clear();
        leaves_ = 0;
    }
    void add(std::span<const double> terms);
    // Multiplies all leaves. Terms at the ends of a product that are below `negligible` times its
    // largest term are dropped, and products are divided by that term; 0 keeps everything
    // unchanged.
    void multiply(double negligible);

    // The product of all leaves: its first kept degree, and the terms from there on.
    int first() const { return leaves_ == 0 ? 0 : nodes_.back().first; }
    std::span<const double> product() const;

    // Carries weights for the degrees of `product()` down to all leaves.
    void spread(std::span<const double> weights);
    std::span<const double> outer(int leaf) const {
        return {outer_.data() + nodes_[leaf].terms, static_cast<std::size_t>(nodes_[leaf].length)};
    }

    // Draws the degree of each leaf at random by weight, given the degree of the product.
    void draw(int degree, Stream& stream, Held<int>& degrees) const;

private:
    struct Node {
        int left, right;
        int first;   // the degree of its first term
        int length;
        std::size_t terms;  // where its terms begin, and its outer weights
    };

    void make_product(int left, int right, double negligible);
    void carry(const Node& parent, const double* weights, const Node& child,
               const Node& sibling, double* out) const;

    Held<Node> nodes_;  // leaves, then products; the whole product last
    Held<double> terms_, outer_;
    int leaves_ = 0;
};

}  // namespace mineproof
