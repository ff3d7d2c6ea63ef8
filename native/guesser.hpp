// Which cell to guess: look-ahead, a trained evaluation, and the exact endgame.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "evaluation.hpp"
#include "lookahead.hpp"
#include "parts.hpp"
#include "prior.hpp"
#include "solver.hpp"

namespace mineproof {

struct GuessSettings {
    double endgame_layouts = 1e13;  // the endgame is tried, part by part, if no more are left
    int endgame_cells = 500;        // and no more cells are unknown
    int layouts = 2000;             // of a part that is solved
    std::int64_t endgame_work = 200'000;
    std::int64_t look_work = 2'000'000;  // bounds the look-ahead of one guess; 0: the safest cell
    double reach = 0.85;        // candidates are as safe as this share of the safest cell
    double inner_reach = 0.90;  // the same for the interior
    double margin = 0.08;       // of survival, within which the evaluation decides
    int finalists = 8;          // that it compares
    const Evaluation* evaluation = nullptr;  // without one, survival decides
};

struct GuessCandidate {
    int place;
    double safety;
    int near;  // unknown neighbours
    Outlook outlook{};
    double survival = 0;  // safety x next safety: the chance to survive two guesses
    double win = -1;      // the estimated chance to win; -1 if there is none

    // Whether it shows the same wherever it is safe: then nothing is lost by opening it later.
    bool is_dead() const { return outlook.values < 2; }
};

class Guesser {
public:
    explicit Guesser(const GuessSettings& settings) : settings_(settings) {}

    struct Choice {
        int place = -1;  // -1: no cell is left
        double safety = 0;
        double win = -1;  // the chance to win, or -1 if it is not known
        bool exact = false;
    };
    // The solver is up to date and weighed, and proves no cell safe. What it has weighed is
    // not kept.
    Choice choose(Solver& solver, const Prior& prior, Budget& budget);

    // What the last choice was made from, but for one by the endgame: the best first.
    const std::vector<GuessCandidate>& candidates() const { return candidates_; }

    // The steps of `choose`, one after the other. `solve` is true where the endgame is exact.
    bool solve(const Solver& solver, const Prior& prior, Choice& choice);
    void survey(const Solver& solver, const Prior& prior);
    void look(Solver& solver, const Prior& prior, Budget& budget);
    void rank(const Solver& solver);

    Features features(const Solver& solver, const GuessCandidate& candidate) const {
        return Features(solver, situation_, safety_, candidate.place, candidate.outlook,
                        candidates_.front().survival);
    }

private:
    // Best play to the end, as far as the settings go.
    Winning end(const Solver& solver, const Prior& prior);
    void find_safety(const Solver& solver);
    void collect(const Field& field);
    bool is_candidate(const Field& field, int place, int& near) const;

    GuessSettings settings_;
    Situation situation_;
    std::vector<double> safety_;  // by place; -1 where nothing is unknown
    std::vector<GuessCandidate> candidates_;
    Parts parts_;
};

}  // namespace mineproof
