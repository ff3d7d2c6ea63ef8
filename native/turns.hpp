// Regions that share a known number of mines, finished one after the other.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "endgame.hpp"
#include "region.hpp"

namespace mineproof {

// A region with its layouts, those with fewer mines first.
struct ListedRegion {
    Region region;
    std::vector<std::uint8_t> rows;  // layouts x places
    std::vector<int> mines;          // by layout

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
class Turns {
public:
    static constexpr int max_regions = 4;

    // The regions hold `mines` together. `endgame` and `budget` must outlive it.
    Turns(std::vector<ListedRegion> regions, int mines, Endgame& endgame, Budget& budget);

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
    std::vector<double> most_by_move(int number);

    std::vector<ListedRegion> regions_;
    int mines_;
    Mask all_;
    Endgame* endgame_;
    Budget* budget_;
    std::map<std::pair<int, int>, double> told_;      // by region and mines
    std::map<std::pair<Mask, int>, double> in_turn_;  // by regions and mines
    std::vector<std::uint8_t> rows_;
    std::vector<double> weights_;
};

template <class Visit>
void Turns::each_move(Visit visit) {
    for (int number = 0; number < static_cast<int>(regions_.size()); ++number) {
        const Mask rest = all_ & ~(1u << number);
        load(number, rest, mines_);
        const std::vector<Endgame::Move> moves = endgame_->all(*budget_);
        const std::vector<double> most = rest == 0 ? std::vector<double>{} : most_by_move(number);
        for (const Endgame::Move& move : moves)
            if (rest == 0 || move.value == most[move.cell])
                visit(regions_[number].region.places[move.cell], move.value);
    }
}

}  // namespace mineproof
