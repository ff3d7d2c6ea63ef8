// The exact endgame: best play when the layouts that are left can be listed.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace mineproof {

// Solves a game of which every possible layout is known.
//
// A layout is a row of bytes, one a cell: what the cell would show, or `mine`. Each layout
// has a weight; a policy wins some layouts, and the value of a set of layouts is the largest
// total weight that a policy can win. The value depends on nothing but the set:
// whatever is open already shows the same in all of its layouts.
class Endgame {
public:
    static constexpr std::uint8_t mine = 9;

    struct Move {
        int cell = -1;     // -1: no cell tells anything, the heaviest layout is played
        double value = 0;  // weight won with this move and best play after it
    };

    // `rows` holds layouts x cells bytes; `weights` one positive number a layout.
    Endgame(int cells, const std::vector<std::uint8_t>& rows, std::vector<double> weights);

    // The best move, or nothing if the search needs more than `work` steps.
    // A step is one layout looked at in one node.
    bool best(std::int64_t work, Move& move);

    // The value of every cell as the next move (0 for cells mined in all layouts).
    bool all(std::int64_t work, std::vector<Move>& moves);

    double total() const { return total_; }
    std::int64_t steps() const { return steps_; }

private:
    using Ids = std::vector<std::uint32_t>;
    struct OutOfWork {};
    struct Entry {
        double value;
        bool exact;  // else an upper bound
    };
    struct Column {
        int cell;
        int values;        // distinct values shown
        double mined;      // weight in which it is a mine
    };

    double search(const std::uint32_t* ids, int count, const int* cells, int cell_count,
                  double need);
    double play(const std::uint32_t* ids, int count, int cell, const int* live, int live_count,
                double need, double bound);
    double partition_bound(const std::uint32_t* ids, int count, double enough) const;
    bool alike(std::uint32_t a, std::uint32_t b) const;
    void columns(const std::uint32_t* ids, int count, const int* cells, int cell_count,
                 std::vector<Column>& out) const;
    std::uint64_t key(const std::uint32_t* ids, int count) const;
    void charge(int count);

    int cells_;
    int stride_;
    std::vector<std::uint8_t> rows_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> hashes_;
    std::unordered_map<std::uint64_t, Entry> memo_;
    double total_ = 0;
    std::int64_t steps_ = 0;
    std::int64_t limit_ = 0;
};

}  // namespace mineproof
