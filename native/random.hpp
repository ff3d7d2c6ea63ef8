// The random generator of Mineproof: the twin of src/mineproof/core/random.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "held.hpp"

namespace mineproof {

enum class Purpose : std::uint64_t { deal = 1, given = 2, clue = 3, agent = 4, sample = 5 };

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

class Stream {
public:
    Stream(std::uint64_t seed, Purpose purpose, std::uint64_t key = 0) {
        std::uint64_t state = mix(seed + golden);
        state = mix(state + static_cast<std::uint64_t>(purpose) * golden);
        state_ = mix(state + (key + 1) * golden);
    }

    std::uint64_t next() { return mix(state_ += golden); }

    // Returns an exactly uniform number in 0 .. bound - 1, by rejection.
    std::uint64_t below(std::uint64_t bound) {
        for (;;) {
            const std::uint64_t value = next();
            if (value < 0 - bound) return value % bound;  // usually true, which saves a division
            const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound
            if (excess == 0 || value < 0 - excess) return value % bound;
        }
    }

    double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    // A partial Fisher-Yates shuffle: the first `count` items of the pool are the draw.
    template <class T>
    void choose(Held<T>& pool, std::size_t count) {
        for (std::size_t place = 0; place < count; ++place)
            std::swap(pool[place], pool[place + below(pool.size() - place)]);
    }

    // Draws an index by weight; never one of weight 0.
    template <class Weights>
    int pick(const Weights& weights) {
        double left = 0;
        for (double weight : weights) left += weight;
        left *= fraction();
        int chosen = 0, at = 0;
        for (double weight : weights) {
            if (weight > 0) {
                chosen = at;
                if ((left -= weight) < 0) break;
            }
            ++at;
        }
        return chosen;
    }

private:
    std::uint64_t state_;
};

}  // namespace mineproof
