// The states that counting one component goes through, and the edges between them.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "held.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace mineproof {

// Boxes are processed one by one. A state is the number of mines that each half-done clue has seen;
// equal states are merged. An edge places a number of mines in a box. Every path from the first
// state to a last one is a set of layouts, whose size is the product of the factors of the edges.
//
// The lattice contains no counts. The passes in passes.hpp sum over its paths, in any kind of
// numbers. A state has a polynomial: one number for each possible number of mines in the boxes so
// far, `low` to `low + length - 1`.
struct Lattice {
    struct Edge {
        std::uint32_t to;
        std::uint32_t mines;
        double factor;  // ways to place the mines in the box, times weights of finished clues
    };
    struct State {
        std::uint32_t edges;   // its first edge; they end where those of the next state begin
        std::uint32_t offset;  // where its polynomial begins
        std::int32_t low;
        std::int32_t length;
    };

    Held<State> states;  // layer after layer, plus an end marker
    Held<Edge> edges;
    Held<std::uint32_t> layers;  // where each layer begins; then the end
    Held<int> boxes;             // the box processed after each layer except the last
    std::uint32_t numbers = 0;          // length of all polynomials together
    Held<int> answers;  // by state of the last layer: the answer to an asked clue; else one 0

    std::uint32_t last_layer() const { return layers[layers.size() - 2]; }
    // A state of the last layer: a single one, or one for each answer to an asked clue.
    const State& last(int answer) const { return states[last_layer() + answer]; }
};

// Builds lattices. It keeps its memory from one to the next.
class LatticeBuilder {
public:
    // Returns false, with an unusable lattice, if the clues contradict each other.
    bool build(const Problem& problem, const Held<int>& order, Budget& budget,
               Lattice& lattice);

private:
    struct Reference {  // a clue that the box of a step touches
        int word;
        int shift;
        int low;      // number of mines that it must have seen after the step
        int high;
        int weights;  // -1: there is nothing to weigh now
        bool done;    // this is its last box, so the number seen can be dropped
    };
    template <int Words>
    struct Step {
        std::uint32_t begin, end;  // its references
        int size;
        bool weighed;     // a finished clue has weights
        Key<Words> unit;  // added to the key for each mine
        Key<Words> keep;  // the slots of unfinished clues
    };
    template <int Words>
    struct Memory {
        Held<Step<Words>> steps;
        Held<Key<Words>> keys, next;
        Table<Key<Words>, std::uint32_t> table;
    };

    int plan(const Problem& problem, const Held<int>& order);
    template <int Words>
    bool run(Memory<Words>& memory, const Problem& problem, const Held<int>& order,
             Budget& budget, Lattice& lattice);
    template <int Words>
    void make_steps(Memory<Words>& memory, const Problem& problem, const Held<int>& order);
    template <int Words>
    void expand(Memory<Words>& memory, const Problem& problem, const Step<Words>& step,
                std::uint32_t from, const Key<Words>& key, Lattice& lattice);
    template <int Words>
    double weigh(const Problem& problem, const Step<Words>& step, const Key<Words>& key,
                 int mines) const;

    Held<Reference> references_;
    Held<int> slots_;       // by clue
    Held<int> free_slots_;
    Held<int> boxes_left_, cells_left_;
    int asked_slot_ = -1;
    Memory<1> narrow_;
    Memory<2> normal_;
    Memory<4> wide_;
    Memory<16> huge_;
};

}  // namespace mineproof
