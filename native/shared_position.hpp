// A solved position that several callers can share.
#pragma once

#include <atomic>
#include <utility>

#include "budget.hpp"
#include "solved_position.hpp"

namespace mineproof {

// It can be used from several threads, and from callbacks that run while it works (a signal
// handler, or the function that decides whether to continue). While it is busy, a second object
// solves the position again.
class SharedPosition {
public:
    SharedPosition(Position position, Budget& budget) : solved_(std::move(position), budget) {}

    const SolvedPosition& operator*() const { return solved_; }
    const SolvedPosition* operator->() const { return &solved_; }

    // Asks a question (position, budget) within limits. Throws std::invalid_argument if the position
    // is not solved.
    template <class Question>
    auto ask(const Limits& limits, const Poll& poll, Question question) {
        const HeldScope bound(limits.memory);
        Budget budget(limits, poll);
        solved_.check_solved();
        if (is_busy_.exchange(true)) {
            Budget again;
            SolvedPosition other(solved_.position(), again);
            return question(other, budget);
        }
        const Busy busy{is_busy_};
        try {
            return question(solved_, budget);
        } catch (const WorkLimit& limit) {
            if (limit.bound == Bound::memory) solved_.forget();
            throw;
        }
    }

private:
    struct Busy {
        std::atomic<bool>& flag;
        ~Busy() { flag = false; }
    };
    SolvedPosition solved_;
    std::atomic<bool> is_busy_{false};
};

}  // namespace mineproof
