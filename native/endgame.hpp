// The exact endgame: best play when the remaining layouts can be listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "budget.hpp"
#include "chart.hpp"
#include "held.hpp"
#include "table.hpp"

namespace mineproof {

// Solves a game with a known list of possible layouts.
//
// Each layout has a weight. A policy wins some layouts, and the *value* of a set of layouts is the
// largest total weight that a policy can win. It depends only on the set, because every open cell
// shows the same in all of its layouts. Weights are integers, and their sum fits exactly into a
// double.
//
// The answer does not depend on the order of the layouts, and src/mineproof/search/endgame.py does
// the same step by step. Objects keep their memory, so they can be loaded again and again.
class Endgame {
public:
    static constexpr std::uint8_t mine = LayoutRows::mine;

    struct Move {
        int cell = -1;
        double value = 0;  // weight won with this move and best play after it
        double mined = 0;  // weight of the layouts in which the cell is a mine
    };

    // `rows` has layouts x cells bytes: the value that each cell would show, or `mine`. There must
    // be at least one layout, and no two may be equal; `weights` has a positive number for each.
    void load(int cells, std::span<const std::uint8_t> rows, std::span<const double> weights);

    // Returns the best move; among equal ones, the one with the lowest weight of mines, then the
    // first cell. Considers only cells that give information, unless there is none. Every layout
    // that a node examines is a step of the budget. Throws `WorkLimit` if it runs out.
    Move best(Budget& budget);
    // Returns the value of every cell as the next move (0 for cells that are mines in all layouts).
    Held<Move> all(Budget& budget);

private:
    struct Option {  // a column as the next move
        int column;
        double mined;
    };
    struct Part {  // layouts that show the same
        std::size_t begin;  // start of its set, in the frame
        int count;
        double sum;
        double upper;  // an upper bound on its value
        bool exact;
        std::uint64_t key;
    };
    struct Entry {  // about a set of layouts
        double value;
        bool exact;  // otherwise `value` is an upper bound
    };
    struct Frame {  // the memory of one search depth
        Held<Option> options;
        Held<int> live;
        Held<Part> parts;
        Held<Word> sets, next;
        Held<std::uint32_t> layouts;
        Held<int> cells;
        Chart chart;
    };
    struct Node {
        const Chart& chart;
        const Word* set;
        std::span<const int> live;  // columns that may still give information
        int depth;
    };

    double search(const Node& node, const Part& part, double need);
    double search_smaller(const Node& node, const Part& part, double need);
    double choose(const Node& node, const Part& part, double need, double upper);
    double play(const Node& node, double need, double bound);
    void probe(const Chart& chart, Frame& frame, Part& part);
    double partition(const Chart& chart, const Word* set);
    void find_options(const Node& node);
    void drop_dominated(const Node& node);
    void open(const Node& node, int column);
    void open_free(const Node& node);
    void add_part(const Chart& chart, Frame& frame, std::size_t begin);
    Move guess_layout() const;
    Move value_of(int cell);
    double mined(int cell) const;
    Frame& frame(int depth);
    void charge(int layouts) { budget_->charge(layouts); }

    LayoutRows rows_;
    Chart chart_;
    Held<Word> everything_;
    Held<int> columns_;
    std::deque<Frame> frames_;  // a deque, so that references to frames stay valid
    Table<HashKey, Entry> memo_;  // by hash of the set
    Held<Word> rest_, fit_;
    double total_ = 0;
    Budget* budget_ = nullptr;
};

}  // namespace mineproof
