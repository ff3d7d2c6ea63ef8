// Playouts on several cores.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "field.hpp"
#include "grid.hpp"
#include "guesser.hpp"

namespace mineproof {

// A position with exact clues and a known number of mines: one code a cell.
struct Position {
    Grid grid;
    int mines = 0;
    std::vector<std::uint8_t> shown;

    // Shows the mines that an updated solver of it has proved.
    void show_mines(const Field& field) {
        for (int cell = 0; cell < grid.cells(); ++cell)
            if (field.known[grid.place(cell)] == Known::mine) shown[cell] = exploded;
    }
};

// Asked now and then, by the calling thread alone. False: stop, and answer with what there is.
// What it throws stops the playouts too, and comes out of the call.
using GoesOn = std::function<bool()>;

// How playouts go.
struct PlayoutSettings {
    GuessSettings policy;
    std::int64_t nodes = 1'000'000;  // for one decision; a playout that needs more is lost
    std::uint64_t seed = 0;
    int cores = 1;
};

// Plays the same layouts for several first moves. Layout number i, and all that is drawn later
// in its playouts, follow from the seed and i; so results do not depend on the number of cores.
class Crew {
public:
    using Clock = std::chrono::steady_clock;

    // The position has layouts. Everything ends at the deadline.
    Crew(const Position& position, const PlayoutSettings& settings, Clock::time_point deadline,
         const GoesOn& goes_on);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    struct Entry {
        int place;
        double safety;
    };
    // Results on one layout: for each entry the chance to win.
    struct Row {
        std::int64_t layout;
        std::vector<double> results;
    };
    // Plays the next `layouts` layouts, fewer if the time comes or it is told to stop. All
    // threads have ended when it returns.
    std::vector<Row> play(const std::vector<Entry>& entries, std::int64_t layouts,
                          Clock::time_point until);
    bool is_stopped() const { return stopped_; }

private:
    class Worker;
    struct Task {
        const std::vector<Entry>* entries;
        std::int64_t end;
        Clock::time_point until;
    };

    void work(Worker& worker, const Task& task);
    void idle();
    void check(bool asks);
    void stop_for(std::exception_ptr error);
    std::vector<Row> collect();

    GoesOn goes_on_;
    Clock::time_point deadline_, next_question_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::int64_t> next_{0};
    std::vector<std::unique_ptr<Worker>> workers_;  // the first one is the calling thread's
    std::atomic<int> busy_{0};  // threads that are at work, besides the calling one
    std::mutex mutex_;          // of the error
    std::exception_ptr error_;  // the first one
};

}  // namespace mineproof
