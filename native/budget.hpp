// Limits on work: nodes and time, and a regular call that can stop everything. The memory limit is
// enforced by the vectors (held.hpp).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>

#include "held.hpp"

namespace mineproof {

using Poll = std::function<void()>;
using Clock = std::chrono::steady_clock;

// Returns the time point `seconds` after a start. At most about three years are added.
inline Clock::time_point after(Clock::time_point start, double seconds) {
    const std::chrono::duration<double> bounded(std::min(seconds, 1e8));
    return start + std::chrono::duration_cast<Clock::duration>(bounded);
}

// Limits on the work for one question.
struct Limits {
    static constexpr std::int64_t none = INT64_MAX / 4;
    static constexpr std::int64_t max_memory = std::int64_t{1} << 34;  // 32-bit indices are enough

    std::int64_t nodes = 1'000'000;  // states counted, or steps of a search
    double seconds = 1e8;
    std::int64_t memory = std::int64_t{1} << 30;

    // Checks values from a caller. Throws std::invalid_argument if they are not valid.
    static Limits checked(std::int64_t nodes, std::optional<double> seconds = {},
                          std::optional<std::int64_t> memory = {}) {
        Limits limits;
        limits.nodes = nodes;
        limits.seconds = seconds.value_or(limits.seconds);
        limits.memory = memory.value_or(limits.memory);
        limits.check();
        return limits;
    }

private:
    void check() const {
        if (nodes < 0) throw std::invalid_argument("expected at least 0 nodes");
        if (!(seconds >= 0))
            throw std::invalid_argument("expected at least 0 seconds");
        if (memory < 0 || memory > max_memory)
            throw std::invalid_argument("expected 0 to 17179869184 bytes");
    }
};

// Counts the work done, and throws `WorkLimit` if it exceeds the limits. Every `interval` nodes, it
// checks the clock and calls `poll`, which may throw: this is how Ctrl-C stops a long computation.
class Budget {
public:
    static constexpr std::int64_t interval = 1 << 16;

    Budget() = default;
    // `poll` must outlive the budget.
    Budget(std::int64_t nodes, const Poll& poll)
        : limit_(std::min(nodes, Limits::none)),
          next_(std::min(limit_ + 1, interval)),
          poll_(poll ? &poll : nullptr) {}
    Budget(const Limits& limits, const Poll& poll) : Budget(limits.nodes, poll) {
        has_deadline_ = limits.seconds < 1e8;
        if (has_deadline_) deadline_ = after(Clock::now(), limits.seconds);
    }

    void charge(std::int64_t nodes) {
        used_ += nodes;
        if (used_ >= next_) look();
    }
    // Counts work that is not measured in nodes, so that it can be interrupted too.
    void tick(std::int64_t work) {
        idle_ += work;
        if (idle_ < 16 * interval) return;
        idle_ = 0;
        pause();
    }
    std::int64_t used() const { return used_; }

private:
    void look() {
        if (used_ > limit_) throw WorkLimit(Bound::states);
        pause();
        next_ = std::min(limit_ + 1, used_ + interval);
    }
    void pause() const {
        if (has_deadline_ && Clock::now() > deadline_) throw WorkLimit(Bound::time);
        if (poll_ != nullptr) (*poll_)();
    }

    std::int64_t limit_ = Limits::none, used_ = 0;
    std::int64_t idle_ = 0;
    std::int64_t next_ = interval;
    bool has_deadline_ = false;
    Clock::time_point deadline_{};
    const Poll* poll_ = nullptr;
};

}  // namespace mineproof
