// A hash table that is cleared in constant time.
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

// A key that is already a hash, for example of a set of layouts.
struct HashKey {
    std::uint64_t value = 0;

    bool operator==(const HashKey&) const = default;
    std::uint64_t hash() const { return value; }
};

// Open addressing. A slot is valid only if it has the current stamp.
template <class Key, class Value>
class Table {
public:
    void clear() {
        used_ = 0;
        if (++stamp_ != 0) return;
        slots_.assign(slots_.size(), {});
        stamp_ = 1;
    }

    // Returns the value stored for a key, or nullptr. It is valid until the next call of `keep`.
    const Value* find(const Key& key) const {
        const Slot& slot = slots_[place(key)];
        return slot.stamp == stamp_ ? &slot.value : nullptr;
    }

    // Returns the value stored for a key. A new key gets `fresh`.
    Value& keep(const Key& key, const Value& fresh) {
        std::size_t at = place(key);
        if (slots_[at].stamp != stamp_) {
            if (2 * ++used_ > slots_.size()) {
                grow();
                at = place(key);
            }
            slots_[at] = {key, fresh, stamp_};
        }
        return slots_[at].value;
    }

private:
    struct Slot {
        Key key{};
        Value value{};
        std::uint32_t stamp = 0;
    };

    // Returns the index of the key, or of the free slot for it.
    std::size_t place(const Key& key) const {
        std::size_t at = key.hash() & (slots_.size() - 1);
        while (slots_[at].stamp == stamp_ && !(slots_[at].key == key))
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        Held<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.stamp == stamp_) slots_[place(slot.key)] = slot;
    }

    Held<Slot> slots_ = Held<Slot>(64);
    std::size_t used_ = 0;
    std::uint32_t stamp_ = 1;
};

}  // namespace mineproof
