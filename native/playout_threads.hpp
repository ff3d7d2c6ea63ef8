// Playouts on several cores. Only this file uses threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "budget.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "position.hpp"

namespace mineproof {

// Called regularly, by the calling thread only. If it returns false, the playouts stop and return
// what they have. If it throws, they stop and the call rethrows.
using GoesOn = std::function<bool()>;

// How many playouts to run, and with which seed.
struct PlayoutRun {
    std::int64_t playouts = 1;  // total for all candidates
    double seconds = 1e6;       // a time limit, in addition to `playouts`
    std::uint64_t seed = 0;
    int cores = 1;
    GoesOn goes_on;
    std::int64_t nodes = 1'000'000;  // per decision; a playout that needs more counts as lost

    // Throws std::invalid_argument if the values are not valid.
    void check() const;
};

// Plays the same layouts for several first moves. Layout i, and everything drawn later in its
// playouts, depends only on the seed and i. So results do not depend on the number of cores.
class PlayoutThreads {
public:
    // The position must have layouts, exact clues and a known number of mines, and must outlive
    // this object. Everything stops at the deadline.
    PlayoutThreads(const Position& position, const GuessSettings& policy, const PlayoutRun& run,
                   Clock::time_point deadline);
    ~PlayoutThreads();
    PlayoutThreads(const PlayoutThreads&) = delete;
    PlayoutThreads& operator=(const PlayoutThreads&) = delete;

    struct Entry {
        int place;
        double safety;
    };
    // The results on one layout: the chance of winning for each entry.
    struct Row {
        std::int64_t layout;
        Held<double> results;
    };
    // Plays the next `layouts` layouts, or fewer if the deadline passes or it is stopped. All
    // threads have finished when it returns.
    Held<Row> play(const Held<Entry>& entries, std::int64_t layouts);

private:
    class Worker;
    struct Task {
        const Held<Entry>* entries;
        std::int64_t end;
    };

    void work(Worker& worker, const Task& task);
    void idle();
    void check(bool asks);
    void stop_for(std::exception_ptr error);
    Held<Row> collect();

    GoesOn goes_on_;
    Clock::time_point deadline_, next_question_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::int64_t> next_{0};
    Held<std::unique_ptr<Worker>> workers_;  // the first one belongs to the calling thread
    std::atomic<int> busy_{0};  // threads at work, except the calling one
    std::atomic<bool> failed_{false};
    std::exception_ptr error_;  // the first one; read after all threads have finished
};

}  // namespace mineproof
