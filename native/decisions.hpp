// Decisions that were made where games begin: a few positions come again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "field.hpp"
#include "guesser.hpp"
#include "held.hpp"

namespace mineproof {

struct Decision {
    Guess guess;
    double log_layouts = 0;  // of all that is possible at the position
};

class Decisions {
public:
    void clear() { known_.clear(); }

    // Turns to the position with these cells open, beyond those that are open in all of them.
    // What is known of it, or nullptr.
    const Decision* find(const Field& field, const Held<int>& opened) {
        key_.clear();
        if (opened.size() > most_cells) return nullptr;
        for (int place : opened) key_.push_back(place * values + field.code[place]);
        std::sort(key_.begin(), key_.end());
        const auto found = known_.find(key_);
        return found == known_.end() ? nullptr : &found->second;
    }

    // Remembers the decision at that position, if such positions come again.
    void keep(const Decision& decision) {
        if (!key_.empty() && known_.size() < most_known) known_.emplace(key_, decision);
    }

private:
    static constexpr int values = 16;  // more than there are codes of open cells
    static constexpr std::size_t most_cells = 40;  // with more of them, positions hardly repeat
    static constexpr std::size_t most_known = 20'000;  // at 0.2 kB

    using Key = Held<int>;
    std::map<Key, Decision, std::less<>, HeldAllocator<std::pair<const Key, Decision>>> known_;
    Key key_;
};

}  // namespace mineproof
