// The chance of winning under best play, for a position that falls into parts.
#pragma once

#include <optional>
#include <vector>

#include "budget.hpp"
#include "endgame.hpp"
#include "listing.hpp"
#include "region.hpp"
#include "solver.hpp"
#include "turns.hpp"

namespace mineproof {

// Best play from a position on.
struct Winning {
    struct Move {
        int place;
        double win;
    };

    // The chance of winning. If it is not exact it is what some policy reaches; nothing if the
    // position is too large.
    std::optional<double> win;
    bool exact = false;
    // A best move, where one is known: also that of a part which has nothing to do with the
    // rest, however large the rest is. -1: none.
    int place = -1;
    double risk = 1;          // of that move
    std::vector<Move> moves;  // those whose chance is exact, by place, if asked for
};

// Solves positions part by part: chances multiply. A region whose number of mines is fixed is a
// part; all others together are one.
class Parts {
public:
    // `solver` has weighed a position with exact clues, with `mines` besides the known ones. At
    // most `limit` layouts are listed at a time. Where the budget ends, what was found so far
    // is given.
    Winning solve(const Solver& solver, int mines, int limit, bool with_moves, Budget& budget);

private:
    struct Part {
        std::vector<Region> regions;
        int mines;  // that they hold together
    };
    struct Solved {
        Turns turns;
        Turns::Value best;
    };

    void divide(int mines);
    std::optional<Solved> attempt(const Solver& solver, const Part& part, int limit,
                                  Budget& budget);
    std::optional<Solved> solve_part(const Solver& solver, Part& part, int limit, Budget& budget);
    void take(std::optional<Solved> solved, Winning& answer);
    void add_moves(Winning& answer);

    RegionFinder finder_;
    Listing listing_;
    std::vector<Region> regions_;
    std::vector<Part> parts_;
    std::vector<Solved> solved_;
    Endgame endgame_;
};

}  // namespace mineproof
