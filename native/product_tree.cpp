#include "product_tree.hpp"

#include <algorithm>

namespace mineproof {

void ProductTree::add(std::span<const double> terms) {
    nodes_.push_back({-1, -1, 0, static_cast<int>(terms.size()), terms_.size()});
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    ++leaves_;
}

void ProductTree::multiply(double negligible) {
    for (int i = 0; i + 1 < static_cast<int>(nodes_.size()); i += 2)
        make_product(i, i + 1, negligible);
}

void ProductTree::make_product(int left, int right, double negligible) {
    const Node a = nodes_[left], b = nodes_[right];
    const std::size_t begin = terms_.size();
    int length = a.length + b.length - 1;
    terms_.resize(begin + length, 0.0);
    for (int i = 0; i < a.length; ++i) {
        const double factor = terms_[a.terms + i];
        const double* other = &terms_[b.terms];
        double* target = &terms_[begin + i];
        for (int k = 0; k < b.length; ++k) target[k] += factor * other[k];
    }
    int first = a.first + b.first;
    if (negligible > 0) {
        double* terms = &terms_[begin];
        const double largest = *std::max_element(terms, terms + length);
        int cut = 0;
        while (terms[cut] <= negligible * largest && cut + 1 < length) ++cut;
        while (terms[length - 1] <= negligible * largest && length > cut + 1) --length;
        for (int i = cut; i < length; ++i) terms[i - cut] = terms[i] / largest;
        first += cut;
        length -= cut;
        terms_.resize(begin + length);
    }
    nodes_.push_back({left, right, first, length, begin});
}

std::span<const double> ProductTree::product() const {
    static constexpr double one = 1;
    if (leaves_ == 0) return {&one, 1};
    return {terms_.data() + nodes_.back().terms, static_cast<std::size_t>(nodes_.back().length)};
}

// Computes the weights of the degrees of a child, summed over the degrees of its sibling.
void ProductTree::carry(const Node& parent, const double* weights, const Node& child,
                        const Node& sibling, double* out) const {
    const double* other = &terms_[sibling.terms];
    for (int i = 0; i < child.length; ++i) {
        const int shift = child.first + sibling.first + i - parent.first;
        const int begin = std::max(0, -shift);
        const int end = std::min(sibling.length, parent.length - shift);
        double sum = 0;
        for (int k = begin; k < end; ++k) sum += other[k] * weights[shift + k];
        out[i] = sum;
    }
}

void ProductTree::spread(std::span<const double> weights) {
    if (leaves_ == 0) return;
    outer_.resize(terms_.size());
    std::copy(weights.begin(), weights.end(), outer_.begin() + nodes_.back().terms);
    for (std::size_t at = nodes_.size(); at-- > static_cast<std::size_t>(leaves_);) {
        const Node &node = nodes_[at], &left = nodes_[node.left], &right = nodes_[node.right];
        const double* here = &outer_[node.terms];
        carry(node, here, left, right, &outer_[left.terms]);
        carry(node, here, right, left, &outer_[right.terms]);
    }
}

void ProductTree::draw(int degree, Stream& stream, Held<int>& degrees) const {
    degrees.assign(nodes_.size(), 0);
    if (leaves_ == 0) return;
    Held<double> weights;
    degrees.back() = degree;
    for (std::size_t at = nodes_.size(); at-- > static_cast<std::size_t>(leaves_);) {
        const Node &node = nodes_[at], &left = nodes_[node.left], &right = nodes_[node.right];
        // The left child has degree `left.first + i`, the right one the remainder.
        const int rest = degrees[at] - left.first - right.first;
        const int begin = std::max(0, rest - right.length + 1);
        const int end = std::min(left.length - 1, rest);
        weights.clear();
        for (int i = begin; i <= end; ++i)
            weights.push_back(terms_[left.terms + i] * terms_[right.terms + rest - i]);
        const int chosen = begin + stream.pick(weights);
        degrees[node.left] = left.first + chosen;
        degrees[node.right] = degrees[at] - degrees[node.left];
    }
    degrees.resize(leaves_);
}

}  // namespace mineproof
