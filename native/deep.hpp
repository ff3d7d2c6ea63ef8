// Choosing a guess by playouts on common layouts, when there is time.
#pragma once

#include "budget.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "playout_threads.hpp"
#include "position.hpp"
#include "solver.hpp"

namespace mineproof {

// The defaults are in src/mineproof/search/deep.py.
struct DeepSettings {
    GuessSettings fast;     // the fast policy: its choice is kept unless another cell is better
    GuessSettings wide;     // finds the candidates
    GuessSettings endgame;  // solves the endgame instead, if possible
    GuessSettings playout;  // the policy of the playouts
    int candidates = 16;
    double doubt = 0.03;  // expected error of the estimates that are made before playouts,
                          // as a share of the win chance; less at the start of a game

    // Throws std::invalid_argument if the settings are not valid.
    void check() const;
};

struct DeepGuess {
    Held<Candidate> candidates;  // the choice first; empty if no cell is left
    int fast = -1;       // the choice of the fast policy
    bool exact = false;  // the endgame was solved: one candidate with its exact value
};

// Chooses a guess by playouts on layouts that all candidates share. A candidate drops out when the
// remaining playouts are not expected to show a gain that is worth them. The search ends when one
// candidate is left. The choice of the fast policy is kept unless another cell is expected to be
// better, given the playouts and the prior expectation.
//
// The solver must have weighed the position, must know the proved mines, and must not prove any
// cell safe; `position` shows these mines. The solver's weights are not preserved. Time is measured
// from `start`.
DeepGuess choose_deep(Solver& solver, const Position& position, const DeepSettings& settings,
                      const PlayoutRun& run, Clock::time_point start, Budget& budget);

}  // namespace mineproof
