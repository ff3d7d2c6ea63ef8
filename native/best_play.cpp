#include "best_play.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace mineproof {
namespace {

constexpr double max_exact = 9007199254740992;  // integers up to 2^53 are exact
constexpr std::size_t max_varied = 8;  // maximum number of regions that are combined

// Removes the numbers of mines that the other regions cannot complete to the total.
void narrow(Held<Region>& regions, std::size_t number, int mines) {
    Region around;
    around.ways.assign(1, 1.0);
    for (std::size_t i = 0; i < regions.size(); ++i)
        if (i != number) around = join(around, regions[i]);
    Region& region = regions[number];
    for (int share = region.low; share <= region.high(); ++share)
        if (around.ways_with(mines - share) == 0) region.ways[share - region.low] = 0;
    region.trim();
}

bool can_join(const Held<Region>& regions) {
    return regions.size() <= max_varied &&
           std::none_of(regions.begin(), regions.end(),
                        [](const Region& region) { return region.is_endless(); });
}

// Joins the two smallest regions while the result can be listed. Returns false if none were joined.
bool join_small(Held<Region>& regions, int mines, int limit) {
    if (!can_join(regions)) return false;
    const std::size_t before = regions.size();
    while (regions.size() > 1) {
        std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
            return a.layouts() < b.layouts();
        });
        Held<Region> joined(regions.begin() + 1, regions.end());
        joined[0] = join(regions[0], regions[1]);
        narrow(joined, 0, mines);
        if (joined[0].layouts() > limit) break;
        regions.swap(joined);
    }
    return regions.size() < before;
}

}  // namespace

int ListedRegion::begin(int number) const {
    return static_cast<int>(std::lower_bound(mines.begin(), mines.end(), number) - mines.begin());
}

JointRegions::JointRegions(Held<ListedRegion> regions, int mines, Endgame& endgame, Budget& budget)
    : regions_(std::move(regions)),
      mines_(mines),
      all_((1u << regions_.size()) - 1),
      endgame_(&endgame),
      budget_(&budget) {}

JointRegions::Value JointRegions::best() {
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

// Returns what is won in a region if its number of mines is known to the player.
double JointRegions::known_value(int number, int mines) {
    if (regions_[number].region.ways_with(mines) == 0) return 0;
    const auto [known, is_new] = known_values_.try_emplace({number, mines}, 0.0);
    if (!is_new) return known->second;
    load_known(number, mines);
    return known->second = endgame_->best(*budget_).value;
}

void JointRegions::load_known(int number, int mines) {
    const ListedRegion& listed = regions_[number];
    const auto cells = static_cast<std::size_t>(listed.cells());
    const auto begin = static_cast<std::size_t>(listed.begin(mines));
    const auto end = static_cast<std::size_t>(listed.begin(mines + 1));
    weights_.assign(end - begin, 1.0);
    const std::span<const std::uint8_t> rows(listed.rows);
    endgame_->load(listed.cells(), rows.subspan(begin * cells, (end - begin) * cells), weights_);
}

// Returns an upper bound: the player knows the number of mines in each region.
double JointRegions::most(Mask mask, int mines) {
    const int first = std::countr_zero(mask);
    const Mask rest = mask & (mask - 1);
    if (rest == 0) return known_value(first, mines);
    const Region& region = regions_[first].region;
    double sum = 0;
    for (int share = region.low; share <= region.high(); ++share)
        if (const double others = most(rest, mines - share); others > 0)
            sum += known_value(first, share) * others;
    return sum;
}

double JointRegions::ways(Mask mask, int mines) const {
    const int first = std::countr_zero(mask);
    const Mask rest = mask & (mask - 1);
    const Region& region = regions_[first].region;
    if (rest == 0) return region.ways_with(mines);
    double sum = 0;
    for (int share = region.low; share <= region.high(); ++share)
        sum += region.ways_with(share) * ways(rest, mines - share);
    return sum;
}

// Returns what is won by finishing the regions in the best order, with `mines` in all of them.
double JointRegions::in_turn(Mask mask, int mines) {
    if ((mask & (mask - 1)) == 0) return known_value(std::countr_zero(mask), mines);
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

// Loads the layouts of a region, each weighted by what it leaves to the other regions.
void JointRegions::load(int first, Mask rest, int mines) {
    if (rest == 0) return load_known(first, mines);
    const ListedRegion& listed = regions_[first];
    const Region& region = listed.region;
    Held<double> left;
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

double JointRegions::risk(int number, int cell) const {
    const ListedRegion& listed = regions_[number];
    const Mask rest = all_ & ~(1u << number);
    double mined = 0;
    for (int i = 0; i < listed.count(); ++i)
        if (listed.row(i)[cell] == Endgame::mine)
            mined += rest == 0 ? 1.0 : ways(rest, mines_ - listed.mines[i]);
    return mined / layouts();
}

// Returns, for each cell of a region, an upper bound on what is won if it is opened next.
Held<double> JointRegions::most_by_move(int number) {
    const Region& region = regions_[number].region;
    const Mask rest = all_ & ~(1u << number);
    Held<double> sums(region.places.size(), 0.0);
    for (int share = region.low; share <= region.high(); ++share) {
        const double others = region.ways_with(share) > 0 ? most(rest, mines_ - share) : 0.0;
        if (others == 0) continue;
        load_known(number, share);
        for (const Endgame::Move& move : endgame_->all(*budget_))
            sums[move.cell] += move.value * others;
    }
    return sums;
}

// A region is a separate part if its number of mines is fixed, alone or by the other regions.
void BestPlay::divide(int mines) {
    parts_.clear();
    Held<Region> varied;
    const auto part_fixed = [&](Held<Region>& regions) {
        for (Region& region : regions) {
            if (!region.is_fixed()) {
                varied.push_back(std::move(region));
                continue;
            }
            mines -= region.low;
            parts_.push_back({{}, region.low});
            parts_.back().regions.push_back(std::move(region));
        }
    };
    part_fixed(regions_);
    if (can_join(varied)) {
        for (std::size_t i = 0; i < varied.size(); ++i) narrow(varied, i, mines);
        Held<Region> narrowed;
        narrowed.swap(varied);
        part_fixed(narrowed);
    }
    if (!varied.empty()) parts_.push_back({std::move(varied), mines});
}

Winning BestPlay::solve(const Solver& solver, int mines, int limit, bool with_moves, Budget& budget) {
    finder_.find(solver, regions_);
    divide(mines);
    Winning answer{1.0, true, -1, 1.0, {}};
    solved_.clear();
    try {
        for (Part& part : parts_) {
            // Joined regions give a value for every move, but take more work.
            if (with_moves) join_small(part.regions, part.mines, limit);
            take(solve_part(solver, part, limit, budget), answer);
        }
    } catch (const WorkLimit&) {
        answer.win.reset();
    }
    answer.exact &= answer.win.has_value();
    if (with_moves && answer.exact) add_moves(answer);
    return answer;
}

// Returns nothing if the layouts cannot be listed.
std::optional<BestPlay::Solved> BestPlay::attempt(const Solver& solver, const Part& part, int limit,
                                            Budget& budget) {
    if (part.regions.size() > JointRegions::max_regions) return {};
    Held<ListedRegion> listed;
    for (const Region& region : part.regions) {
        if (region.layouts() > limit || !listing_.list(solver, region, limit)) return {};
        listed.push_back({region, listing_.rows, listing_.mines});
    }
    Solved solved{JointRegions(std::move(listed), part.mines, endgame_, budget), {}};
    solved.best = solved.regions.best();
    return solved;
}

// Joins regions only if necessary, because separate regions take much less work.
std::optional<BestPlay::Solved> BestPlay::solve_part(const Solver& solver, Part& part, int limit,
                                               Budget& budget) {
    std::optional<Solved> solved = attempt(solver, part, limit, budget);
    if ((solved && solved->best.exact) || !join_small(part.regions, part.mines, limit))
        return solved;
    std::optional<Solved> joined = attempt(solver, part, limit, budget);
    return joined ? std::move(joined) : std::move(solved);
}

// Multiplies the chance of winning by that of a part.
void BestPlay::take(std::optional<Solved> solved, Winning& answer) {
    if (!solved) {
        answer.win.reset();
        return;
    }
    const JointRegions::Value& best = solved->best;
    if (answer.win) *answer.win *= best.won / solved->regions.layouts();
    answer.exact &= best.exact;
    const bool is_safer = best.risk < answer.risk ||
                          (best.risk == answer.risk && best.place < answer.place);
    if (best.exact && best.place >= 0 && (answer.place < 0 || is_safer)) {
        answer.place = best.place;
        answer.risk = best.risk;
    }
    solved_.push_back(*std::move(solved));
}

// Adds the moves of all parts, or none if the budget runs out.
void BestPlay::add_moves(Winning& answer) {
    try {
        for (Solved& part : solved_)
            part.regions.each_move([&](int place, double won) {
                answer.moves.push_back({place, *answer.win * (won / part.best.won)});
            });
        std::sort(answer.moves.begin(), answer.moves.end(),
                  [](const Winning::Move& a, const Winning::Move& b) { return a.place < b.place; });
    } catch (const WorkLimit&) {
        answer.moves.clear();
    }
}

}  // namespace mineproof
