// Whole games inside the core.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "guesser.hpp"
#include "solver.hpp"

namespace mineproof {

enum class Result : std::uint8_t { win, loss, stuck };

struct GameResult {
    Result result;
    int guesses;
    int moves;
    int opened;  // safe cells that were opened, those by flood included
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
    std::vector<std::uint8_t> shown() const;

protected:
    // The place to open; nothing is proved, and all risks are known. -1: none is left.
    virtual int guess(const Prior& prior, Budget& budget) {
        return guesser_.choose(solver_, prior, budget).place;
    }

    // Takes over the truth about a board.
    void deal(const Grid& grid, const std::uint8_t* mined);
    // Opens all that is proved, again and again. True if a guess is needed, false if every
    // safe cell is open.
    bool exhaust(const Prior& prior);
    // The same; if a guess is needed, all risks are known then.
    bool settle(const Prior& prior);
    // Opens a cell and by flood what a 0 makes safe. False: a mine.
    bool open(int place);
    bool is_mined(int place) const { return mined_[place] != 0; }

    Solver solver_;
    Guesser guesser_;
    Budget budget_;  // of the decision at hand
    int safe_left_ = 0;

private:
    Result run(const Prior& prior);
    void open_proved();
    // Takes over a board and opens the first cell. False: a mine.
    bool begin(const Grid& grid, const std::uint8_t* mined, int first);

    std::int64_t nodes_;
    Poll poll_;
    std::int64_t steps_ = 0;
    std::vector<std::uint8_t> mined_, truth_, scratch_;  // by place: the board, its clues
    std::vector<int> batch_, flood_;
    int guesses_ = 0;
    int moves_ = 0;
};

}  // namespace mineproof
