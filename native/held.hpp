// Memory that counts towards the bound of the question at hand: that of all vectors of the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bound.hpp"

namespace mineproof {

// What the vectors of this thread hold, in bytes, and how much that may be.
struct HeldBytes {
    std::int64_t now = 0;
    std::int64_t most = INT64_MAX / 2;  // less what was freed here, but held elsewhere
};
inline constinit thread_local HeldBytes held_bytes{};

// While it lives, this thread may hold so much more than it does now; any amount by default, for
// what must not fail.
class HeldScope {
public:
    explicit HeldScope(std::int64_t bytes = INT64_MAX / 4) : before_(held_bytes.most) {
        held_bytes.most = held_bytes.now + bytes;
    }
    ~HeldScope() { held_bytes.most = before_; }
    HeldScope(const HeldScope&) = delete;
    HeldScope& operator=(const HeldScope&) = delete;

private:
    std::int64_t before_;
};

// A vector that grows holds its old and its new memory for a moment. That is counted so: it is
// what the system sees at the worst.
template <class T>
struct HeldAllocator {
    using value_type = T;

    HeldAllocator() = default;
    template <class U>
    HeldAllocator(const HeldAllocator<U>&) {}  // NOLINT: as the library wants it

    T* allocate(std::size_t count) {
        const auto bytes = static_cast<std::int64_t>(count * sizeof(T));
        if (bytes > held_bytes.most - held_bytes.now) throw WorkLimit(Bound::memory);
        T* place = std::allocator<T>().allocate(count);
        held_bytes.now += bytes;
        return place;
    }
    void deallocate(T* place, std::size_t count) {
        held_bytes.now -= static_cast<std::int64_t>(count * sizeof(T));
        std::allocator<T>().deallocate(place, count);
    }
    template <class U>
    bool operator==(const HeldAllocator<U>&) const {
        return true;
    }
};

template <class T>
using Held = std::vector<T, HeldAllocator<T>>;

}  // namespace mineproof
