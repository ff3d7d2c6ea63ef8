// The layouts of one position, kept for questions that need more than risks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"
#include "prior.hpp"
#include "solver.hpp"

namespace mineproof {

// Solves a position from scratch. False: no layout agrees with it.
bool solve(Solver& solver, const Grid& grid, ClueKind kind, const std::uint8_t* shown,
           const Prior& prior, Budget& budget);

// Writes the results of a solved position, one number a cell: its risk (NaN if it is not
// unopened), and its verdict (`open` too if it is not unopened).
void write_results(const Solver& solver, double* risk, Verdict* verdict);

class Posterior {
public:
    // `nodes` bounds the work of the later questions, each for itself.
    Posterior(const Grid& grid, ClueKind kind, const std::uint8_t* shown, const Prior& prior,
              std::int64_t nodes, Budget& budget);

    // Whether there is any layout; if not, nothing else may be asked.
    bool possible() const { return possible_; }
    const Solver& solver() const { return solver_; }

    // The chances that an unopened cell is safe and has 0, 1, .. 8 mined neighbours.
    std::array<double, 9> values(int cell);

    // Risks and verdicts, as by `write_results`, if unopened cells showed these clues. False:
    // they cannot.
    struct Shown {
        int cell;
        std::uint8_t clue;
    };
    bool suppose(std::span<const Shown> clues, double* risk, Verdict* verdict);

    // A random layout by weight: one byte a cell, 1 for a mine.
    void sample(std::uint64_t seed, std::uint8_t* mined);

private:
    Solver solver_;
    Prior prior_;
    std::int64_t nodes_;
    bool possible_ = false;
    bool settled_ = true;  // the solver's weights are those of the position itself
    std::vector<double> risk_;
};

}  // namespace mineproof
