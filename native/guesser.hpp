// Choosing a guess: look-ahead, a trained evaluation, and the exact endgame.
#pragma once

#include <cstdint>
#include <memory>

#include "best_play.hpp"
#include "budget.hpp"
#include "evaluation.hpp"
#include "held.hpp"
#include "lookahead.hpp"
#include "solver.hpp"

namespace mineproof {

struct GuessSettings {
    double endgame_layouts = 1e13;  // solve the endgame if at most this many layouts are left,
    int endgame_cells = 500;        // and at most this many cells are unknown
    int layouts = 2000;             // maximum number of layouts of a part to solve
    std::int64_t endgame_work = 200'000;
    std::int64_t look_work = 2'000'000;  // work limit of one look-ahead; 0: choose the safest cell
    double reach = 0.85;        // minimum safety of candidates, as a share of the best
    double inner_reach = 0.90;  // the same for interior cells
    double margin = 0.08;       // the evaluation compares cells this close to the best survival
    int finalists = 8;          // how many candidates the evaluation compares
    std::shared_ptr<const Evaluation> evaluation;  // if empty, survival decides

    // Throws std::invalid_argument if the settings are not valid.
    void check() const;
    // Returns the settings of the agent `exact`: the safest cell, without a search.
    static GuessSettings safest();
};

// A cell that may be guessed, with everything found out about it.
struct Candidate {
    int place;
    double safety;
    int near;  // number of unknown neighbours
    Outlook outlook{};
    double survival = 0;  // safety x next safety: the chance of surviving two guesses
    double win = -1;      // the estimated chance of winning; -1 if there is none
    double played = -1;   // the same by playouts, or exact; -1 if there is none
    double error = 0;     // the standard error of `played`
    int playouts = 0;

    // Whether the cell shows the same value whenever it is safe. If so, opening it later loses
    // nothing.
    bool is_dead() const { return outlook.values < 2; }
};

struct Guess {
    int place = -1;  // -1 if no cell is left
    double safety = 0;
    double win = -1;  // the chance of winning, or -1 if unknown
    bool exact = false;
};

class Guesser {
public:
    explicit Guesser(const GuessSettings& settings) : settings_(settings) {}

    // The solver must be up to date and weighed, and must not prove any cell safe. Its weights are
    // not preserved.
    Guess choose(Solver& solver, const Prior& prior, Budget& budget);

    // The candidates of the last choice, the best first, unless the endgame decided it.
    const Held<Candidate>& candidates() const { return candidates_; }

    // The steps of `choose`. `solve` returns true if the endgame gives an exact answer.
    bool solve(const Solver& solver, const Prior& prior, Guess& choice);
    void survey(const Solver& solver, const Prior& prior);
    void look(Solver& solver, const Prior& prior, Budget& budget);
    void rank(const Solver& solver);

    Features features(const Solver& solver, const Candidate& candidate) const {
        return Features(solver, situation_, safety_, candidate.place, candidate.outlook,
                        candidates_.front().survival);
    }

private:
    // Returns best play to the end, within the limits of the settings.
    Winning end(const Solver& solver, const Prior& prior);
    void find_safety(const Solver& solver);
    void collect(const Field& field);
    bool is_candidate(const Field& field, int place, int& near) const;

    GuessSettings settings_;
    Situation situation_;
    Held<double> safety_;  // by place; -1 if the cell is not unknown
    Held<Candidate> candidates_;
    BestPlay best_play_;
    LookAhead look_ahead_;
};

}  // namespace mineproof
