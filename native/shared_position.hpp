// A solved position as the borders hand it out.
#pragma once

#include <atomic>
#include <utility>

#include "budget.hpp"
#include "solved_position.hpp"

namespace mineproof {

// It may be asked from several threads, and from what is called while it works (the handler of
// a signal, a question whether to go on): while it is asked, another one solves the position
// once more.
class SharedPosition {
public:
    SharedPosition(Position position, Budget& budget) : solved_(std::move(position), budget) {}

    const SolvedPosition& operator*() const { return solved_; }
    const SolvedPosition* operator->() const { return &solved_; }

    // Asks a question (position, budget). Throws std::invalid_argument if it is not solved.
    template <class Question>
    auto ask(Budget& budget, Question question) {
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
