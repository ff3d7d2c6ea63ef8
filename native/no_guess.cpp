#include "no_guess.hpp"

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

// Returns whether a 2 x 2 block has mines on one diagonal, and the diagonals can be swapped. This
// changes no clue next to the block, except at its corners, which must not be safe.
bool NoGuessDealer::is_crossed(int place) const {
    const int below = place + grid_.stride;
    if (safe_[place] == safe_[place + 1] || safe_[place] != safe_[below + 1] ||
        safe_[place + 1] != safe_[below])
        return false;
    const int above = place - grid_.stride, last = below + grid_.stride;
    if (safe_[above - 1] || safe_[above + 2] || safe_[last - 1] || safe_[last + 2]) return false;
    const int first = grid_.place(first_);
    return first != place && first != place + 1 && first != below && first != below + 1;
}

bool NoGuessDealer::has_swap(const std::uint8_t* mined) {
    grid_.pad(mined, mined_, margin);
    safe_.resize(mined_.size());
    for (std::size_t place = 0; place < safe_.size(); ++place) safe_[place] = mined_[place] == 0;
    grid_.count_near(safe_, safe_near_, scratch_);
    constexpr int most_common = 4;  // maximum number of common neighbours of two adjacent cells
    const int first = grid_.place(first_);
    const int last = grid_.first_place(grid_.rows - 1) + grid_.columns;
    for (int place = grid_.first_place(0); place < last; ++place) {
        if (is_crossed(place)) return true;
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
