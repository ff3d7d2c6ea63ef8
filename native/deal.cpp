#include "deal.hpp"

#include <cstdlib>
#include <stdexcept>

#include "random.hpp"

namespace mineproof {
namespace {

constexpr int max_side = 1000;

void check(int rows, int columns, int mines, Start start, std::int64_t first) {
    if (rows < 1 || rows > max_side || columns < 1 || columns > max_side)
        throw std::invalid_argument("expected 1 to 1000 rows and columns");
    const std::int64_t size = std::int64_t{rows} * columns;
    if (mines < 0 || mines >= size)
        throw std::invalid_argument("expected fewer mines than cells");
    if (start != Start::any && (first < 0 || first >= size))
        throw std::invalid_argument("expected a first cell on the board");
}

// How a cell lies to the first cell: 0 the cell itself, 1 a neighbour, 2 farther off.
int distance(int cell, int first, int columns) {
    const int down = std::abs(cell / columns - first / columns);
    const int right = std::abs(cell % columns - first % columns);
    return down > 1 || right > 1 ? 2 : (down | right);
}

}  // namespace

BoardDealer::BoardDealer(int rows, int columns, int mines, Start start, std::int64_t first) {
    check(rows, columns, mines, start, first);
    const int size = rows * columns;
    const int origin = static_cast<int>(first);
    forced_.assign(size, 0);
    Held<int> near;
    free_.reserve(size);
    for (int cell = 0; cell < size; ++cell) {
        const int apart = start == Start::any ? 2 : distance(cell, origin, columns);
        if (apart == 2 || (apart == 1 && start == Start::safe)) free_.push_back(cell);
        else if (apart == 1) near.push_back(cell);
    }
    left_ = static_cast<std::size_t>(mines);
    if (left_ > free_.size()) {  // only under `opening`: mine all that is far, the rest near
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

Held<std::uint8_t> deal(int rows, int columns, int mines, Start start, std::int64_t first,
                               std::uint64_t seed) {
    return BoardDealer(rows, columns, mines, start, first).deal(seed, 0);
}

}  // namespace mineproof
