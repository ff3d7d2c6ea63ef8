#include "no_guess.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {

NoGuessDealer::NoGuessDealer(const Grid& grid, int mines, std::int64_t first, std::int64_t nodes,
                             Poll poll)
    : grid_(grid),
      mines_(mines),
      first_(static_cast<int>(first)),
      dealer_(grid, mines, Start::opening, first),
      player_(GuessSettings::safest(), nodes, std::move(poll)) {}

std::uint64_t NoGuessDealer::find(std::uint64_t seed, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t attempt = begin; attempt < end; ++attempt) {
        board_ = &dealer_.deal(seed, attempt);
        if (is_no_guess(board_->data())) return attempt;
    }
    return end;
}

bool NoGuessDealer::is_no_guess(const std::uint8_t* mined) {
    return !has_swap(mined) && player_.proves(grid_, mines_, mined, first_);
}

Held<std::uint8_t> NoGuessDealer::solve(const std::uint8_t* mined) {
    player_.proves(grid_, mines_, mined, first_);
    return player_.shown();
}

// Returns whether a mine and a safe cell have the same safe neighbours. If all other safe cells are
// open, swapping the two changes neither a clue nor the number of mines. The safe one cannot be
// opened by flood, because a 0 next to it would also be next to the mine.
bool NoGuessDealer::is_swap(int mine, int safe) const {
    if (safe_near_[mine] - grid_.is_near(mine, safe) != safe_near_[safe]) return false;
    for (int step : grid_.steps)
        if (safe_[safe + step] && !grid_.is_near(safe + step, mine)) return false;
    return true;
}

// Returns whether some 2 x 2 block has mines on one diagonal, and the diagonals can be swapped. This
// changes no clue next to the block, except at its corners, which must not be safe. The loop visits
// all places without branches, so that compilers turn it into vector code.
bool NoGuessDealer::is_crossed() {
    const int stride = grid_.stride, end = static_cast<int>(safe_.size()) - 2 * stride - 2;
    if (end <= stride + 1) return false;  // a single row
    const std::uint8_t* safe = safe_.data();
    std::uint8_t* crossed = scratch_.data();
    for (int place = stride + 1; place < end; ++place) {
        const std::uint8_t *block = safe + place, *below = block + stride;
        const std::uint8_t corners = block[-stride - 1] | block[-stride + 2] |
                                     below[stride - 1] | below[stride + 2];
        crossed[place] = (block[0] ^ block[1]) & ~(block[0] ^ below[1]) & ~(block[1] ^ below[0]) &
                         ~corners & 1;
    }
    const int first = grid_.place(first_);
    for (int near : {first, first - 1, first - stride, first - stride - 1}) crossed[near] = 0;
    return std::find(crossed + stride + 1, crossed + end, 1) != crossed + end;
}

bool NoGuessDealer::has_swap(const std::uint8_t* mined) {
    grid_.pad(mined, mined_, margin);
    safe_.resize(mined_.size());
    for (std::size_t place = 0; place < safe_.size(); ++place) safe_[place] = mined_[place] == 0;
    grid_.count_near(safe_, safe_near_, scratch_);
    if (is_crossed()) return true;
    constexpr int most_common = 4;  // maximum number of common neighbours of two adjacent cells
    const int first = grid_.place(first_);
    const int last = grid_.first_place(grid_.rows - 1) + grid_.columns;
    for (int place = grid_.first_place(0); place < last; ++place) {
        if (!safe_[place] || safe_near_[place] > most_common || place == first) continue;
        int around = place;  // a cell that the mine must touch
        for (int step : grid_.steps)
            if (safe_[place + step]) around = place + step;
        for (int step : grid_.steps)
            if (mined_[around + step] == 1 && is_swap(around + step, place)) return true;
    }
    return false;
}

}  // namespace mineproof
