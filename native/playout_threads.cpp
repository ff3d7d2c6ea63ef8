#include "playout_threads.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#ifndef __wasm__
#include <system_error>
#include <thread>
#endif

#include "playout.hpp"
#include "sample.hpp"

namespace mineproof {
namespace {

constexpr auto question_interval = std::chrono::milliseconds(20);
constexpr double least_worth = 0.01;

struct Stopped {};

#ifdef __wasm__  // has no threads: the calling one does all the work
class Threads {
public:
    template <class Job>
    bool start(Job) {
        return false;
    }
    static void nap() {}
};
#else
// Joins its threads in every case, even after an exception.
class Threads {
public:
    Threads() = default;
    ~Threads() {
        for (std::thread& thread : threads_) thread.join();
    }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    // Returns false if the system provides no further thread.
    template <class Job>
    bool start(Job job) {
        try {
            threads_.emplace_back(std::move(job));
        } catch (const std::system_error&) {
            return false;
        }
        return true;
    }
    static void nap() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

private:
    Held<std::thread> threads_;
};
#endif

}  // namespace

void PlayoutRun::check() const {
    if (playouts < 1 || playouts > 100'000'000)
        throw std::invalid_argument("expected 1 to 100000000 playouts");
    if (!(seconds >= 0)) throw std::invalid_argument("expected at least 0 seconds");
    if (cores < 1 || cores > 256) throw std::invalid_argument("expected 1 to 256 cores");
    if (nodes < 0) throw std::invalid_argument("expected at least 0 nodes");
}

// The data of one thread: the position, and its own games.
class PlayoutThreads::Worker {
public:
    Worker(const Position& position, const GuessSettings& policy, const PlayoutRun& run, Poll poll)
        : position_(position),
          seed_(run.seed),
          playout_(policy, run.nodes, least_worth, std::move(poll)),
          layout_(position.shown.size()) {
        playout_.begin(position.grid, position.prior.low, position.shown.data());
        Budget budget;
        solver_.field.load(position.grid, ClueKind::exact, position.shown.data());
        solver_.begin();
        solver_.update(budget);
        solver_.weigh(position.prior, budget);
    }

    void play(std::int64_t number, const Held<Entry>& entries) {
        const std::uint64_t key = 2 * static_cast<std::uint64_t>(number);
        Stream first(seed_, Purpose::sample, key);
        draw_layout(solver_, first, layout_.data());
        Held<double> results;
        for (const Entry& entry : entries) {
            Stream later(seed_, Purpose::sample, key + 1);
            results.push_back(entry.safety * play_on(entry.place, later));
        }
        rows.push_back({number, std::move(results)});
    }

    Held<Row> rows;

private:
    // Returns the chance of winning if the place is safe.
    double play_on(int place, Stream& stream) {
        const bool fits = layout_[position_.grid.cell(place)] == 0;
        if (!fits) {
            other_ = layout_;
            Stream same = stream;  // the playout draws from the same start
            Stream drawing(same.next(), Purpose::sample, static_cast<std::uint64_t>(place));
            if (!redraw_.make_safe(solver_, place, drawing, other_)) return 0;
        }
        try {
            return playout_.play(fits ? layout_.data() : other_.data(), place, stream);
        } catch (const WorkLimit& limit) {
            if (limit.bound == Bound::memory) throw;  // the solver can no longer be used
            return 0;
        }
    }

    const Position& position_;
    std::uint64_t seed_;
    Solver solver_;
    Playout playout_;
    Redraw redraw_;
    Held<std::uint8_t> layout_, other_;
};

PlayoutThreads::PlayoutThreads(const Position& position, const GuessSettings& policy,
                               const PlayoutRun& run, Clock::time_point deadline)
    : goes_on_(run.goes_on), deadline_(deadline), next_question_(Clock::now()) {
    for (int number = 0; number < run.cores; ++number)
        workers_.push_back(std::make_unique<Worker>(position, policy, run,
                                                    [this, number] { check(number == 0); }));
}

PlayoutThreads::~PlayoutThreads() = default;

Held<PlayoutThreads::Row> PlayoutThreads::play(const Held<Entry>& entries, std::int64_t layouts) {
    const Task task{&entries, next_ + layouts};
    {
        Threads threads;
        for (std::size_t i = 1; i < workers_.size(); ++i) {
            ++busy_;
            const bool started = threads.start([this, i, &task] {
                work(*workers_[i], task);
                --busy_;
            });
            if (started) continue;
            --busy_;
            break;  // fewer threads do the same work
        }
        work(*workers_.front(), task);
        while (busy_ > 0) idle();
    }
    if (error_) std::rethrow_exception(error_);
    next_ = std::min<std::int64_t>(next_, task.end);
    return collect();
}

// Processes layouts until none is left. Never throws.
void PlayoutThreads::work(Worker& worker, const Task& task) {
    const HeldScope bound(Limits().memory / static_cast<std::int64_t>(workers_.size()));
    try {
        while (!stopped_ && Clock::now() < deadline_) {
            const std::int64_t number = next_++;
            if (number >= task.end) return;
            worker.play(number, *task.entries);
        }
    } catch (const Stopped&) {
    } catch (...) {
        stop_for(std::current_exception());
    }
}

// The calling thread has no work left. It keeps polling until the others are done.
void PlayoutThreads::idle() {
    try {
        check(true);
    } catch (const Stopped&) {
    } catch (...) {
        stop_for(std::current_exception());
    }
    Threads::nap();
}

// Called before every guess of a playout.
void PlayoutThreads::check(bool asks) {
    if (stopped_) throw Stopped{};
    const auto now = Clock::now();
    if (now >= deadline_) {
        stopped_ = true;
        throw Stopped{};
    }
    if (!asks || !goes_on_ || now < next_question_) return;
    next_question_ = now + question_interval;
    if (goes_on_()) return;
    stopped_ = true;
    throw Stopped{};
}

void PlayoutThreads::stop_for(std::exception_ptr error) {
    if (!failed_.exchange(true)) error_ = std::move(error);
    stopped_ = true;
}

// Returns all rows of a round, in the order of their layouts.
Held<PlayoutThreads::Row> PlayoutThreads::collect() {
    Held<Row> all;
    for (const auto& worker : workers_) {
        std::move(worker->rows.begin(), worker->rows.end(), std::back_inserter(all));
        worker->rows.clear();
    }
    std::sort(all.begin(), all.end(), [](const Row& a, const Row& b) { return a.layout < b.layout; });
    return all;
}

}  // namespace mineproof
