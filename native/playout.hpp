// Games continued from a position, on layouts that could be the real one.
#pragma once

#include <cstdint>

#include "held.hpp"
#include "player.hpp"
#include "random.hpp"
#include "sample.hpp"

namespace mineproof {

// Plays a position to its end with the fast policy and returns the chance of winning.
//
// An ordinary playout wins or loses. Here, a guess multiplies the result by its safety instead. If
// the cell is a mine, another layout replaces the current one: it is drawn among those in which the
// cell is safe, and is as similar as possible. If the endgame can be solved, its exact value ends
// the playout. The result has the same mean, and a much smaller variance.
class Playout final : private Player {
public:
    // A playout worth less than `least` is abandoned, or raised to `least`, at random so that the
    // mean stays the same. `poll` is called before every guess; an exception from it ends the
    // playout.
    Playout(const GuessSettings& settings, std::int64_t nodes, double least = 0.01, Poll poll = {})
        : Player(settings, nodes, poll), least_(least), before_guess_(std::move(poll)) {}

    // Switches to a position: one code per cell, in row order.
    void begin(const Grid& grid, int mines, const std::uint8_t* shown);
    // Opens `place` first, which must be safe in the layout (one byte per cell). Later random draws
    // for a cell depend only on the stream and the cell, so that playouts share them.
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
