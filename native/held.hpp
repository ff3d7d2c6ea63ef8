// Counts the memory of all vectors of the core towards the limit of the current question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace mineproof {

// The limits that can stop the work on a question.
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

// The bytes held by the vectors of this thread, and their limit.
struct HeldBytes {
    std::int64_t now = 0;
    std::int64_t most = INT64_MAX / 2;  // `now` may be negative: freed here, allocated elsewhere
};
inline constinit thread_local HeldBytes held_bytes{};

// While this object exists, its thread may hold `bytes` more than when it was created. By default
// there is no limit, for work that must not fail.
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

// A growing vector holds its old and its new memory for a moment. Both are counted, because that is
// the peak that the system sees.
template <class T>
struct HeldAllocator {
    using value_type = T;

    HeldAllocator() = default;
    template <class U>
    HeldAllocator(const HeldAllocator<U>&) {}  // NOLINT: required by the library

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
