#include "lattice.hpp"

#include <algorithm>

namespace mineproof {
namespace {

constexpr std::uint64_t max_numbers = Limits::max_memory / sizeof(double);  // fits 32 bits

}  // namespace

bool LatticeBuilder::build(const Problem& problem, const Held<int>& order, Budget& budget,
                           Lattice& lattice) {
    const int slots = plan(problem, order);
    if (slots <= 16) return run(narrow_, problem, order, budget, lattice);
    if (slots <= 32) return run(normal_, problem, order, budget, lattice);
    if (slots <= 64) return run(wide_, problem, order, budget, lattice);
    if (slots <= 256) return run(huge_, problem, order, budget, lattice);
    throw WorkLimit(Bound::width);  // no budget would be enough for more
}

// Gives each clue a slot of the key from its first box to its last, and returns the number of
// slots. Slots are reused as soon as they are free.
int LatticeBuilder::plan(const Problem& problem, const Held<int>& order) {
    slots_.assign(problem.clues.size(), -1);
    boxes_left_.clear();
    cells_left_.clear();
    for (const Clue& clue : problem.clues) {
        boxes_left_.push_back(clue.boxes);
        cells_left_.push_back(clue.cells);
    }
    free_slots_.clear();
    references_.clear();
    asked_slot_ = -1;
    int slots = 0;
    for (int box : order) {
        for (int clue : problem.clues_of(box)) {
            if (slots_[clue] < 0 && free_slots_.empty()) free_slots_.push_back(slots++);
            if (slots_[clue] < 0) {
                slots_[clue] = free_slots_.back();
                free_slots_.pop_back();
            }
            cells_left_[clue] -= problem.sizes[box];
            const Clue& rule = problem.clues[clue];
            const bool done = --boxes_left_[clue] == 0 && !rule.asked;
            if (rule.asked) asked_slot_ = slots_[clue];
            references_.push_back({slots_[clue] / 16, slots_[clue] % 16 * 4,
                                   rule.low - cells_left_[clue], rule.high,
                                   done ? rule.weights : -1, done});
        }
        for (int clue : problem.clues_of(box))
            if (boxes_left_[clue] == 0 && !problem.clues[clue].asked)
                free_slots_.push_back(slots_[clue]);
    }
    return slots;
}

template <int Words>
void LatticeBuilder::make_steps(Memory<Words>& memory, const Problem& problem,
                                const Held<int>& order) {
    memory.steps.clear();
    std::uint32_t at = 0;
    for (int box : order) {
        Step<Words> step{};
        step.size = problem.sizes[box];
        step.begin = at;
        step.end = at += static_cast<std::uint32_t>(problem.clues_of(box).size());
        step.keep.word.fill(~std::uint64_t{0});
        for (std::uint32_t i = step.begin; i < step.end; ++i) {
            const Reference& clue = references_[i];
            step.unit.word[clue.word] |= std::uint64_t{1} << clue.shift;
            if (clue.done) step.keep.word[clue.word] &= ~(std::uint64_t{15} << clue.shift);
            step.weighed |= clue.weights >= 0;
        }
        memory.steps.push_back(step);
    }
}

template <int Words>
double LatticeBuilder::weigh(const Problem& problem, const Step<Words>& step,
                             const Key<Words>& key, int mines) const {
    double weight = 1;
    for (std::uint32_t i = step.begin; i < step.end; ++i) {
        const Reference& clue = references_[i];
        if (clue.weights < 0) continue;
        const int seen = key.seen(clue.word, clue.shift);
        weight *= problem.weights[clue.weights + seen + mines];
    }
    return weight;
}

template <int Words>
void LatticeBuilder::expand(Memory<Words>& memory, const Problem& problem,
                            const Step<Words>& step, std::uint32_t from, const Key<Words>& key,
                            Lattice& lattice) {
    int fewest = 0, most = step.size;
    for (std::uint32_t i = step.begin; i < step.end; ++i) {
        const Reference& clue = references_[i];
        const int seen = key.seen(clue.word, clue.shift);
        fewest = std::max(fewest, clue.low - seen);
        most = std::min(most, clue.high - seen);
    }
    const Lattice::State here = lattice.states[from];
    for (int mines = fewest; mines <= most; ++mines) {
        double factor = choose[step.size][mines];
        if (step.weighed && (factor *= weigh(problem, step, key, mines)) == 0) continue;
        Key<Words> next;
        for (int w = 0; w < Words; ++w)
            next.word[w] = (key.word[w] + step.unit.word[w] * static_cast<std::uint64_t>(mines)) &
                           step.keep.word[w];
        const auto fresh = static_cast<std::uint32_t>(lattice.states.size());
        const std::uint32_t to = memory.table.keep(next, fresh);
        const int low = here.low + mines, end = low + here.length;
        if (to == fresh) {
            lattice.states.push_back({0, 0, low, here.length});
            memory.next.push_back(next);
        } else {
            Lattice::State& there = lattice.states[to];
            const int there_end = std::max(there.low + there.length, end);
            there.low = std::min(there.low, low);
            there.length = there_end - there.low;
        }
        lattice.edges.push_back({to, static_cast<std::uint32_t>(mines), factor});
    }
}

template <int Words>
bool LatticeBuilder::run(Memory<Words>& memory, const Problem& problem,
                         const Held<int>& order, Budget& budget, Lattice& lattice) {
    make_steps(memory, problem, order);
    lattice.states.assign(1, {0, 0, 0, 1});
    lattice.edges.clear();
    lattice.layers.assign(1, 0);
    lattice.boxes.assign(order.begin(), order.end());
    std::uint64_t numbers = 1;
    memory.keys.assign(1, {});
    for (const Step<Words>& step : memory.steps) {
        const std::uint32_t begin = lattice.layers.back();
        const auto end = static_cast<std::uint32_t>(lattice.states.size());
        memory.next.clear();
        memory.table.clear();
        for (std::uint32_t from = begin; from < end; ++from) {
            const std::size_t before = memory.next.size();
            lattice.states[from].edges = static_cast<std::uint32_t>(lattice.edges.size());
            expand(memory, problem, step, from, memory.keys[from - begin], lattice);
            budget.charge(static_cast<std::int64_t>(memory.next.size() - before));
        }
        memory.keys.swap(memory.next);
        lattice.layers.push_back(end);
        for (std::size_t state = end; state < lattice.states.size(); ++state) {
            lattice.states[state].offset = static_cast<std::uint32_t>(numbers);
            numbers += static_cast<std::uint64_t>(lattice.states[state].length);
        }
        if (numbers > max_numbers) throw WorkLimit(Bound::memory);
        if (memory.keys.empty()) return false;
    }
    // The last layer has one state without half-done clues, or one for each answer.
    lattice.answers.assign(memory.keys.size(), 0);
    if (asked_slot_ >= 0)
        for (std::size_t i = 0; i < memory.keys.size(); ++i)
            lattice.answers[i] = memory.keys[i].seen(asked_slot_ / 16, asked_slot_ % 16 * 4);
    lattice.numbers = static_cast<std::uint32_t>(numbers);
    const auto edges = static_cast<std::uint32_t>(lattice.edges.size());
    for (std::size_t state = lattice.layers.back(); state < lattice.states.size(); ++state)
        lattice.states[state].edges = edges;
    lattice.layers.push_back(static_cast<std::uint32_t>(lattice.states.size()));
    lattice.states.push_back({edges, lattice.numbers, 0, 0});  // ends the lists
    return true;
}

}  // namespace mineproof
