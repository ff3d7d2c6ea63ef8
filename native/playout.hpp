// Games played on from a position, on layouts that could be the truth.
#pragma once

#include <cstdint>

#include "held.hpp"
#include "player.hpp"
#include "random.hpp"
#include "sample.hpp"

namespace mineproof {

// Plays a position to its end by the fast policy and gives the chance to win.
//
// A plain playout wins or loses. Here a guess multiplies the result by its safety instead; if
// the cell is a mine, another layout takes the place of the present one, drawn among those
// that have it safe, and as much like it as can be. Where the endgame can be solved, its exact
// value ends the playout. So the result has the same mean, and spreads far less.
class Playout final : private Player {
public:
    // A playout worth less than `least` is given up, or raised to `least`, such that the mean
    // stays. `poll` is called before every guess; what it throws ends the playout.
    Playout(const GuessSettings& settings, std::int64_t nodes, double least = 0.01, Poll poll = {})
        : Player(settings, nodes, poll), least_(least), before_guess_(std::move(poll)) {}

    // Turns to a position: one code a cell in row order.
    void begin(const Grid& grid, int mines, const std::uint8_t* shown);
    // Opens `place` first, which is safe in the layout (one byte a cell). What is drawn later for
    // a cell depends on the stream and the cell alone, so that playouts have it in common.
    double play(const std::uint8_t* layout, int place, Stream& stream);

private:
    bool is_kept(double& worth, Stream& stream) const;
    bool redraw(int place, std::uint64_t seed);

    Held<std::uint8_t> shown_;
    Redraw redraw_;
    double least_;
    Poll before_guess_;
    Held<std::uint8_t> layout_;
};

}  // namespace mineproof
