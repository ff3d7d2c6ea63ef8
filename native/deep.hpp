// Which cell to guess when there is time: playouts on common layouts.
#pragma once

#include "budget.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "playout_threads.hpp"
#include "position.hpp"
#include "solver.hpp"

namespace mineproof {

// The usual values are in src/mineproof/search/deep.py.
struct DeepSettings {
    GuessSettings fast;     // whose choice is kept unless another cell is better
    GuessSettings wide;     // finds the candidates
    GuessSettings endgame;  // is solved instead, if it can be
    GuessSettings playout;  // the policy that plays on
    int candidates = 16;
    double doubt = 0.03;  // how far apart two candidates may be against all expectation, as a
                          // share of the chance to win; less where a game begins

    // Throws std::invalid_argument where they cannot be meant.
    void check() const;
};

struct DeepGuess {
    Held<Candidate> candidates;  // the choice first; empty: no cell is left
    int fast = -1;       // the place that the fast policy opens
    bool exact = false;  // the endgame was solved: one candidate with its exact value
};

// Chooses a guess by playouts on layouts that all candidates share. A candidate leaves when
// those that are left are not expected to show a gain worth them, and the search ends when one
// candidate is left. The choice of the fast policy is kept unless another cell is expected to be
// better, given the playouts and what was expected before.
//
// The solver has weighed the position, knows the mines that are proved, and proves no cell
// safe; `position` shows these mines. What the solver has weighed is not kept. Time counts
// from `start`.
DeepGuess choose_deep(Solver& solver, const Position& position, const DeepSettings& settings,
                      const PlayoutRun& run, Clock::time_point start, Budget& budget);

}  // namespace mineproof
