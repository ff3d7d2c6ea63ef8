// The order in which a component's boxes are counted. It decides the cost of hard positions.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "problem.hpp"

namespace mineproof {

// Searches an order in which few clues are half done at any time.
//
// An order is built greedily from a box at the edge of the component. Its cost is estimated
// by the numbers of mines that the half-done clues can have seen. Easy components get one
// trial; the more the best order so far would cost, the more starts are tried.
class OrderSearch {
public:
    // Fills `order` with all boxes.
    void search(const Problem& problem, std::vector<int>& order, Budget& budget);

private:
    struct Progress {  // of a clue
        int boxes_left;
        int cells_left;
        int cells_seen;
        int begun;  // how many boxes had been taken before its first, -1 if none of its own
    };

    void index_clues(const Problem& problem);
    int farthest(const Problem& problem, int start);
    void attempt(const Problem& problem, int start, std::vector<int>& order, Budget& budget);
    int next_box(const Problem& problem) const;
    std::int64_t rank(const Problem& problem, int box) const;
    void take(const Problem& problem, int box);

    std::vector<int> clue_begin_, clue_boxes_;  // the boxes of each clue
    std::vector<int> cells_of_;                 // by clue
    std::vector<Progress> progress_;
    std::vector<int> active_;  // clues that are half done
    std::vector<char> taken_;
    std::vector<int> trial_;
    std::vector<int> queue_;
    double width_ = 1;  // states that the half-done clues may need
    double best_ = 0;
};

}  // namespace mineproof
