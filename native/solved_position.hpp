// A position that is solved once, kept, and asked.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "best_play.hpp"
#include "budget.hpp"
#include "deep.hpp"
#include "exact_terms.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "position.hpp"
#include "solver.hpp"

namespace mineproof {

enum class Status { solved, contradiction, limit };

// Everything that can be asked of one position. The answer to a question never depends on what
// was asked before. Questions throw std::invalid_argument where they cannot be meant, and
// `WorkLimit` beyond their budget; after either, the position can be asked again.
//
// One question at a time: threads have to wait for each other.
class SolvedPosition {
public:
    SolvedPosition(Position position, Budget& budget);
    ~SolvedPosition();
    SolvedPosition(const SolvedPosition&) = delete;
    SolvedPosition& operator=(const SolvedPosition&) = delete;

    // If it is not solved, nothing below may be asked but `nodes`.
    Status status() const { return status_; }
    Bound bound() const { return bound_; }  // what ended the work, if something did
    void check_solved() const;
    const Position& position() const { return position_; }
    std::int64_t nodes() const { return nodes_; }

    // Solves anew when it is asked again: a question that ran out of memory left half of something.
    void forget();

    // One number a cell: its risk (NaN if it is not unopened), and its verdict (`open` too if
    // it is not unopened).
    const Held<double>& risks() const { return risk_; }
    const Held<Verdict>& verdicts() const { return verdict_; }

    // The layouts of each component by their mines, counted exactly; the mines that are shown or
    // proved by single clues, and the cells next to no clue that are not.
    struct Layouts {
        Held<ExactTerms> components;
        int fixed;
        int interior;
    };
    Layouts layouts(Budget& budget);

    // The chances that an unopened cell is safe and has 0, 1, .. 8 mined neighbours.
    std::array<double, 9> values(int cell, Budget& budget);

    struct Shown {
        int cell;
        int clue;
    };
    struct Results {
        Held<double> risk;
        Held<Verdict> verdict;
    };
    // Risks and verdicts if unopened cells showed these clues; nothing if they cannot.
    std::optional<Results> suppose(std::span<const Shown> clues, Budget& budget);

    // A random layout by weight: one byte a cell, 1 for a mine.
    Held<std::uint8_t> sample(std::uint64_t seed, Budget& budget);

    // Best play to the end, if no more than so many layouts have to be listed at a time. For
    // exact clues and a known number of mines.
    Winning win_chances(int layouts, bool moves, Budget& budget);
    // The chances of its moves, one a cell; NaN where that is not known.
    Held<double> wins_by_cell(const Winning& winning) const;

    // Where no cell is proved safe and clues are exact: the cell to guess, and what it was
    // chosen from, the best first (nothing where the endgame was solved).
    struct Chosen {
        Guess guess;
        Held<Candidate> candidates;
    };
    Chosen guess(const GuessSettings& settings, Budget& budget);

    // The same by playouts, for a known number of mines.
    DeepGuess guess_deep(const DeepSettings& settings, const PlayoutRun& run, Budget& budget);

    // Random layouts played on, each cell opened first in turn: a row of chances to win for
    // each layout. For exact clues and a known number of mines.
    Held<Held<double>> play_layouts(std::span<const int> cells,
                                                  const GuessSettings& policy,
                                                  const PlayoutRun& run) const;

private:
    enum class State { broken, weighed, counted, with_mines };

    bool solve(Budget& budget);
    void settle(State wanted, Budget& budget);
    void check_unopened(int cell) const;
    void check_endgame() const;
    void check_guess() const;
    Position with_proved_mines() const;

    Position position_;
    std::unique_ptr<Solver> solver_;
    Status status_ = Status::solved;
    Bound bound_ = Bound::states;
    std::int64_t nodes_ = 0;
    // What the solver holds. `weighed` is the position itself; `counted` the same, but weighed
    // for something else; `with_mines` has taken the mines that are proved for known ones, if
    // there are any.
    State state_ = State::broken;
    bool proves_mines_ = false;  // that no single clue proves
    Held<double> risk_;
    Held<Verdict> verdict_;
};

}  // namespace mineproof
