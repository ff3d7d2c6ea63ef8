// The limits that can stop the work on a question.
#pragma once

#include <cstdint>
#include <exception>

namespace mineproof {

enum class Bound : std::uint8_t {
    states,
    time,
    memory,
    width,      // number of half-done clues at a time
    precision,  // layouts too rare for the precision of the numbers
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
