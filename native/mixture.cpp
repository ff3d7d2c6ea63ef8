#include "mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support_tree.hpp"

namespace mineproof {
namespace {

constexpr double negligible = 1e-80;
constexpr double least_outer = 0x1p-500;
// Stands for "possible, but too rare to matter" whatever it is multiplied with.
const Scaled speck = [] {
    Scaled value(0x1p-500);
    for (int i = 0; i < 30; ++i) value *= value;
    return value;
}();

}  // namespace

bool Mixture::combine(const Interior& interior) {
    interior_ = interior;
    if (interior_.is_independent()) return combine_independent();
    used_low_ = 0;
    double bits = 0;
    int span = 0;
    for (const Factor& factor : factors_) {
        used_low_ += factor.low;
        span += factor.length() - 1;
        bits += factor.bits;
    }
    double spread = 0;
    plain_ = interior_.weigh(used_low_, span + 1, weights_, spread) && bits + spread < max_bits;
    if (!plain_) return combine_tilted(span);
    tree_.clear();
    std::vector<double> terms;
    for (const Factor& factor : factors_) {
        if (!factor.terms.empty()) {
            tree_.add(factor.terms);
            continue;
        }
        terms.clear();
        for (const Scaled& term : factor.wide_terms) terms.push_back(term.value());
        tree_.add(terms);
    }
    tree_.multiply(0);
    return share_out();
}

// The risk in the interior; false if nothing is possible.
bool Mixture::share_out() {
    share_ = {};
    double all = 0, mined = 0;
    const auto product = tree_.product();
    const int low = used_low_ + tree_.first();
    for (std::size_t i = 0; i < product.size(); ++i) {
        const double weight = product[i] * weights_[i];
        if (weight == 0) continue;
        const int used = low + static_cast<int>(i);
        const auto support = interior_.support(used);
        share_.mined |= support.mined;
        share_.free |= support.free;
        all += weight;
        mined += weight * interior_.share(used);
    }
    if (all > 0) share_.risk = mined / all;
    return all > 0;
}

void Mixture::spread() {
    if (plain_) {
        tree_.spread(weights_);
        return;
    }
    if (!interior_.is_independent()) {
        tree_.spread(weights_);
        for (int i = 0; i < static_cast<int>(factors_.size()); ++i)
            untilt(i, tree_.outer(i), &wide_outer_[begin_[i]]);
    }
    round_outer();
}

std::span<const double> Mixture::outer(int component) const {
    if (plain_) return tree_.outer(component);
    return {outer_.data() + begin_[component], outer_.data() + begin_[component + 1]};
}

std::span<const Scaled> Mixture::wide_outer(int component) const {
    return {wide_outer_.data() + begin_[component], wide_outer_.data() + begin_[component + 1]};
}

int Mixture::draw(Stream& stream, std::vector<int>& mines) const {
    if (interior_.is_independent()) {
        draw_independent(stream, mines);
    } else {
        const auto product = tree_.product();
        std::vector<double> weights(product.begin(), product.end());
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= weights_[i];
        tree_.draw(tree_.first() + stream.pick(weights), stream, mines);
        for (std::size_t i = 0; i < mines.size(); ++i) mines[i] += factors_[i].low;
    }
    return std::accumulate(mines.begin(), mines.end(), 0);
}

void Mixture::draw_independent(Stream& stream, std::vector<int>& mines) const {
    mines.clear();
    std::vector<double> weights;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
        Scaled all;
        for (int k = 0; k < factors_[i].length(); ++k)
            all += factors_[i].term(k) * wide_outer_[begin_[i] + k];
        weights.clear();
        for (int k = 0; k < factors_[i].length(); ++k)
            weights.push_back((factors_[i].term(k) * wide_outer_[begin_[i] + k] / all).value());
        mines.push_back(factors_[i].low + stream.pick(weights));
    }
}

bool Mixture::combine_independent() {
    plain_ = false;
    const double p = interior_.density();
    begin_.assign(1, 0);
    wide_outer_.clear();
    for (const Factor& factor : factors_) {
        const Scaled odds(p < 1 ? p / (1 - p) : 1.0);
        Scaled weight(1.0);
        bool fits = false;
        for (int i = 0; i < factor.length(); ++i) {
            const int mines = factor.low + i;
            const bool allowed = (p > 0 || mines == 0) && (p < 1 || mines == factor.cells);
            wide_outer_.push_back(allowed ? weight : Scaled());
            fits |= allowed && !factor.term(i).is_zero();
            if (p > 0) weight *= odds;
        }
        if (!fits) return false;
        begin_.push_back(wide_outer_.size());
    }
    const auto support = interior_.support(0);
    share_ = {p, support.mined && interior_.cells() > 0, support.free && interior_.cells() > 0};
    return true;
}

bool Mixture::combine_tilted(int span) {
    begin_.assign(1, 0);
    for (const Factor& factor : factors_) begin_.push_back(begin_.back() + factor.length());
    wide_outer_.assign(begin_.back(), Scaled());
    if (!find_possible(span)) return false;
    std::vector<Scaled> weights;
    interior_.weigh(used_low_, span + 1, weights);
    tilt_ = find_tilt(weights);
    tree_.clear();
    std::vector<double> terms;
    std::vector<Scaled> tilted;
    for (const Factor& factor : factors_) {
        tilted.clear();
        Scaled power(1.0), all;
        for (int i = 0; i < factor.length(); ++i) {
            tilted.push_back(factor.term(i) * power);
            all += tilted.back();
            power *= Scaled(tilt_);
        }
        terms.clear();
        for (const Scaled& term : tilted) terms.push_back((term / all).value());
        tree_.add(terms);
    }
    tree_.multiply(negligible);
    // The interior's weights, tilted the other way.
    const std::size_t first = static_cast<std::size_t>(tree_.first());
    const std::size_t length = tree_.product().size();
    Scaled power(1.0), all;
    for (std::size_t i = 0; i < length; ++i) {
        all += weights[first + i] *= power;
        power = power / Scaled(tilt_);
    }
    weights_.assign(length, 0.0);
    for (std::size_t i = 0; i < length; ++i) weights_[i] = (weights[first + i] / all).value();
    const Share flags = share_;
    share_out();
    share_.mined = flags.mined;
    share_.free = flags.free;
    return true;
}

// What each component can hold, and the interior, if the total has to come out right.
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

// The weight of n used mines grows like t^-n around the mean that the tilt t gives; the best
// tilt lets the interior's weight grow as fast. Both sides are monotonous: bisection.
double Mixture::find_tilt(const std::vector<Scaled>& weights) const {
    std::vector<double> logs;
    for (const Factor& factor : factors_)
        for (int i = 0; i < factor.length(); ++i) {
            const Scaled term = factor.term(i);
            logs.push_back(term.is_zero() ? -INFINITY : term.log2());
        }
    const auto at = [&](int used) { return weights[used].is_zero(); };
    double low = -64, high = 64;
    for (int round = 0; round < 24; ++round) {
        const double middle = (low + high) / 2;
        const int last = static_cast<int>(weights.size()) - 1;
        int used = std::clamp(static_cast<int>(mean_used(middle, logs)), 0, std::max(0, last - 1));
        double slope;
        if (last == 0) break;
        if (at(used) && at(used + 1)) {  // outside what is possible: go where it is not
            int first_possible = 0;
            while (first_possible < last && at(first_possible)) ++first_possible;
            slope = used < first_possible ? INFINITY : -INFINITY;
        } else if (at(used)) {
            slope = INFINITY;
        } else if (at(used + 1)) {
            slope = -INFINITY;
        } else {
            slope = weights[used + 1].log2() - weights[used].log2();
        }
        (middle < slope ? low : high) = middle;
    }
    return std::exp2((low + high) / 2);
}

double Mixture::mean_used(double tilt, const std::vector<double>& logs) const {
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

// Takes the tilt out of outer weights, and puts in what was cut off though possible.
void Mixture::untilt(int component, std::span<const double> outer, Scaled* out) const {
    Scaled power(1.0);
    for (std::size_t i = 0; i < outer.size(); ++i) {
        out[i] = Scaled(outer[i]) * power;
        if (!possible_[begin_[component] + i]) out[i] = Scaled();
        else if (out[i].is_zero()) out[i] = speck;
        power *= Scaled(tilt_);
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
