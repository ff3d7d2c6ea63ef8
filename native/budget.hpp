// Bounds on work: a count of nodes, and a call now and then that may stop everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>

namespace mineproof {

struct WorkLimit : std::exception {
    const char* what() const noexcept override { return "the work limit is reached"; }
};

using Poll = std::function<void()>;

// Counts nodes (states of the counting, after merging). Every `interval` nodes `poll` is
// called: it may throw, which is how a deadline or Ctrl-C ends a long computation.
class Budget {
public:
    static constexpr std::int64_t interval = 1 << 16;
    static constexpr std::int64_t no_limit = INT64_MAX / 4;

    Budget() = default;
    // `poll` must outlive the budget.
    Budget(std::int64_t limit, const Poll& poll)
        : limit_(std::min(limit, no_limit)),
          next_(std::min(limit_ + 1, interval)),
          poll_(poll ? &poll : nullptr) {}

    void charge(std::int64_t nodes) {
        used_ += nodes;
        if (used_ >= next_) look();
    }
    // Work that is not counted in nodes, so that it can be stopped all the same.
    void tick(std::int64_t work) {
        idle_ += work;
        if (idle_ < 16 * interval) return;
        idle_ = 0;
        if (poll_ != nullptr) (*poll_)();
    }
    std::int64_t used() const { return used_; }

private:
    void look() {
        if (used_ > limit_) throw WorkLimit{};
        if (poll_ != nullptr) (*poll_)();
        next_ = std::min(limit_ + 1, used_ + interval);
    }

    std::int64_t limit_ = no_limit;
    std::int64_t used_ = 0;
    std::int64_t idle_ = 0;
    std::int64_t next_ = interval;
    const Poll* poll_ = nullptr;
};

}  // namespace mineproof
