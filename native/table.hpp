// A hash table from keys to small numbers that is cleared in constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "held.hpp"
#include "random.hpp"

namespace mineproof {

// Four bits per half-done clue: the mines it has seen (at most eight).
template <int Words>
struct Key {
    std::array<std::uint64_t, Words> word{};

    bool operator==(const Key&) const = default;
    int seen(int at, int shift) const { return static_cast<int>(word[at] >> shift & 15); }
    std::uint64_t hash() const {
        std::uint64_t value = 0;
        for (std::uint64_t part : word) {
            value = (value ^ part) * golden;
            value ^= value >> 29;
        }
        return value;
    }
};

// Open addressing. A slot is valid only if it has the current stamp.
template <int Words>
class Table {
public:
    void clear() {
        used_ = 0;
        if (++stamp_ == 0) {
            for (Slot& slot : slots_) slot.stamp = 0;
            stamp_ = 1;
        }
    }

    // Returns the number stored for the key. A new key gets `fresh`.
    std::uint32_t find(const Key<Words>& key, std::uint32_t fresh) {
        for (std::size_t at = key.hash() & mask_;; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.stamp != stamp_) {
                if (2 * ++used_ > slots_.size()) {
                    grow();
                    return place(key, fresh);
                }
                slot = {key, fresh, stamp_};
                return fresh;
            }
            if (slot.key == key) return slot.value;
        }
    }

private:
    struct Slot {
        Key<Words> key;
        std::uint32_t value = 0;
        std::uint32_t stamp = 0;
    };

    std::uint32_t place(const Key<Words>& key, std::uint32_t value) {
        std::size_t at = key.hash() & mask_;
        while (slots_[at].stamp == stamp_) at = (at + 1) & mask_;
        slots_[at] = {key, value, stamp_};
        return value;
    }

    void grow() {
        Held<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.stamp == stamp_) place(slot.key, slot.value);
    }

    Held<Slot> slots_ = Held<Slot>(64);
    std::size_t mask_ = 63;
    std::size_t used_ = 0;
    std::uint32_t stamp_ = 1;
};

}  // namespace mineproof
