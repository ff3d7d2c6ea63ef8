#include "order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace mineproof {
namespace {

// Estimated states above which another trial costs less than it may save.
constexpr double worth_second_start = 200;
constexpr double worth_more_starts = 20'000;
constexpr int more_starts = 12;

constexpr double inverse[] = {1, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9};

}  // namespace

void OrderSearch::search(const Problem& problem, Held<int>& order, Budget& budget) {
    const int boxes = problem.box_count();
    order.resize(boxes);
    std::iota(order.begin(), order.end(), 0);
    if (boxes <= 2) return;
    index_clues(problem);
    best_ = std::numeric_limits<double>::infinity();
    // Boxes are collected outwards from a clue, so the last one is among the farthest.
    attempt(problem, boxes - 1, order, budget);
    if (best_ < worth_second_start) return;
    attempt(problem, farthest(problem, boxes - 1), order, budget);
    if (best_ < worth_more_starts) return;
    for (int i = 1; i <= more_starts; ++i)
        attempt(problem, static_cast<int>(std::int64_t{boxes} * i / (more_starts + 1)), order,
                budget);
}

void OrderSearch::index_clues(const Problem& problem) {
    clue_begin_.assign(1, 0);
    for (const Clue& clue : problem.clues) clue_begin_.push_back(clue_begin_.back() + clue.boxes);
    clue_boxes_.resize(problem.box_clues.size());
    queue_.assign(clue_begin_.begin(), clue_begin_.end());
    for (int box = 0; box < problem.box_count(); ++box)
        for (int clue : problem.clues_of(box)) clue_boxes_[queue_[clue]++] = box;
}

// Returns a box as far from `start` as possible, in steps from box to clue to box.
int OrderSearch::farthest(const Problem& problem, int start) {
    taken_.assign(problem.box_count(), 0);
    queue_.assign(1, start);
    taken_[start] = 1;
    for (std::size_t next = 0; next < queue_.size(); ++next)
        for (int clue : problem.clues_of(queue_[next]))
            for (int at = clue_begin_[clue]; at < clue_begin_[clue + 1]; ++at)
                if (!taken_[clue_boxes_[at]]) {
                    taken_[clue_boxes_[at]] = 1;
                    queue_.push_back(clue_boxes_[at]);
                }
    return queue_.back();
}

void OrderSearch::attempt(const Problem& problem, int start, Held<int>& order,
                          Budget& budget) {
    progress_.clear();
    for (const Clue& clue : problem.clues) progress_.push_back({clue.boxes, clue.cells, 0, -1});
    active_.clear();
    taken_.assign(problem.box_count(), 0);
    trial_.clear();
    width_ = 1;
    double cost = 0;
    for (int box = start; box >= 0; box = next_box(problem)) {
        take(problem, box);
        budget.tick(static_cast<std::int64_t>(active_.size()));
        cost += width_;
        if (cost >= best_) return;
    }
    best_ = cost;
    order.swap(trial_);
}

void OrderSearch::take(const Problem& problem, int box) {
    taken_[box] = 1;
    for (int clue : problem.clues_of(box)) {
        Progress& now = progress_[clue];
        const Clue& rule = problem.clues[clue];
        // Returns how many numbers of mines the clue can have seen, without impossible ones.
        const auto numbers = [&] {
            const int most = std::min(rule.high, now.cells_seen);
            return std::max(1, most - std::max(0, rule.low - now.cells_left) + 1);
        };
        const int before = numbers();
        if (now.begun < 0) {
            now.begun = static_cast<int>(trial_.size());
            active_.push_back(clue);
        }
        now.cells_seen += problem.sizes[box];
        now.cells_left -= problem.sizes[box];
        width_ *= (now.boxes_left == 1 ? 1 : numbers()) * inverse[before];
        if (--now.boxes_left == 0) std::erase(active_, clue);
    }
    trial_.push_back(box);
}

// Chooses a box of the half-done clue that is nearest to its end. If there are several, prefers
// fewer half-done clues, then the clue that was started first.
int OrderSearch::next_box(const Problem& problem) const {
    int fewest = 9;
    for (int clue : active_) fewest = std::min(fewest, progress_[clue].boxes_left);
    int best = -1;
    std::int64_t lowest = -1;  // the rank of the best; -1 as long as there is no other box
    for (int clue : active_) {
        if (progress_[clue].boxes_left != fewest) continue;
        for (int at = clue_begin_[clue]; at < clue_begin_[clue + 1]; ++at) {
            const int box = clue_boxes_[at];
            if (taken_[box] || box == best) continue;
            if (best < 0) {
                best = box;
                continue;
            }
            if (lowest < 0) lowest = rank(problem, best);
            const std::int64_t place = rank(problem, box);
            if (place >= lowest) continue;
            lowest = place;
            best = box;
        }
    }
    return best;
}

std::int64_t OrderSearch::rank(const Problem& problem, int box) const {
    std::int64_t growth = 8;  // clues started minus clues finished, starting at 0
    std::int64_t oldest = 1 << 30;
    for (int clue : problem.clues_of(box)) {
        const Progress& now = progress_[clue];
        growth += (now.begun < 0) - (now.boxes_left == 1);
        if (now.begun >= 0) oldest = std::min<std::int64_t>(oldest, now.begun);
    }
    return (growth << 32) + oldest;
}

}  // namespace mineproof
