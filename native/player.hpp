// Whole games inside the core.
#pragma once

#include <cstdint>
#include <utility>

#include "decisions.hpp"
#include "guesser.hpp"
#include "held.hpp"
#include "solver.hpp"

namespace mineproof {

enum class Result : std::uint8_t { win, loss, stuck };

struct GameResult {
    Result result;
    int guesses;
    int moves;
    int opened;  // safe cells that were opened, those by flood included
    int proofs;  // cells that were called proved, each checked against the board
    int false_proofs;
};

// Plays games as the agents `exact` and `champion` do, move by move: proved cells in row order,
// clues read again only when none is left, then a guess by its settings.
class Player {
public:
    // `nodes` bounds the work of one decision; `poll` is called now and then.
    Player(const GuessSettings& settings, std::int64_t nodes, Poll poll = {})
        : guesser_(settings), nodes_(nodes), poll_(std::move(poll)) {}
    virtual ~Player() = default;
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    // `mined` has one byte a cell; the first cell is opened for the player.
    GameResult play(const Grid& grid, int mines, const std::uint8_t* mined, int first);
    // Whether the game is won without a guess; it is left where one would be needed.
    bool proves(const Grid& grid, int mines, const std::uint8_t* mined, int first);
    // What the last game shows: one code a cell in row order.
    Held<std::uint8_t> shown() const { return solver_.field.grid().unpad(solver_.field.code); }

protected:
    // Which cell to guess where nothing is proved, from memory where it was decided before.
    virtual Decision decide();

    // Takes over the truth about a board.
    void deal(const std::uint8_t* mined);
    // Opens all that is proved, again and again. True if a guess is needed, false if every
    // safe cell is open, or a proof was false.
    bool exhaust();
    // Opens a cell and by flood what a 0 makes safe. False: a mine.
    bool open(int place);
    bool is_mined(int place) const { return mined_[place] != 0; }

    Grid grid_;
    Prior prior_ = Prior::known(0);
    Solver solver_;
    Guesser guesser_;
    Decisions decisions_;  // on this grid, with as many mines and as much open at the start
    Held<int> opened_;     // places, since the start
    Budget budget_;        // of the decision at hand
    int safe_left_ = 0;

private:
    Result run();
    // Opens what is proved safe. False: one of them was a mine, and the game is over.
    bool open_proved();
    // Checks the cells that were called mined, at the end of a game.
    void check_mines();
    // Takes over a board and opens the first cell. False: a mine.
    bool begin(const Grid& grid, int mines, const std::uint8_t* mined, int first);

    std::int64_t nodes_;
    Poll poll_;
    std::int64_t steps_ = 0;
    Held<std::uint8_t> mined_, truth_, scratch_;  // by place: the board, its clues
    Held<int> batch_, flood_;
    int guesses_ = 0;
    int moves_ = 0;
    int proofs_ = 0;
    int false_proofs_ = 0;
};

}  // namespace mineproof
