// Whole games of the agent `exact`, inside the core.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "solver.hpp"

namespace mineproof {

enum class Result : std::uint8_t { win, loss, stuck };

struct GameResult {
    Result result;
    int guesses;
    int moves;
    int opened;  // safe cells that were opened, those by flood included
};

// Plays what src/mineproof/agents/exact.py plays, move by move: proved cells in row order,
// clues read again only when none is left, then the safest cell.
class ExactPlayer {
public:
    // `nodes` bounds the work of one decision; `poll` is called now and then.
    explicit ExactPlayer(std::int64_t nodes, Poll poll = {})
        : nodes_(nodes), poll_(std::move(poll)) {}

    // `mined` has one byte a cell; the first cell is opened for the player.
    GameResult play(const Grid& grid, int mines, const std::uint8_t* mined, int first);

private:
    void deal(const Grid& grid, const std::uint8_t* mined);
    Result run(const Prior& prior);
    bool open(int place);
    void open_proved();
    void take_verdicts();
    int safest() const;

    std::int64_t nodes_;
    Poll poll_;
    std::int64_t steps_ = 0;
    Solver solver_;
    std::vector<std::uint8_t> mined_, truth_, scratch_;  // by place: the board, its clues
    std::vector<int> batch_, flood_;
    int safe_left_ = 0;
    int guesses_ = 0;
    int moves_ = 0;
};

}  // namespace mineproof
