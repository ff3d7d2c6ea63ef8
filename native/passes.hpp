// Sums over the paths of a lattice, in any kind of non-negative numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "held.hpp"
#include "lattice.hpp"

namespace mineproof {

// The weights of the mined and of the free cells of a box, summed over all layouts. Nothing is ever
// subtracted, so a proved box has an exact zero.
template <class Number>
struct BoxSums {
    Number mined{};
    Number free{};
};

// Computes the polynomial of every state: the weights of all paths to it, by mines used.
template <class Number>
void pass_forward(const Lattice& lattice, Held<Number>& values, Budget& budget) {
    values.assign(lattice.numbers, Number{});
    values[0] = Number(1.0);
    for (std::uint32_t from = 0; from < lattice.last_layer(); ++from) {
        const Lattice::State& here = lattice.states[from];
        const Number* source = values.data() + here.offset;
        budget.tick(here.length);
        for (std::uint32_t e = here.edges; e < lattice.states[from + 1].edges; ++e) {
            const Lattice::Edge& edge = lattice.edges[e];
            const Lattice::State& there = lattice.states[edge.to];
            Number* target = values.data() + there.offset + here.low +
                             static_cast<std::int32_t>(edge.mines) - there.low;
            const Number factor(edge.factor);
            for (std::int32_t i = 0; i < here.length; ++i) target[i] += factor * source[i];
        }
    }
}

// Computes the weights of all paths from each state to the end. They start from seeds: the weight
// of everything outside the component, for each number of mines in it. Together with the forward
// pass, this gives the sums of every box in one sweep.
template <class Number>
class BackwardPass {
public:
    // Clears the seeds. Afterwards, add a seed to each state of the last layer that should count.
    void begin(const Lattice& lattice) {
        base_ = lattice.states[lattice.last_layer()].offset;
        here_.assign(lattice.numbers - base_, Number{});
        alive_.assign(lattice.states.size(), 0);
    }
    void seed(const Lattice& lattice, int answer, const Number* outer) {
        const Lattice::State& last = lattice.last(answer);
        alive_[static_cast<std::size_t>(&last - lattice.states.data())] = 1;
        std::copy(outer, outer + last.length, here_.begin() + (last.offset - base_));
    }

    void run(const Lattice& lattice, const Held<std::uint8_t>& sizes,
             const Held<Number>& forward, Held<BoxSums<Number>>& sums, Budget& budget) {
        sums.assign(sizes.size(), {});
        here_.swap(next_);
        next_base_ = base_;
        for (std::size_t layer = lattice.layers.size() - 2; layer-- > 0;) {
            const std::uint32_t begin = lattice.layers[layer], end = lattice.layers[layer + 1];
            base_ = lattice.states[begin].offset;
            here_.assign(lattice.states[end].offset - base_, Number{});
            const int box = lattice.boxes[layer];
            BoxSums<Number> sum;
            for (std::uint32_t state = begin; state < end; ++state) {
                budget.tick(lattice.states[state].length);
                step(lattice, state, sizes[box], forward, sum);
            }
            sums[box] = sum;
            here_.swap(next_);
            next_base_ = base_;
        }
    }

private:
    void step(const Lattice& lattice, std::uint32_t state, int size,
              const Held<Number>& forward, BoxSums<Number>& sum) {
        const Lattice::State& here = lattice.states[state];
        const Number* before = forward.data() + here.offset;
        Number* target = here_.data() + (here.offset - base_);
        bool alive = false;
        for (std::uint32_t e = here.edges; e < lattice.states[state + 1].edges; ++e) {
            const Lattice::Edge& edge = lattice.edges[e];
            if (!alive_[edge.to]) continue;
            alive = true;
            const Lattice::State& there = lattice.states[edge.to];
            const std::int32_t mines = static_cast<std::int32_t>(edge.mines);
            const Number* source =
                next_.data() + (there.offset - next_base_) + here.low + mines - there.low;
            const Number factor(edge.factor);
            Number mass{};
            for (std::int32_t i = 0; i < here.length; ++i) {
                const Number onward = factor * source[i];
                target[i] += onward;
                mass += before[i] * onward;
            }
            sum.mined += mass * Number(double(mines));
            sum.free += mass * Number(double(size - mines));
        }
        alive_[state] = alive;
    }

    Held<Number> here_, next_;
    Held<std::uint8_t> alive_;  // by state: whether a seed can be reached from it
    std::uint32_t base_ = 0, next_base_ = 0;
};

// Finds which boxes can hold a mine and which a free cell, for any number of mines: a backward pass
// that uses only yes and no.
class SupportPass {
public:
    struct Box {
        bool mined = false;
        bool free = false;
    };

    void run(const Lattice& lattice, const Held<std::uint8_t>& sizes,
             Held<Box>& boxes) {
        boxes.assign(sizes.size(), {});
        alive_.assign(lattice.states.size(), 0);
        std::fill(alive_.begin() + lattice.last_layer(), alive_.end(), 1);
        for (std::size_t layer = lattice.layers.size() - 2; layer-- > 0;) {
            Box& box = boxes[lattice.boxes[layer]];
            const std::uint32_t size = sizes[lattice.boxes[layer]];
            for (std::uint32_t state = lattice.layers[layer]; state < lattice.layers[layer + 1];
                 ++state) {
                bool alive = false;
                for (std::uint32_t e = lattice.states[state].edges;
                     e < lattice.states[state + 1].edges; ++e) {
                    const Lattice::Edge& edge = lattice.edges[e];
                    if (!alive_[edge.to]) continue;
                    alive = true;
                    box.mined |= edge.mines > 0;
                    box.free |= edge.mines < size;
                }
                alive_[state] = alive;
            }
        }
    }

private:
    Held<std::uint8_t> alive_;
};

}  // namespace mineproof
