// The chance of winning under best play, for a position that splits into regions.
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

// A region with its layouts, in order of increasing mines.
struct ListedRegion {
    Region region;
    Held<std::uint8_t> rows;  // layouts x places
    Held<int> mines;          // by layout

    int cells() const { return static_cast<int>(region.places.size()); }
    int count() const { return static_cast<int>(mines.size()); }
    std::span<const std::uint8_t> row(int layout) const {
        return std::span(rows).subspan(static_cast<std::size_t>(layout) * cells(), cells());
    }
    // Returns the index of the first layout with this number of mines.
    int begin(int number) const;
};

// Best play in regions that are connected only by the total number of mines.
//
// A lower bound: the player finishes one region after the other. Each layout of the first region is
// weighted by what can be won in the others with the mines that it leaves to them. An upper bound:
// the player knows the number of mines in each region, and plays the regions as separate games.
// If both bounds are equal, the value is exact. A single region is always exact.
class JointRegions {
public:
    static constexpr int max_regions = 4;

    // `mines` is the total in all regions. `endgame` and `budget` must outlive this object.
    JointRegions(Held<ListedRegion> regions, int mines, Endgame& endgame, Budget& budget);

    struct Value {
        double won = 0;
        bool exact = false;
        int place = -1;   // the first move; among equal moves, the one with the lowest risk
        double risk = 1;
    };
    // Returns a lower bound on what can be won. Throws `WorkLimit` if the budget runs out.
    Value best();
    // Calls visit(place, won) for each move whose value is exact.
    template <class Visit>
    void each_move(Visit visit);

    double layouts() const { return ways(all_, mines_); }

private:
    using Mask = unsigned;  // a set of regions

    double known_value(int number, int mines);
    double most(Mask mask, int mines);
    double in_turn(Mask mask, int mines);
    double ways(Mask mask, int mines) const;
    void load(int first, Mask rest, int mines);
    void load_known(int number, int mines);
    double risk(int number, int cell) const;
    Held<double> most_by_move(int number);

    Held<ListedRegion> regions_;
    int mines_;
    Mask all_;
    Endgame* endgame_;
    Budget* budget_;
    std::map<std::pair<int, int>, double> known_values_;  // by region and mines
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

// Best play from a position.
struct Winning {
    struct Move {
        int place;
        double win;
    };

    // The chance of winning. If it is not exact, it is a lower bound. Empty if the position is
    // too large.
    std::optional<double> win;
    bool exact = false;
    // A best move, if one is known; -1 if not. It may belong to a part that is independent of the
    // rest, even if the rest is too large to solve.
    int place = -1;
    double risk = 1;          // of that move
    Held<Move> moves;  // moves with exact chances, by place, if requested
};

// Solves the independent parts of a position separately and multiplies their chances. A region with
// a fixed number of mines is a part; all other regions together form one part.
class BestPlay {
public:
    // `solver` must have weighed a position with exact clues. `mines` does not include known mines.
    // At most `limit` layouts are listed at a time. If the budget runs out, returns what was found
    // so far.
    Winning solve(const Solver& solver, int mines, int limit, bool with_moves, Budget& budget);

private:
    struct Part {
        Held<Region> regions;
        int mines;  // total in all its regions
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
