// Mixtures whose weights exceed the range of doubles, and those that need no product at all.
#include <algorithm>
#include <cmath>

#include "budget.hpp"
#include "mixture.hpp"
#include "support_tree.hpp"

namespace mineproof {
namespace {

constexpr double least_outer = 0x1p-500;

// Terms of products below this share of the largest make no difference to any risk. Under a range
// of totals, the weights may be three times as far apart as the products.
constexpr double negligible_if_known = 1e-80;
constexpr double negligible_otherwise = 1e-250;

// Means "possible, but too rare to matter", whatever it is multiplied by.
const Scaled speck = [] {
    Scaled value(0x1p-500);
    for (int i = 0; i < 30; ++i) value *= value;
    return value;
}();

}  // namespace

// Under a density prior, each component is weighed separately: p^m (1 - p)^(cells - m).
bool Mixture::combine_independent() {
    plain_ = false;
    begin_.assign(1, 0);
    wide_outer_.clear();
    const double p = interior_.density();
    const Scaled odds(p / (1 - p));
    for (const Factor& factor : factors_) {
        Scaled weight(1.0);
        for (int i = 0; i < factor.length(); ++i) {
            wide_outer_.push_back(weight);
            weight *= odds;
        }
        begin_.push_back(wide_outer_.size());
    }
    share_ = {p, interior_.cells() > 0, interior_.cells() > 0};
    return true;
}

bool Mixture::combine_tilted(int span) {
    begin_.assign(1, 0);
    for (const Factor& factor : factors_) begin_.push_back(begin_.back() + factor.length());
    wide_outer_.assign(begin_.back(), Scaled());
    if (!find_possible(span)) return false;
    const Share possible = share_;
    Held<Scaled> weights;
    interior_.weigh(used_low_, span + 1, weights);
    tilt_ = find_tilt(weights);
    plant_tilted();
    weigh_tilted(weights);
    if (!share_out()) throw WorkLimit(Bound::precision);
    share_.mined = possible.mined;
    share_.free = possible.free;
    return true;
}

// Builds the tree of all products, with each term k multiplied by tilt^k.
void Mixture::plant_tilted() {
    tree_.clear();
    Held<double> terms;
    Held<Scaled> tilted;
    for (const Factor& factor : factors_) {
        tilted.clear();
        terms.clear();
        Scaled power(1.0), all;
        for (int i = 0; i < factor.length(); ++i) {
            tilted.push_back(factor.term(i) * power);
            all += tilted.back();
            power *= Scaled(tilt_);
        }
        for (const Scaled& term : tilted) terms.push_back((term / all).value());
        tree_.add(terms);
    }
    tree_.multiply(interior_.is_known() ? negligible_if_known : negligible_otherwise);
}

// Computes the interior's weights for the degrees that were kept, tilted the other way.
void Mixture::weigh_tilted(Held<Scaled>& weights) {
    const auto first = static_cast<std::size_t>(tree_.first());
    weights_.assign(tree_.product().size(), 0.0);
    Scaled power(1.0), all;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        all += weights[first + i] *= power;
        power = power / Scaled(tilt_);
    }
    if (all.is_zero()) return;
    for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] = (weights[first + i] / all).value();
}

// Finds the numbers of mines that each component and the interior can hold, given the total.
bool Mixture::find_possible(int span) {
    SupportTree tree;
    for (const Factor& factor : factors_) {
        BitSet numbers(factor.length());
        for (int i = 0; i < factor.length(); ++i)
            if (!factor.term(i).is_zero()) numbers.insert(i);
        tree.add(std::move(numbers));
    }
    if (factors_.empty()) {
        BitSet nothing(1);
        nothing.insert(0);
        tree.add(std::move(nothing));
    }
    tree.combine();
    BitSet allowed(span + 1);
    share_ = {};
    bool any = false;
    for (int i = 0; i <= span; ++i) {
        const auto support = interior_.support(used_low_ + i);
        if (!support.possible || !tree.sums().contains(i)) continue;
        any = true;
        allowed.insert(i);
        share_.mined |= support.mined;
        share_.free |= support.free;
    }
    tree.restrict(std::move(allowed));
    possible_.clear();
    for (int i = 0; i < static_cast<int>(factors_.size()); ++i)
        for (int k = 0; k < factors_[i].length(); ++k)
            possible_.push_back(tree.allowed(i).contains(k));
    return any;
}

// Around the mean number of used mines for a tilt, the products grow like tilt^-n. With the best
// tilt, the interior's weight grows as fast as they fall. Bisection works because one side grows
// with the tilt, and the other does not, or not as fast.
double Mixture::find_tilt(const Held<Scaled>& weights) const {
    Held<double> logs;
    for (const Factor& factor : factors_)
        for (int i = 0; i < factor.length(); ++i) logs.push_back(factor.term(i).log2());
    const auto is_possible = [](const Scaled& weight) { return !weight.is_zero(); };
    const auto first = std::find_if(weights.begin(), weights.end(), is_possible);
    const auto last = std::find_if(weights.rbegin(), weights.rend(), is_possible).base() - 1;
    double low = -64, high = 64;
    for (int round = 0; round < 24 && first < last; ++round) {
        const double middle = (low + high) / 2;
        const auto used = weights.begin() + static_cast<std::ptrdiff_t>(mean_used(middle, logs));
        const double slope = used < first   ? INFINITY
                             : used >= last ? -INFINITY
                                            : (used + 1)->log2() - used->log2();
        (middle < slope ? low : high) = middle;
    }
    return std::exp2((low + high) / 2);
}

double Mixture::mean_used(double tilt, const Held<double>& logs) const {
    double mean = 0;
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
        const double* terms = &logs[begin_[i]];
        const int length = static_cast<int>(begin_[i + 1] - begin_[i]);
        double largest = -INFINITY;
        for (int k = 0; k < length; ++k) largest = std::max(largest, terms[k] + k * tilt);
        double sum = 0, all = 0;
        for (int k = 0; k < length; ++k) {
            const double weight = std::exp2(terms[k] + k * tilt - largest);
            sum += k * weight;
            all += weight;
        }
        mean += sum / all;
    }
    return mean;
}

// Removes the tilt from the outer weights, and restores possible terms that were cut off.
void Mixture::untilt() {
    for (int component = 0; component < static_cast<int>(factors_.size()); ++component) {
        Scaled power(1.0);
        std::size_t at = begin_[component];
        for (double outer : tree_.outer(component)) {
            const Scaled weight = outer == 0 ? speck : Scaled(outer) * power;
            wide_outer_[at] = possible_[at] ? weight : Scaled();
            power *= Scaled(tilt_);
            ++at;
        }
    }
}

void Mixture::round_outer() {
    outer_.resize(wide_outer_.size());
    for (std::size_t component = 0; component + 1 < begin_.size(); ++component) {
        Scaled all;
        for (std::size_t i = begin_[component]; i < begin_[component + 1]; ++i)
            all += wide_outer_[i];
        for (std::size_t i = begin_[component]; i < begin_[component + 1]; ++i)
            outer_[i] = wide_outer_[i].is_zero()
                            ? 0.0
                            : std::max(least_outer, (wide_outer_[i] / all).value());
    }
}

}  // namespace mineproof
