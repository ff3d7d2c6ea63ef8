#include "guesser.hpp"

#include <algorithm>
#include <cmath>

namespace mineproof {
namespace {

constexpr double tie = 1e-10;  // closer values are equal but for rounding

}  // namespace

Guesser::Choice Guesser::choose(Solver& solver, const Prior& prior, Budget& budget) {
    Choice choice;
    if (solve(solver, prior, choice)) return choice;
    find_risks(solver);
    const double best = *std::max_element(safety_.begin(), safety_.end());
    if (best < 0) return choice;
    collect(solver.field, best);
    look(solver, prior, budget);
    double most = -1;
    for (const GuessCandidate& candidate : candidates_)
        if (candidate.survival > most + tie) {
            most = candidate.survival;
            choice.place = candidate.place;
            choice.safety = candidate.safety;
        }
    return choice;
}

bool Guesser::solve(const Solver& solver, const Prior& prior, Choice& choice) {
    if (solver.mixture().log_layouts() > std::log(settings_.layouts + 0.5)) return false;
    const int left = prior.low - solver.field.known_mines;
    if (!listing_.list(solver, left, settings_.layouts)) return false;
    Endgame endgame(static_cast<int>(listing_.places.size()), listing_.rows,
                    std::vector<double>(listing_.count, 1.0));
    Endgame::Move move;
    if (!endgame.best(settings_.endgame_work, move)) return false;
    choice = {-1, 0, move.value / listing_.count, true};
    if (move.cell >= 0) choice.place = listing_.places[move.cell];
    else
        for (std::size_t i = 0; i < listing_.places.size() && choice.place < 0; ++i)
            if (listing_.rows[i] != Endgame::mine) choice.place = listing_.places[i];
    return true;
}

void Guesser::find_risks(const Solver& solver) {
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

// Cells that are nearly as safe as the safest. Of the interior only corners and pockets, and
// cells with a neighbour on the frontier: anywhere else a clue would say nothing soon.
void Guesser::collect(const Field& field, double best) {
    candidates_.clear();
    for (int place = 0; place < static_cast<int>(safety_.size()); ++place) {
        if (safety_[place] < best * settings_.reach - tie) continue;
        int near = 0;
        bool frontier = field.clues(place) > 0;
        const bool inner = !frontier;
        for (int step : field.grid().steps)
            if (field.is_unknown(place + step)) {
                ++near;
                frontier |= field.clues(place + step) > 0;
            }
        if (inner && (safety_[place] < best * settings_.inner_reach - tie || (near > 3 && !frontier)))
            continue;
        candidates_.push_back({place, safety_[place], near, {}, 0});
    }
    if (candidates_.empty()) {
        const auto safest = std::max_element(safety_.begin(), safety_.end());
        candidates_.push_back({static_cast<int>(safest - safety_.begin()), *safest, 8, {}, 0});
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const GuessCandidate& a, const GuessCandidate& b) {
                         if (std::abs(a.safety - b.safety) > tie) return a.safety > b.safety;
                         return a.near < b.near;
                     });
}

void Guesser::look(Solver& solver, const Prior& prior, Budget& budget) {
    double most = 0;
    std::size_t done = 0;
    for (; done < candidates_.size(); ++done) {
        GuessCandidate& candidate = candidates_[done];
        if (candidate.safety <= most - settings_.margin) break;
        candidate.outlook = look_ahead(solver, prior, candidate.place, budget);
        candidate.survival = candidate.safety * candidate.outlook.next;
        most = std::max(most, candidate.survival);
    }
    candidates_.resize(std::max<std::size_t>(done, 1));
}

}  // namespace mineproof
