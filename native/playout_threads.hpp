// Playouts on several cores: the one place that knows of threads.
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

// Asked now and then, by the calling thread alone. False: stop, and answer with what there is.
// What it throws stops the playouts too, and comes out of the call.
using GoesOn = std::function<bool()>;

// How many playouts, and which.
struct PlayoutRun {
    std::int64_t playouts = 1;  // of all candidates together
    double seconds = 1e6;       // whichever ends first
    std::uint64_t seed = 0;
    int cores = 1;
    GoesOn goes_on;
    std::int64_t nodes = 1'000'000;  // for one decision; a playout that needs more is lost

    // Throws std::invalid_argument where they cannot be meant.
    void check() const;
};

// Plays the same layouts for several first moves. Layout number i, and all that is drawn later
// in its playouts, follow from the seed and i; so results do not depend on the number of cores.
class PlayoutThreads {
public:
    // The position has layouts, exact clues and a known number of mines; it must outlive the
    // threads. Everything ends at the deadline.
    PlayoutThreads(const Position& position, const GuessSettings& policy, const PlayoutRun& run,
                   Clock::time_point deadline);
    ~PlayoutThreads();
    PlayoutThreads(const PlayoutThreads&) = delete;
    PlayoutThreads& operator=(const PlayoutThreads&) = delete;

    struct Entry {
        int place;
        double safety;
    };
    // Results on one layout: for each entry the chance to win.
    struct Row {
        std::int64_t layout;
        Held<double> results;
    };
    // Plays the next `layouts` layouts, fewer if the time comes or it is told to stop. All
    // threads have ended when it returns.
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
    Held<std::unique_ptr<Worker>> workers_;  // the first one is the calling thread's
    std::atomic<int> busy_{0};  // threads that are at work, besides the calling one
    std::atomic<bool> failed_{false};
    std::exception_ptr error_;  // the first one; read when all threads have ended
};

}  // namespace mineproof
