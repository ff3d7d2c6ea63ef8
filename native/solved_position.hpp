// A position that is solved once, kept, and asked any number of questions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "best_play.hpp"
#include "budget.hpp"
#include "deep.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "position.hpp"
#include "solver.hpp"

namespace mineproof {

enum class Status { solved, contradiction, limit };

// All questions about one position. The answer to a question never depends on earlier questions.
// Questions throw std::invalid_argument if their arguments are not valid, and `WorkLimit` if they
// exceed their budget. After either, the position can be used again.
//
// Only one question at a time: threads must wait for each other.
class SolvedPosition {
public:
    SolvedPosition(Position position, Budget& budget);
    ~SolvedPosition();
    SolvedPosition(const SolvedPosition&) = delete;
    SolvedPosition& operator=(const SolvedPosition&) = delete;

    // If the position is not solved, only `nodes` may be called below.
    Status status() const { return status_; }
    Bound bound() const { return bound_; }  // the limit that stopped the work, if any
    void check_solved() const;
    const Position& position() const { return position_; }
    std::int64_t nodes() const { return nodes_; }

    // Makes the next question solve the position again, after a question ran out of memory
    // half-way.
    void forget();

    // One entry per cell: its risk (NaN unless it is unopened) and its verdict (`open` unless it is
    // unopened).
    const Held<double>& risks() const { return risk_; }
    const Held<Verdict>& verdicts() const { return verdict_; }

    // The exact number of layouts of each component by mines; the number of mines that are shown or
    // proved by single clues; and the number of undecided cells that touch no clue.
    struct Layouts {
        Held<ExactTerms> components;
        int fixed;
        int interior;
    };
    Layouts layouts(Budget& budget);

    // Returns the chances that an unopened cell is safe and has 0, 1, .. 8 neighbouring mines.
    std::array<double, 9> values(int cell, Budget& budget);

    struct Shown {
        int cell;
        int clue;
    };
    struct Results {
        Held<double> risk;
        Held<Verdict> verdict;
    };
    // Returns risks and verdicts if unopened cells showed these clues; nothing if they cannot.
    std::optional<Results> suppose(std::span<const Shown> clues, Budget& budget);

    // Draws a random layout by weight: one byte per cell, 1 for a mine.
    Held<std::uint8_t> sample(std::uint64_t seed, Budget& budget);

    // Finds best play to the end, listing at most `layouts` layouts at a time. For exact clues and
    // a known number of mines.
    Winning win_chances(int layouts, bool moves, Budget& budget);
    // Returns the chances of its moves, one per cell; NaN if unknown.
    Held<double> wins_by_cell(const Winning& winning) const;

    // If no cell is proved safe and clues are exact: the cell to guess, and the candidates, the
    // best first (empty if the endgame was solved).
    struct Chosen {
        Guess guess;
        Held<Candidate> candidates;
    };
    Chosen guess(const GuessSettings& settings, Budget& budget);

    // The same by playouts, for a known number of mines.
    DeepGuess guess_deep(const DeepSettings& settings, const PlayoutRun& run, Budget& budget);

    // Plays random layouts to the end, opening each cell first in turn. Returns a row of chances of
    // winning for each layout. For exact clues and a known number of mines.
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
    // The content of the solver. `weighed`: the position itself. `counted`: the same, but weighed
    // for another purpose. `with_mines`: proved mines, if any, are treated as known.
    State state_ = State::broken;
    bool proves_mines_ = false;  // some that no single clue proves
    Held<double> risk_;
    Held<Verdict> verdict_;
};

}  // namespace mineproof
