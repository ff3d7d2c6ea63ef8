// A cache of decisions at the start of games, where the same positions come up again and again.
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
    double log_layouts = 0;  // of all layouts that fit the position
};

class Decisions {
public:
    void clear() { known_.clear(); }

    // Switches to the position with these cells open, in addition to those that are open in all
    // positions. Returns the stored decision, or nullptr.
    const Decision* find(const Field& field, const Held<int>& opened) {
        key_.clear();
        if (opened.size() > most_cells) return nullptr;
        for (int place : opened) key_.push_back(place * values + field.code[place]);
        std::sort(key_.begin(), key_.end());
        const auto found = known_.find(key_);
        return found == known_.end() ? nullptr : &found->second;
    }

    // Stores the decision for that position, unless it has too many open cells to come up again.
    void keep(const Decision& decision) {
        if (!key_.empty() && known_.size() < most_known) known_.emplace(key_, decision);
    }

private:
    static constexpr int values = 16;  // more than the number of codes for open cells
    static constexpr std::size_t most_cells = 40;  // with more cells, positions hardly repeat
    static constexpr std::size_t most_known = 20'000;  // about 0.2 kB each

    using Key = Held<int>;
    std::map<Key, Decision, std::less<>, HeldAllocator<std::pair<const Key, Decision>>> known_;
    Key key_;
};

}  // namespace mineproof
