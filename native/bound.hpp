// What can end the work on a question before its answer.
#pragma once

#include <cstdint>
#include <exception>

namespace mineproof {

enum class Bound : std::uint8_t {
    states,
    time,
    memory,
    width,      // clues that are half done at a time
    precision,  // layouts so rare that no number holds their share
};

constexpr const char* name(Bound bound) {
    constexpr const char* names[] = {"states", "time", "memory", "width", "precision"};
    return names[static_cast<int>(bound)];
}

struct WorkLimit : std::exception {
    explicit WorkLimit(Bound reached) : bound(reached) {}
    const char* what() const noexcept override { return name(bound); }

    Bound bound;
};

}  // namespace mineproof
