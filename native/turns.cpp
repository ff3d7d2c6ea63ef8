#include "turns.hpp"

#include <algorithm>
#include <bit>

namespace mineproof {
namespace {

constexpr double max_exact = 9007199254740992;  // whole numbers up to 2^53 are exact

}  // namespace

int ListedRegion::begin(int number) const {
    return static_cast<int>(std::lower_bound(mines.begin(), mines.end(), number) - mines.begin());
}

Turns::Turns(std::vector<ListedRegion> regions, int mines, Endgame& endgame, Budget& budget)
    : regions_(std::move(regions)),
      mines_(mines),
      all_((1u << regions_.size()) - 1),
      endgame_(&endgame),
      budget_(&budget) {}

Turns::Value Turns::best() {
    Value best;
    for (int number = 0; number < static_cast<int>(regions_.size()); ++number) {
        load(number, all_ & ~(1u << number), mines_);
        const Endgame::Move move = endgame_->best(*budget_);
        const double danger = move.cell < 0 ? 1 : risk(number, move.cell);
        const int place = move.cell < 0 ? -1 : regions_[number].region.places[move.cell];
        if (move.value > best.won || (move.value == best.won && danger < best.risk))
            best = {move.value, false, place, danger};
    }
    best.exact = regions_.size() == 1 ||
                 (layouts() <= max_exact && best.won == most(all_, mines_));
    return best;
}

// What is won in a region if its number of mines is told.
double Turns::told(int number, int mines) {
    if (regions_[number].region.ways_with(mines) == 0) return 0;
    const auto [known, is_new] = told_.try_emplace({number, mines}, 0.0);
    if (!is_new) return known->second;
    load_told(number, mines);
    return known->second = endgame_->best(*budget_).value;
}

void Turns::load_told(int number, int mines) {
    const ListedRegion& listed = regions_[number];
    const auto cells = static_cast<std::size_t>(listed.cells());
    const auto begin = static_cast<std::size_t>(listed.begin(mines));
    const auto end = static_cast<std::size_t>(listed.begin(mines + 1));
    weights_.assign(end - begin, 1.0);
    const std::span<const std::uint8_t> rows(listed.rows);
    endgame_->load(listed.cells(), rows.subspan(begin * cells, (end - begin) * cells), weights_);
}

// What is won at most: all numbers of mines are told.
double Turns::most(Mask mask, int mines) {
    const int first = std::countr_zero(mask);
    const Mask rest = mask & (mask - 1);
    if (rest == 0) return told(first, mines);
    const Region& region = regions_[first].region;
    double sum = 0;
    for (int share = region.low; share <= region.high(); ++share)
        if (const double others = most(rest, mines - share); others > 0)
            sum += told(first, share) * others;
    return sum;
}

double Turns::ways(Mask mask, int mines) const {
    const int first = std::countr_zero(mask);
    const Mask rest = mask & (mask - 1);
    const Region& region = regions_[first].region;
    if (rest == 0) return region.ways_with(mines);
    double sum = 0;
    for (int share = region.low; share <= region.high(); ++share)
        sum += region.ways_with(share) * ways(rest, mines - share);
    return sum;
}

// What is won by finishing regions in the best order, if they hold so many mines together.
double Turns::in_turn(Mask mask, int mines) {
    if ((mask & (mask - 1)) == 0) return told(std::countr_zero(mask), mines);
    if (ways(mask, mines) == 0) return 0;
    const auto [known, is_new] = in_turn_.try_emplace({mask, mines}, 0.0);
    if (!is_new) return known->second;
    double best = 0;
    for (Mask left = mask; left != 0; left &= left - 1) {
        const int first = std::countr_zero(left);
        load(first, mask & ~(1u << first), mines);
        best = std::max(best, endgame_->best(*budget_).value);
    }
    return known->second = best;
}

// Loads the layouts of a region, each with the weight of what it leaves to the rest.
void Turns::load(int first, Mask rest, int mines) {
    if (rest == 0) return load_told(first, mines);
    const ListedRegion& listed = regions_[first];
    const Region& region = listed.region;
    std::vector<double> left;
    for (int share = region.low; share <= region.high(); ++share)
        left.push_back(region.ways_with(share) > 0 ? in_turn(rest, mines - share) : 0.0);
    rows_.clear();
    weights_.clear();
    for (int i = 0; i < listed.count(); ++i) {
        const double weight = left[listed.mines[i] - region.low];
        if (weight == 0) continue;
        weights_.push_back(weight);
        rows_.insert(rows_.end(), listed.row(i).begin(), listed.row(i).end());
    }
    endgame_->load(listed.cells(), rows_, weights_);
}

double Turns::risk(int number, int cell) const {
    const ListedRegion& listed = regions_[number];
    const Mask rest = all_ & ~(1u << number);
    double mined = 0;
    for (int i = 0; i < listed.count(); ++i)
        if (listed.row(i)[cell] == Endgame::mine)
            mined += rest == 0 ? 1.0 : ways(rest, mines_ - listed.mines[i]);
    return mined / layouts();
}

// For each cell of a region what is won at most if it is opened next.
std::vector<double> Turns::most_by_move(int number) {
    const Region& region = regions_[number].region;
    const Mask rest = all_ & ~(1u << number);
    std::vector<double> sums(region.places.size(), 0.0);
    for (int share = region.low; share <= region.high(); ++share) {
        const double others = region.ways_with(share) > 0 ? most(rest, mines_ - share) : 0.0;
        if (others == 0) continue;
        load_told(number, share);
        for (const Endgame::Move& move : endgame_->all(*budget_))
            sums[move.cell] += move.value * others;
    }
    return sums;
}

}  // namespace mineproof
