#include "mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mineproof {
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
    double spread = 0;  // of the interior's weights, in bits
    plain_ = interior_.weigh(used_low_, span + 1, weights_, spread) && bits + spread < max_bits;
    if (!plain_) return combine_tilted(span);
    tree_.clear();
    for (const Factor& factor : factors_) tree_.add(factor.terms);
    tree_.multiply(0);
    return share_out();
}

// Computes the risk in the interior. Returns false if no layout is possible.
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
    if (!interior_.is_independent()) tree_.spread(weights_);
    if (plain_) return;
    if (!interior_.is_independent()) untilt();
    round_outer();
}

double Mixture::log_layouts() const {
    if (!plain_ || !interior_.is_known()) return std::numeric_limits<double>::infinity();
    const auto product = tree_.product();
    double sum = 0;
    for (std::size_t i = 0; i < product.size(); ++i) sum += product[i] * weights_[i];
    // The weights have an unknown common factor. One of them determines it.
    std::size_t first = 0;
    while (weights_[first] == 0) ++first;
    const int used = used_low_ + tree_.first() + static_cast<int>(first);
    return std::log(sum / weights_[first]) + interior_.log_ways(used);
}

std::span<const double> Mixture::outer(int component) const {
    if (plain_) return tree_.outer(component);
    return {outer_.data() + begin_[component], outer_.data() + begin_[component + 1]};
}

std::span<const Scaled> Mixture::wide_outer(int component) const {
    return {wide_outer_.data() + begin_[component], wide_outer_.data() + begin_[component + 1]};
}

int Mixture::draw(Stream& stream, Held<int>& mines) const {
    if (interior_.is_independent()) {
        draw_independent(stream, mines);
    } else {
        const auto product = tree_.product();
        Held<double> weights(product.begin(), product.end());
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= weights_[i];
        tree_.draw(tree_.first() + stream.pick(weights), stream, mines);
        for (std::size_t i = 0; i < mines.size(); ++i) mines[i] += factors_[i].low;
    }
    return std::accumulate(mines.begin(), mines.end(), 0);
}

void Mixture::draw_independent(Stream& stream, Held<int>& mines) const {
    mines.clear();
    Held<double> weights;
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

}  // namespace mineproof
