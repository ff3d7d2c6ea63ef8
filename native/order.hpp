// The order in which a component's boxes are counted. It decides the cost of hard positions.
#pragma once

#include <cstdint>

#include "budget.hpp"
#include "held.hpp"
#include "problem.hpp"

namespace mineproof {

// Searches for an order in which few clues are half done at any time.
//
// An order is built greedily from a box at the edge of the component. Its cost is estimated from
// the numbers of mines that the half-done clues can have seen. Easy components get one trial. The
// more the best order so far would cost, the more starting boxes are tried.
class OrderSearch {
public:
    // Fills `order` with all boxes.
    void search(const Problem& problem, Held<int>& order, Budget& budget);

private:
    struct Progress {  // of a clue
        int boxes_left;
        int cells_left;
        int cells_seen;
        int begun;  // number of boxes taken before its first; -1 if it is not started
    };

    void index_clues(const Problem& problem);
    int farthest(const Problem& problem, int start);
    void attempt(const Problem& problem, int start, Held<int>& order, Budget& budget);
    int next_box(const Problem& problem) const;
    std::int64_t rank(const Problem& problem, int box) const;
    void take(const Problem& problem, int box);

    Held<int> clue_begin_, clue_boxes_;  // the boxes of each clue
    Held<Progress> progress_;
    Held<int> active_;  // half-done clues
    Held<int> taken_;
    Held<int> trial_;
    Held<int> queue_;
    double width_ = 1;  // number of states that the half-done clues may need
    double best_ = 0;
};

}  // namespace mineproof
