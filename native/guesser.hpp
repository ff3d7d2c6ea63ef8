// Which cell to guess: look-ahead, a trained evaluation, and the exact endgame.
#pragma once

#include <cstdint>
#include <memory>

#include "best_play.hpp"
#include "budget.hpp"
#include "evaluation.hpp"
#include "held.hpp"
#include "lookahead.hpp"
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
    std::shared_ptr<const Evaluation> evaluation;  // without one, survival decides

    // Throws std::invalid_argument where they cannot be meant.
    void check() const;
    // What `exact` plays by: the safest cell, and no search.
    static GuessSettings safest();
};

// A cell worth a guess, with all that was found out about it.
struct Candidate {
    int place;
    double safety;
    int near;  // unknown neighbours
    Outlook outlook{};
    double survival = 0;  // safety x next safety: the chance to survive two guesses
    double win = -1;      // the estimated chance to win; -1 if there is none
    double played = -1;   // the same by playouts, or exact; -1 if there is none
    double error = 0;     // the standard error of `played`
    int playouts = 0;

    // Whether it shows the same wherever it is safe: then nothing is lost by opening it later.
    bool is_dead() const { return outlook.values < 2; }
};

struct Guess {
    int place = -1;  // -1: no cell is left
    double safety = 0;
    double win = -1;  // the chance to win, or -1 if it is not known
    bool exact = false;
};

class Guesser {
public:
    explicit Guesser(const GuessSettings& settings) : settings_(settings) {}

    // The solver is up to date and weighed, and proves no cell safe. What it has weighed is
    // not kept.
    Guess choose(Solver& solver, const Prior& prior, Budget& budget);

    // What the last choice was made from, but for one by the endgame: the best first.
    const Held<Candidate>& candidates() const { return candidates_; }

    // The steps of `choose`, one after the other. `solve` is true where the endgame is exact.
    bool solve(const Solver& solver, const Prior& prior, Guess& choice);
    void survey(const Solver& solver, const Prior& prior);
    void look(Solver& solver, const Prior& prior, Budget& budget);
    void rank(const Solver& solver);

    Features features(const Solver& solver, const Candidate& candidate) const {
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
    Held<double> safety_;  // by place; -1 where nothing is unknown
    Held<Candidate> candidates_;
    BestPlay best_play_;
    LookAhead look_ahead_;
};

}  // namespace mineproof
