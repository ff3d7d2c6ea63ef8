#include "field.hpp"

#include <algorithm>
#include <cstring>

namespace mineproof {
namespace {

// Sums each 3x3 square of `cells` except its centre. Written as two passes over whole arrays
// because compilers turn these into vector code; it is a tenth of the cost of visiting
// neighbours one by one.
void sum_neighbours(const Grid& grid, const std::uint8_t* cells, std::uint8_t* row_sums,
                    std::uint8_t* sums) {
    const int places = static_cast<int>(grid.places());
    const int stride = grid.stride;
    row_sums[0] = row_sums[places - 1] = 0;
    for (int p = 1; p + 1 < places; ++p)
        row_sums[p] = static_cast<std::uint8_t>(cells[p - 1] + cells[p] + cells[p + 1]);
    for (int p = stride; p < places - stride; ++p)
        sums[p] = static_cast<std::uint8_t>(row_sums[p - stride] + row_sums[p] +
                                            row_sums[p + stride] - cells[p]);
}

}  // namespace

void Field::resize(const Grid& grid, ClueKind kind) {
    grid_ = grid;
    kind_ = kind;
    const std::size_t places = grid.places();
    code.assign(places, margin);
    known.assign(places, Known::no_cell);
    unknown.assign(places, 0);
    mines.assign(places, 0);
    clues.assign(places, 0);
    is_changed.assign(places, 0);
    proved_safe.clear();
    changed.clear();
    pending_.clear();
    known_mines = 0;
}

void Field::reset(const Grid& grid, ClueKind kind) {
    resize(grid, kind);
    for (int row = 0; row < grid.rows; ++row) {
        const int first = grid.first_place(row);
        std::memset(&code[first], unopened, grid.columns);
        std::fill_n(known.begin() + first, grid.columns, Known::unknown);
        const int high = 1 + (row > 0) + (row + 1 < grid.rows);
        std::memset(&unknown[first], 3 * high - 1, grid.columns);
        unknown[first] = static_cast<std::uint8_t>(unknown[first] - high);
        unknown[first + grid.columns - 1] =
            static_cast<std::uint8_t>(unknown[first + grid.columns - 1] - high);
    }
    unknown_cells = interior_cells = grid.cells();
}

void Field::load(const Grid& grid, ClueKind kind, const std::uint8_t* shown) {
    resize(grid, kind);
    for (int row = 0; row < grid.rows; ++row)
        std::memcpy(&code[grid.first_place(row)], shown + std::size_t(row) * grid.columns,
                    grid.columns);
    const std::size_t places = grid.places();
    scratch_.resize(2 * places);
    std::uint8_t* flags = scratch_.data();
    std::uint8_t* row_sums = flags + places;
    for (std::size_t p = 0; p < places; ++p) flags[p] = code[p] == exploded;
    sum_neighbours(grid, flags, row_sums, mines.data());
    for (std::size_t p = 0; p < places; ++p) flags[p] = code[p] < unopened;
    sum_neighbours(grid, flags, row_sums, clues.data());
    for (std::size_t p = 0; p < places; ++p) flags[p] = code[p] == unopened;
    sum_neighbours(grid, flags, row_sums, unknown.data());
    unknown_cells = interior_cells = known_mines = 0;
    for (std::size_t p = 0; p < places; ++p) {
        known[p] = static_cast<Known>(flags[p] + 3 * (code[p] == exploded));
        unknown_cells += flags[p];
        interior_cells += flags[p] & (clues[p] == 0);
        known_mines += code[p] == exploded;
    }
    for (std::size_t p = 0; p < places; ++p)
        if (code[p] < unopened) touch(static_cast<int>(p));
}

void Field::note(int place) {
    if (!is_changed[place]) {
        is_changed[place] = 1;
        changed.push_back(place);
    }
    // A clue that is satisfied, or impossible, or that needs all its unknown neighbours.
    const Need left = need(place);
    if (left.high <= 0 || left.low >= unknown[place]) pending_.push_back(place);
}

inline void Field::touch(int place) {
    if (code[place] < unopened) note(place);
}

inline void Field::leave_unknown(int place) {
    --unknown_cells;
    interior_cells -= clues[place] == 0;
    for (int step : grid_.steps) --unknown[place + step];
}

void Field::prove_safe(int place) {
    leave_unknown(place);
    known[place] = Known::safe;
    proved_safe.push_back(place);
    for (int step : grid_.steps) touch(place + step);
}

void Field::prove_mine(int place) {
    leave_unknown(place);
    known[place] = Known::mine;
    ++known_mines;
    for (int step : grid_.steps) {
        ++mines[place + step];
        touch(place + step);
    }
}

void Field::open(int place, std::uint8_t value) {
    const bool was_unknown = is_unknown(place);
    if (was_unknown) leave_unknown(place);
    known[place] = Known::no_cell;
    code[place] = value;
    if (value < unopened)
        for (int step : grid_.steps)
            if (clues[place + step]++ == 0) interior_cells -= is_unknown(place + step);
    if (was_unknown)
        for (int step : grid_.steps) touch(place + step);
    touch(place);
}

void Field::suppose(int place, std::uint8_t clue) {
    leave_unknown(place);
    known[place] = Known::no_cell;
    code[place] = clue;
    for (int step : grid_.steps)
        if (clues[place + step]++ == 0) interior_cells -= is_unknown(place + step);
}

void Field::retract(int place) {
    for (int step : grid_.steps)
        if (--clues[place + step] == 0) interior_cells += is_unknown(place + step);
    code[place] = unopened;
    known[place] = Known::unknown;
    for (int step : grid_.steps) ++unknown[place + step];
    interior_cells += clues[place] == 0;
    ++unknown_cells;
}

bool Field::deduce() {
    while (!pending_.empty()) {
        const int clue = pending_.back();
        pending_.pop_back();
        const Need left = need(clue);
        if (left.low > unknown[clue] || left.high < 0) return false;
        if (unknown[clue] == 0) continue;
        const bool safe = left.high == 0;
        if (!safe && left.low < unknown[clue]) continue;
        for (int step : grid_.steps)
            if (is_unknown(clue + step)) safe ? prove_safe(clue + step) : prove_mine(clue + step);
    }
    return true;
}

double Field::weight(int place, int count) const {
    const int truth = mines[place] + count;
    const int degree = grid_.degree(place);
    if (kind_ == ClueKind::optimistic) return truth >= code[place] ? 1.0 / (truth + 1) : 0.0;
    if (kind_ == ClueKind::cautious)
        return truth <= code[place] && truth <= degree ? 1.0 / (degree - truth + 1) : 0.0;
    return truth == code[place] ? 1.0 : 0.0;
}

}  // namespace mineproof
