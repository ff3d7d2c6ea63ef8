// The chance of winning under best play, for a position that falls into regions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "budget.hpp"
#include "endgame.hpp"
#include "held.hpp"
#include "listing.hpp"
#include "region.hpp"
#include "solver.hpp"

namespace mineproof {

// A region with its layouts, those with fewer mines first.
struct ListedRegion {
    Region region;
    Held<std::uint8_t> rows;  // layouts x places
    Held<int> mines;          // by layout

    int cells() const { return static_cast<int>(region.places.size()); }
    int count() const { return static_cast<int>(mines.size()); }
    std::span<const std::uint8_t> row(int layout) const {
        return std::span(rows).subspan(static_cast<std::size_t>(layout) * cells(), cells());
    }
    // Where the layouts with so many mines begin.
    int begin(int number) const;
};

// Best play in some regions that meet in their number of mines alone.
//
// A player who finishes one region after the other wins what a search finds in which each
// layout of the first region weighs as much as is won in the others with the mines that it
// leaves to them. One who is told how the mines are shared out plays a game of its own in each
// region, and no player wins more. Where the two meet, the value is exact. A single region has
// nothing to share, and is always exact.
class JointRegions {
public:
    static constexpr int max_regions = 4;

    // The regions hold `mines` together. `endgame` and `budget` must outlive it.
    JointRegions(Held<ListedRegion> regions, int mines, Endgame& endgame, Budget& budget);

    struct Value {
        double won = 0;
        bool exact = false;
        int place = -1;   // the move that begins so, of equal ones the one with the least risk
        double risk = 1;
    };
    // What is won at least. Throws `WorkLimit` where the budget ends.
    Value best();
    // Calls visit(place, won) for each move whose value is exact.
    template <class Visit>
    void each_move(Visit visit);

    double layouts() const { return ways(all_, mines_); }

private:
    using Mask = unsigned;  // a set of regions

    double told(int number, int mines);
    double most(Mask mask, int mines);
    double in_turn(Mask mask, int mines);
    double ways(Mask mask, int mines) const;
    void load(int first, Mask rest, int mines);
    void load_told(int number, int mines);
    double risk(int number, int cell) const;
    Held<double> most_by_move(int number);

    Held<ListedRegion> regions_;
    int mines_;
    Mask all_;
    Endgame* endgame_;
    Budget* budget_;
    std::map<std::pair<int, int>, double> told_;      // by region and mines
    std::map<std::pair<Mask, int>, double> in_turn_;  // by regions and mines
    Held<std::uint8_t> rows_;
    Held<double> weights_;
};

template <class Visit>
void JointRegions::each_move(Visit visit) {
    for (int number = 0; number < static_cast<int>(regions_.size()); ++number) {
        const Mask rest = all_ & ~(1u << number);
        load(number, rest, mines_);
        const Held<Endgame::Move> moves = endgame_->all(*budget_);
        const Held<double> most = rest == 0 ? Held<double>{} : most_by_move(number);
        for (const Endgame::Move& move : moves)
            if (rest == 0 || move.value == most[move.cell])
                visit(regions_[number].region.places[move.cell], move.value);
    }
}

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
    Held<Move> moves;  // those whose chance is exact, by place, if asked for
};

// Solves positions part by part: chances multiply. A region whose number of mines is fixed is a
// part; all others together are one.
class BestPlay {
public:
    // `solver` has weighed a position with exact clues, with `mines` besides the known ones. At
    // most `limit` layouts are listed at a time. Where the budget ends, what was found so far
    // is given.
    Winning solve(const Solver& solver, int mines, int limit, bool with_moves, Budget& budget);

private:
    struct Part {
        Held<Region> regions;
        int mines;  // that they hold together
    };
    struct Solved {
        JointRegions regions;
        JointRegions::Value best;
    };

    void divide(int mines);
    std::optional<Solved> attempt(const Solver& solver, const Part& part, int limit,
                                  Budget& budget);
    std::optional<Solved> solve_part(const Solver& solver, Part& part, int limit, Budget& budget);
    void take(std::optional<Solved> solved, Winning& answer);
    void add_moves(Winning& answer);

    RegionFinder finder_;
    Listing listing_;
    Held<Region> regions_;
    Held<Part> parts_;
    Held<Solved> solved_;
    Endgame endgame_;
};

}  // namespace mineproof
