// Numbers of layouts as exact integers of any size.
#pragma once

#include <cstdint>

#include "component.hpp"
#include "held.hpp"

namespace mineproof {

// The polynomial of a component in which every layout counts once, regardless of its weight. Each
// term takes `limbs` words, the least significant first.
struct ExactTerms {
    int low = 0;
    int count = 0;
    int limbs = 1;
    Held<std::uint64_t> words;
};

ExactTerms exact_terms(const Component& component, Budget& budget);

}  // namespace mineproof
