// Mixtures whose weights exceed the range of doubles, and those that need no product at all.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "budget.hpp"
#include "mixture.hpp"

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

// A set of small numbers, one bit each.
class BitSet {
public:
    explicit BitSet(int size = 0) : size_(size), words_((size + 63) / 64 + 1, 0) {}

    int size() const { return size_; }
    void insert(int number) { words_[number >> 6] |= std::uint64_t{1} << (number & 63); }
    bool contains(int number) const {
        return number >= 0 && number < size_ && (words_[number >> 6] >> (number & 63) & 1);
    }
    // Returns all sums of one number from each set.
    static BitSet sums(const BitSet& a, const BitSet& b);
    // Returns the numbers below `size` that reach a number in `whole` by adding one in `part`.
    static BitSet rests(const BitSet& whole, const BitSet& part, int size);

private:
    void include_shifted(const BitSet& other, int shift);

    int size_;
    Held<std::uint64_t> words_;
};

// A binary tree like `ProductTree`, which only tracks which sums are possible.
class SupportTree {
public:
    void add(BitSet numbers) { nodes_.push_back({-1, -1, std::move(numbers), BitSet()}); }
    void combine();
    const BitSet& sums() const { return nodes_.back().numbers; }
    // Restricts each leaf to the numbers that are part of an allowed sum.
    void restrict(BitSet allowed);
    const BitSet& allowed(int leaf) const { return nodes_[leaf].allowed; }

private:
    struct Node {
        int left, right;
        BitSet numbers;
        BitSet allowed;
    };
    Held<Node> nodes_;
};

// Adds every number of the other set, shifted by `shift` (down if negative).
void BitSet::include_shifted(const BitSet& other, int shift) {
    const int whole = shift >= 0 ? shift / 64 : -((63 - shift) / 64);
    const int part = shift - whole * 64;  // 0 .. 63
    const int count = static_cast<int>(words_.size());
    const int limit = static_cast<int>(other.words_.size());
    for (int i = std::max(0, whole); i < std::min(count, limit + whole + 1); ++i) {
        const int at = i - whole;
        std::uint64_t bits = at < limit ? other.words_[at] << part : 0;
        if (part != 0 && at > 0) bits |= other.words_[at - 1] >> (64 - part);
        words_[i] |= bits;
    }
    // No bit beyond the end may stay set.
    const int last = size_ >> 6;
    words_[last] &= (std::uint64_t{1} << (size_ & 63)) - 1;
    std::fill(words_.begin() + last + 1, words_.end(), 0);
}

BitSet BitSet::sums(const BitSet& a, const BitSet& b) {
    const BitSet &few = a.size() < b.size() ? a : b, &many = a.size() < b.size() ? b : a;
    BitSet result(a.size() + b.size() - 1);
    for (int number = 0; number < few.size(); ++number)
        if (few.contains(number)) result.include_shifted(many, number);
    return result;
}

BitSet BitSet::rests(const BitSet& whole, const BitSet& part, int size) {
    BitSet result(size);
    if (size < part.size()) {  // if there are few numbers, test each of them
        for (int number = 0; number < size; ++number)
            for (int other = 0; other < part.size(); ++other)
                if (part.contains(other) && whole.contains(number + other)) {
                    result.insert(number);
                    break;
                }
        return result;
    }
    for (int number = 0; number < part.size(); ++number)
        if (part.contains(number)) result.include_shifted(whole, -number);
    return result;
}

void SupportTree::combine() {
    for (int i = 0; i + 1 < static_cast<int>(nodes_.size()); i += 2) {
        BitSet sums = BitSet::sums(nodes_[i].numbers, nodes_[i + 1].numbers);
        nodes_.push_back({i, i + 1, std::move(sums), BitSet()});
    }
}

void SupportTree::restrict(BitSet allowed) {
    nodes_.back().allowed = std::move(allowed);
    for (std::size_t at = nodes_.size(); at-- > 0;) {
        if (nodes_[at].left < 0) continue;
        Node &left = nodes_[nodes_[at].left], &right = nodes_[nodes_[at].right];
        left.allowed = BitSet::rests(nodes_[at].allowed, right.numbers, left.numbers.size());
        right.allowed = BitSet::rests(nodes_[at].allowed, left.numbers, right.numbers.size());
    }
}

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
