// Possible sums, when each of many parts has a set of possible numbers.
#pragma once

#include <cstdint>

#include "held.hpp"

namespace mineproof {

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

}  // namespace mineproof
