// The results of a search for sets of layouts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "held.hpp"

namespace mineproof {

// A hash table from the hash of a set to its value, or an upper bound on it. It is cleared in
// constant time.
class Memo {
public:
    struct Entry {
        double value;
        bool exact;  // otherwise an upper bound
    };

    void clear() {
        used_ = 0;
        if (++stamp_ != 0) return;
        slots_.assign(slots_.size(), {});
        stamp_ = 1;
    }

    // Returns nullptr if nothing is known.
    const Entry* find(std::uint64_t key) const {
        const Slot& slot = slots_[place(key)];
        return slot.stamp == stamp_ ? &slot.entry : nullptr;
    }

    void keep(std::uint64_t key, double value, bool exact) {
        Slot* slot = &slots_[place(key)];
        if (slot->stamp != stamp_ && 2 * ++used_ > slots_.size()) {
            grow();
            slot = &slots_[place(key)];
        }
        *slot = {key, {value, exact}, stamp_};
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        Entry entry{0, false};
        std::uint32_t stamp = 0;  // the slot is valid only if it has the current stamp
    };

    // Returns the index of the key, or of the free slot for it.
    std::size_t place(std::uint64_t key) const {
        std::size_t at = key & (slots_.size() - 1);
        while (slots_[at].stamp == stamp_ && slots_[at].key != key)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        Held<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.stamp == stamp_) slots_[place(slot.key)] = slot;
    }

    Held<Slot> slots_ = Held<Slot>(256);
    std::size_t used_ = 0;
    std::uint32_t stamp_ = 1;
};

}  // namespace mineproof
