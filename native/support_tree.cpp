#include "support_tree.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {

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

}  // namespace mineproof
