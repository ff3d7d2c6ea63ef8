// Which cell to guess: look-ahead, and the exact endgame where the layouts are few.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "endgame.hpp"
#include "listing.hpp"
#include "lookahead.hpp"
#include "prior.hpp"
#include "solver.hpp"

namespace mineproof {

struct GuessSettings {
    int layouts = 500;             // the endgame is solved if no more are left
    std::int64_t endgame_work = 60'000;
    std::int64_t look_work = 400'000;  // bounds the look-ahead of one guess
    double reach = 0.90;           // candidates are as safe as this share of the safest cell
    double inner_reach = 0.95;     // the same for the interior
    double margin = 0;             // cells are looked at that could come so near the best survival
};

struct GuessCandidate {
    int place;
    double safety;
    int near;         // unknown neighbours
    Outlook outlook;
    double survival;  // safety x next safety: the chance to survive two guesses
};

class Guesser {
public:
    explicit Guesser(const GuessSettings& settings) : settings_(settings) {}

    struct Choice {
        int place = -1;      // -1: no cell is left
        double safety = 0;
        double win = 0;      // if `exact`: the chance to win
        bool exact = false;
    };
    // The solver is up to date and weighed, and proves no cell safe. What it has weighed is
    // not kept.
    Choice choose(Solver& solver, const Prior& prior, Budget& budget);

    const std::vector<GuessCandidate>& candidates() const { return candidates_; }

    GuessSettings settings_;
    bool solve(const Solver& solver, const Prior& prior, Choice& choice);
    void find_risks(const Solver& solver);
    void collect(const Field& field, double best);
    void look(Solver& solver, const Prior& prior, Budget& budget);

    std::vector<double> safety_;  // by place; -1 where nothing is unknown
    std::vector<GuessCandidate> candidates_;
    Listing listing_;
};

}  // namespace mineproof
