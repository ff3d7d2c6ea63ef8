#include "parts.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {
namespace {

constexpr std::size_t max_varied = 8;  // regions that are put together

// Forgets the numbers of mines that leave no right number to the others.
void narrow(std::vector<Region>& regions, std::size_t number, int mines) {
    Region around;
    around.ways.assign(1, 1.0);
    for (std::size_t i = 0; i < regions.size(); ++i)
        if (i != number) around = join(around, regions[i]);
    Region& region = regions[number];
    for (int share = region.low; share <= region.high(); ++share)
        if (around.ways_with(mines - share) == 0) region.ways[share - region.low] = 0;
    region.trim();
}

bool can_join(const std::vector<Region>& regions) {
    return regions.size() <= max_varied &&
           std::none_of(regions.begin(), regions.end(),
                        [](const Region& region) { return region.is_endless(); });
}

// Joins the two smallest regions as long as their layouts can be listed. False: none was.
bool join_small(std::vector<Region>& regions, int mines, int limit) {
    if (!can_join(regions)) return false;
    const std::size_t before = regions.size();
    while (regions.size() > 1) {
        std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
            return a.layouts() < b.layouts();
        });
        std::vector<Region> joined(regions.begin() + 1, regions.end());
        joined[0] = join(regions[0], regions[1]);
        narrow(joined, 0, mines);
        if (joined[0].layouts() > limit) break;
        regions.swap(joined);
    }
    return regions.size() < before;
}

}  // namespace

// A region whose number of mines is fixed, by itself or by what the others can hold, is a part.
void Parts::divide(int mines) {
    parts_.clear();
    std::vector<Region> varied;
    const auto part_fixed = [&](std::vector<Region>& regions) {
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
        std::vector<Region> narrowed;
        narrowed.swap(varied);
        part_fixed(narrowed);
    }
    if (!varied.empty()) parts_.push_back({std::move(varied), mines});
}

Winning Parts::solve(const Solver& solver, int mines, int limit, bool with_moves, Budget& budget) {
    finder_.find(solver, regions_);
    divide(mines);
    Winning answer{1.0, true, -1, 1.0, {}};
    solved_.clear();
    try {
        for (Part& part : parts_) {
            // Joined, all moves get a value; apart it is less work.
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

// Nothing if it cannot be listed.
std::optional<Parts::Solved> Parts::attempt(const Solver& solver, const Part& part, int limit,
                                            Budget& budget) {
    if (part.regions.size() > Turns::max_regions) return {};
    std::vector<ListedRegion> listed;
    for (const Region& region : part.regions) {
        if (region.layouts() > limit || !listing_.list(solver, region, limit)) return {};
        listed.push_back({region, listing_.rows, listing_.mines});
    }
    Solved solved{Turns(std::move(listed), part.mines, endgame_, budget), {}};
    solved.best = solved.turns.best();
    return solved;
}

// Regions are joined only if they have to be: apart they are much less work.
std::optional<Parts::Solved> Parts::solve_part(const Solver& solver, Part& part, int limit,
                                               Budget& budget) {
    std::optional<Solved> solved = attempt(solver, part, limit, budget);
    if ((solved && solved->best.exact) || !join_small(part.regions, part.mines, limit))
        return solved;
    std::optional<Solved> joined = attempt(solver, part, limit, budget);
    return joined ? std::move(joined) : std::move(solved);
}

// Multiplies the chance by that of a part.
void Parts::take(std::optional<Solved> solved, Winning& answer) {
    if (!solved) {
        answer.win.reset();
        return;
    }
    const Turns::Value& best = solved->best;
    if (answer.win) *answer.win *= best.won / solved->turns.layouts();
    answer.exact &= best.exact;
    const bool is_safer = best.risk < answer.risk ||
                          (best.risk == answer.risk && best.place < answer.place);
    if (best.exact && best.place >= 0 && (answer.place < 0 || is_safer)) {
        answer.place = best.place;
        answer.risk = best.risk;
    }
    solved_.push_back(*std::move(solved));
}

// All moves of all parts, or none if the budget ends.
void Parts::add_moves(Winning& answer) {
    try {
        for (Solved& part : solved_)
            part.turns.each_move([&](int place, double won) {
                answer.moves.push_back({place, *answer.win * (won / part.best.won)});
            });
        std::sort(answer.moves.begin(), answer.moves.end(),
                  [](const Winning::Move& a, const Winning::Move& b) { return a.place < b.place; });
    } catch (const WorkLimit&) {
        answer.moves.clear();
    }
}

}  // namespace mineproof
