// Plays games with a wrong number of mines, so that proofs turn out false. Prints the result of each,
// the number of cells called proved, and how many of these claims were false.
#include <cstdio>
#include <vector>

#include "../../native/player.hpp"

namespace {

void play(const std::vector<std::uint8_t>& row, int mines) {
    mineproof::Player player(mineproof::GuessSettings::safest(), 1000);
    const mineproof::Grid grid(1, static_cast<int>(row.size()));
    const mineproof::GameResult game = player.play(grid, mines, row.data(), 0);
    std::printf("%d %d %d\n", static_cast<int>(game.result), game.proofs, game.false_proofs);
}

}  // namespace

int main() {
    play({0, 0, 1, 0, 0}, 1);  // true: 1 mine, 2 safe cells
    play({0, 0, 1, 1, 0}, 1);  // the next cell is called safe, and explodes
    play({0, 0, 1, 0, 0}, 3);  // the last two cells are called mined: nothing is left to open
}
