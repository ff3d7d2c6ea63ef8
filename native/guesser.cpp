#include "guesser.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace mineproof {
namespace {

constexpr double tie = 1e-10;  // values closer than this differ only by rounding

// Returns an integer to sort by, equal for values that differ only by rounding.
std::int64_t level(double value) { return std::llround(value * 1e9); }

// Returns the cost of weighing a position again.
std::int64_t cost(const Solver& solver) {
    std::int64_t numbers = 64;
    for (int number = 0; number < solver.component_count(); ++number)
        numbers += solver.component(number).lattice.numbers;
    return numbers;
}

// Small boards have short games, so their endgames may take more work. The smallest boards get as
// much as best play needs (the Python twin does less there). Between 50 and 100 cells, more work
// gains nothing (docs/strength.md).
int endgame_scale(const Grid& grid) {
    if (grid.cells() <= 20) return 9;
    if (grid.cells() > 100 && grid.cells() <= 256) return 3;
    return std::clamp(100 / grid.cells(), 1, 3);
}

const Poll no_poll;

// The survival chances found so far, which decide whether another candidate is worth comparing.
class Rivals {
public:
    explicit Rivals(const GuessSettings& settings)
        : margin_(settings.margin), places_(settings.evaluation ? settings.finalists : 0) {}

    // Returns whether a cell with this safety can come close to the best, and be a finalist.
    bool admits(double safety) const {
        return level(safety) > level(most_ - margin_) && level(safety) >= last();
    }
    // Candidates that certainly survive less often than this are not compared.
    double least() const { return (std::max(level(most_ - margin_), last()) - 1) * 1e-9; }

    void add(double survival) {
        most_ = std::max(most_, survival);
        if (places_ == 0) return;
        const std::int64_t own = level(survival);
        best_.insert(std::upper_bound(best_.begin(), best_.end(), own, std::greater<>()), own);
        if (best_.size() > places_) best_.pop_back();
    }

private:
    // Returns the survival of the last finalist, if there are enough of them.
    std::int64_t last() const {
        return places_ > 0 && best_.size() == places_ ? best_.back() : level(-1);
    }

    double margin_;
    std::size_t places_;
    double most_ = 0;
    Held<std::int64_t> best_;  // levels, in decreasing order
};

// Returns the safest cell; among equally safe ones, the one with the fewest unopened neighbours.
Guess safest_cell(const Solver& solver) {
    const Field& field = solver.field;
    double least = field.interior_cells > 0 ? solver.interior_risk() : 2.0;
    for (int number = 0; number < solver.component_count(); ++number)
        for (double risk : solver.component(number).risk) least = std::min(least, risk);
    int best = -1, fewest = 9;
    const auto consider = [&](int place) {
        const int near = field.unknown(place) + field.mines(place);  // all unopened neighbours
        if (near > fewest || (near == fewest && place > best)) return;
        best = place;
        fewest = near;
    };
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (int box = 0; box < component.problem.box_count(); ++box)
            if (component.risk[box] <= least + tie)
                for (int place : component.places.cells_of(box)) consider(place);
    }
    if (field.interior_cells > 0 && solver.interior_risk() <= least + tie)
        for (int place = 0; place < static_cast<int>(field.code.size()); ++place)
            if (field.is_interior(place)) consider(place);
    return {best, 1 - least, -1, false};
}

}  // namespace

void GuessSettings::check() const {
    if (!(endgame_layouts >= 0 && endgame_layouts <= 1e300))
        throw std::invalid_argument("expected at least 0 layouts");
    if (layouts < 0 || layouts > 100'000 || endgame_cells < 0 ||
        std::int64_t{layouts} * endgame_cells > 100'000'000)  // bytes of the listed layouts
        throw std::invalid_argument(
            "expected 0 to 100000 layouts, and at most 100000000 layouts x cells");
    if (endgame_work < 0 || look_work < 0)
        throw std::invalid_argument("expected an amount of work of at least 0");
    if (!(reach >= 0 && reach <= 1 && inner_reach >= 0 && inner_reach <= 1))
        throw std::invalid_argument("expected a reach from 0 to 1");
    if (!(margin >= 0 && margin <= 1)) throw std::invalid_argument("expected a margin from 0 to 1");
    if (finalists < 0) throw std::invalid_argument("expected at least 0 finalists");
}

GuessSettings GuessSettings::safest() {
    GuessSettings settings;
    settings.endgame_cells = 0;
    settings.look_work = 0;
    return settings;
}

Guess Guesser::choose(Solver& solver, const Prior& prior, Budget& budget) {
    candidates_.clear();
    if (solver.field.unknown_cells == 0) return {};
    const Winning found = end(solver, prior);
    if (found.place >= 0)  // of the whole position, or of an independent part
        return {found.place, 1 - found.risk, found.exact ? *found.win : -1, found.exact};
    if (settings_.look_work == 0) return safest_cell(solver);
    survey(solver, prior);
    look(solver, prior, budget);
    rank(solver);
    const Candidate& best = candidates_.front();
    return {best.place, best.safety, best.win, false};
}

Winning Guesser::end(const Solver& solver, const Prior& prior) {
    if (solver.field.unknown_cells > settings_.endgame_cells ||
        solver.mixture().log_layouts() > std::log(settings_.endgame_layouts + 0.5))
        return {};
    const int scale = endgame_scale(solver.field.grid());
    Budget budget(scale * settings_.endgame_work, no_poll);
    const int left = prior.low - solver.field.known_mines;
    return best_play_.solve(solver, left, scale * settings_.layouts, false, budget);
}

bool Guesser::solve(const Solver& solver, const Prior& prior, Guess& choice) {
    const Winning found = end(solver, prior);
    if (found.exact) choice = {found.place, 1 - found.risk, *found.win, true};
    return found.exact;
}

void Guesser::survey(const Solver& solver, const Prior& prior) {
    situation_ = Situation(solver, prior.low);
    find_safety(solver);
    collect(solver.field);
}

void Guesser::find_safety(const Solver& solver) {
    const Field& field = solver.field;
    safety_.assign(field.code.size(), -1);
    if (field.interior_cells > 0)
        for (int place = 0; place < static_cast<int>(safety_.size()); ++place)
            if (field.is_interior(place)) safety_[place] = 1 - solver.interior_risk();
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (int box = 0; box < component.problem.box_count(); ++box)
            for (int place : component.places.cells_of(box))
                safety_[place] = 1 - component.risk[box];
    }
}

// Returns whether a cell is nearly as safe as the safest. In the interior, only corners, pockets
// and cells next to the frontier qualify: elsewhere, a clue would not help soon.
bool Guesser::is_candidate(const Field& field, int place, int& near) const {
    const double least = situation_.best - tie;
    if (safety_[place] < least * settings_.reach) return false;
    near = 0;
    bool frontier = false;
    for (int step : field.grid().steps)
        if (field.is_unknown(place + step)) {
            ++near;
            frontier |= field.clues(place + step) > 0;
        }
    if (field.clues(place) > 0) return true;
    return safety_[place] >= least * settings_.inner_reach && (near <= 3 || frontier);
}

void Guesser::collect(const Field& field) {
    candidates_.clear();
    int near = 0;
    for (int place = 0; place < static_cast<int>(safety_.size()); ++place)
        if (safety_[place] >= 0 && is_candidate(field, place, near))
            candidates_.push_back({place, safety_[place], near});
    if (candidates_.empty() && field.unknown_cells > 0) {  // only the open interior is safe enough
        const auto safest = std::max_element(safety_.begin(), safety_.end());
        candidates_.push_back({static_cast<int>(safest - safety_.begin()), *safest, 8});
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) {
                         const auto first = level(a.safety), second = level(b.safety);
                         return first != second ? first > second : a.near < b.near;
                     });
}

// Looks ahead from the safest cell on, until no other cell can come close to the best or be a
// finalist, or until the work limit. Candidates that turn out worse on the way are dropped. The
// best survival comes first. Cells whose clue would give no information come last, because they can
// wait.
void Guesser::look(Solver& solver, const Prior& prior, Budget& budget) {
    std::int64_t work = 0;
    std::size_t done = 0;
    Rivals rivals(settings_);
    look_ahead_.begin(solver, prior, situation_.component_of);
    try {
        for (; done < candidates_.size() && (done == 0 || work < settings_.look_work); ++done) {
            Candidate& candidate = candidates_[done];
            if (!rivals.admits(candidate.safety)) break;
            candidate.outlook = look_ahead_.look(candidate.place,
                                                 rivals.least() / candidate.safety, budget);
            candidate.survival = candidate.safety * candidate.outlook.next;
            if (!candidate.is_dead() && !candidate.outlook.is_cut) rivals.add(candidate.survival);
            work += cost(solver) * (candidate.outlook.values + 1);
        }
    } catch (const WorkLimit& limit) {  // use what was found so far
        if (limit.bound == Bound::memory) throw;  // the solver can no longer be used
    }
    candidates_.resize(std::max<std::size_t>(done, 1));
    std::erase_if(candidates_, [](const Candidate& each) { return each.outlook.is_cut; });
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) {
                         if (a.is_dead() != b.is_dead()) return b.is_dead();
                         return level(a.survival) > level(b.survival);
                     });
}

// Moves the candidate with the best estimate to the front.
void Guesser::rank(const Solver& solver) {
    if (!settings_.evaluation) return;
    const Candidate& first = candidates_.front();
    const std::int64_t least = level(first.survival - settings_.margin);
    std::size_t count = 0;
    while (count < candidates_.size() && count < static_cast<std::size_t>(settings_.finalists) &&
           candidates_[count].is_dead() == first.is_dead() &&
           level(candidates_[count].survival) >= least)
        ++count;
    Held<double> wins;
    for (std::size_t i = 0; i < count; ++i)
        wins.push_back(settings_.evaluation->win(features(solver, candidates_[i])));
    for (std::size_t i = 0; i < count; ++i) candidates_[i].win = wins[i];
    // Estimates are computed in 32-bit floats, so compare them with a coarser tolerance.
    std::stable_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const Candidate& a, const Candidate& b) {
                         return level(a.win * 1e-3) > level(b.win * 1e-3);
                     });
}

}  // namespace mineproof
