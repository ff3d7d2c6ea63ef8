#include "deal.hpp"

#include <stdexcept>

#include "random.hpp"

namespace mineproof {

BoardDealer::BoardDealer(const Grid& grid, int mines, Start start, std::int64_t first) {
    if (mines < 0 || mines >= grid.cells())
        throw std::invalid_argument("expected fewer mines than cells");
    if (start != Start::any && !grid.has(first))
        throw std::invalid_argument("expected a first cell on the board");
    forced_.assign(grid.cells(), 0);
    Held<std::uint8_t> is_kept(grid.cells(), 0);  // free of mines, if there is space elsewhere
    Held<int> near;
    if (start == Start::opening)
        grid.each_near(static_cast<int>(first), [&](int cell) {
            is_kept[cell] = 1;
            near.push_back(cell);
        });
    if (start != Start::any) is_kept[first] = 1;
    for (int cell = 0; cell < grid.cells(); ++cell)
        if (!is_kept[cell]) free_.push_back(cell);
    left_ = static_cast<std::size_t>(mines);
    if (left_ > free_.size()) {  // only under `opening`: mine all distant cells first
        for (int cell : free_) forced_[cell] = 1;
        left_ -= free_.size();
        free_.swap(near);
    }
}

const Held<std::uint8_t>& BoardDealer::deal(std::uint64_t seed, std::uint64_t attempt) {
    mined_ = forced_;
    pool_ = free_;
    Stream(seed, Purpose::deal, attempt).choose(pool_, left_);
    for (std::size_t place = 0; place < left_; ++place) mined_[pool_[place]] = 1;
    return mined_;
}

Held<std::uint8_t> deal(const Grid& grid, int mines, Start start, std::int64_t first,
                        std::uint64_t seed) {
    return BoardDealer(grid, mines, start, first).deal(seed, 0);
}

}  // namespace mineproof
