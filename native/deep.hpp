// Which cell to guess when there is time: playouts on common layouts.
#pragma once

#include <cstdint>
#include <vector>

#include "crew.hpp"
#include "guesser.hpp"

namespace mineproof {

// The usual values are in src/mineproof/search/rollouts.py.
struct DeepSettings {
    GuessSettings fast;       // whose choice is kept unless another cell is better
    GuessSettings wide;       // finds the candidates
    GuessSettings endgame;    // is solved instead, if it can be
    PlayoutSettings playout;  // how games are played on
    int candidates;
    double doubt;           // how far apart two candidates may be against all expectation, as a
                            // share of the chance to win
    std::int64_t playouts;  // of all candidates together
    double seconds;         // whichever ends first
};

struct DeepCandidate {
    GuessCandidate guess;
    double win = -1;   // by playouts, or exact; -1 if there is none
    double error = 0;  // the standard error of `win`
    int playouts = 0;
};

struct DeepChoice {
    std::vector<DeepCandidate> candidates;  // the choice first; empty: no cell is left
    int fast = -1;       // the place that the fast policy opens
    bool exact = false;  // the endgame was solved: one candidate with its exact value
};

// Chooses a guess by sequential halving: rounds of playouts on layouts that all candidates
// share, after each of which the better half goes on. The choice of the fast policy is kept
// unless another cell is expected to be better, given the playouts and what was expected
// before. Throws std::invalid_argument if there is no layout or some cell is proved safe.
DeepChoice choose_deep(const Position& position, const DeepSettings& settings,
                       const GoesOn& goes_on);

}  // namespace mineproof
