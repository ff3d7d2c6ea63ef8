#include "field.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace mineproof {
namespace {

// Pairs of clues that can have a common neighbour. The second clue has an offset from the first,
// numbered row by row: 0 to 24.
struct Pairs {
    std::array<unsigned, 25> shared{};    // by offset: the common neighbours, a bit per direction
    std::array<unsigned, 256> offsets{};  // by set of directions: a bit per offset that shares one
};
constexpr Pairs make_pairs() {
    Pairs pairs;
    for (unsigned i = 0; i < 8; ++i)
        for (const auto [down, right] : Grid::directions) {
            const int row = Grid::directions[i].down + down, column = Grid::directions[i].right + right;
            if (row != 0 || column != 0) pairs.shared[(row + 2) * 5 + column + 2] |= 1u << i;
        }
    for (unsigned set = 0; set < 256; ++set)
        for (unsigned offset = 0; offset < 25; ++offset)
            if ((pairs.shared[offset] & set) != 0) pairs.offsets[set] |= 1u << offset;
    return pairs;
}
constexpr Pairs pairs = make_pairs();

}  // namespace

void Field::resize(const Grid& grid, ClueKind kind) {
    grid_ = grid;
    kind_ = kind;
    const std::size_t places = grid.places();
    code.assign(places, margin);
    known.assign(places, Known::no_cell);
    near_.assign(places, 0);
    proved_safe.clear();
    changed.clear();
    pending_.clear();
    known_mines = 0;
    asked = -1;
}

void Field::reset(const Grid& grid, ClueKind kind) {
    resize(grid, kind);
    for (int row = 0; row < grid.rows; ++row) {
        const int first = grid.first_place(row);
        std::fill_n(code.begin() + first, grid.columns, unopened);
        std::fill_n(known.begin() + first, grid.columns, Known::unknown);
        std::fill_n(near_.begin() + first, grid.columns, grid.degree(row, 1) * one_unknown);
        for (int column : {0, grid.columns - 1})
            near_[first + column] = grid.degree(row, column) * one_unknown;
    }
    unknown_cells = interior_cells = grid.cells();
}

void Field::load(const Grid& grid, ClueKind kind, const std::uint8_t* shown) {
    resize(grid, kind);
    grid.pad(shown, code, margin);
    const std::size_t places = grid.places();
    flags_.resize(places);
    const auto count = [&](auto is_one, std::uint32_t step) {
        for (std::size_t p = 0; p < places; ++p) flags_[p] = is_one(code[p]);
        grid.count_near(flags_, sums_, scratch_);
        for (std::size_t p = 0; p < places; ++p) near_[p] += sums_[p] * step;
    };
    count([](std::uint8_t shows) { return shows == exploded; }, one_mine);
    count([](std::uint8_t shows) { return shows < unopened; }, one_clue);
    count([](std::uint8_t shows) { return shows == unopened; }, one_unknown);
    unknown_cells = interior_cells = 0;
    for (std::size_t p = 0; p < places; ++p) {
        const bool is_open = code[p] != unopened, is_mine = code[p] == exploded;
        known[p] = is_mine ? Known::mine : is_open ? Known::no_cell : Known::unknown;
        unknown_cells += !is_open;
        interior_cells += !is_open && near_[p] < one_clue;
        known_mines += is_mine;
    }
    for (std::size_t p = 0; p < places; ++p)
        if (code[p] < unopened) touch(static_cast<int>(p));
}

// Records that something next to a clue has changed. The clue must be read again if it is
// satisfied, impossible, or needs all its unknown neighbours.
inline void Field::touch(int place) {
    if ((near_[place] & change_mark) == 0) {
        near_[place] |= change_mark;
        changed.push_back(place);
    }
    const Need left = need(place);
    if (left.high <= 0 || left.low >= unknown(place)) pending_.push_back(place);
}

inline void Field::leave_unknown(int place) {
    --unknown_cells;
    interior_cells -= clues(place) == 0;
}

void Field::prove_safe(int place) {
    leave_unknown(place);
    known[place] = Known::safe;
    proved_safe.push_back(place);
    for (int step : grid_.steps) {
        near_[place + step] -= one_unknown;
        if (is_clue(place + step)) touch(place + step);
    }
}

void Field::prove_mine(int place) {
    leave_unknown(place);
    known[place] = Known::mine;
    ++known_mines;
    for (int step : grid_.steps) {
        near_[place + step] += one_mine - one_unknown;
        if (is_clue(place + step)) touch(place + step);
    }
}

void Field::open(int place, std::uint8_t value) {
    const bool was_unknown = is_unknown(place);
    if (was_unknown) leave_unknown(place);
    known[place] = Known::no_cell;
    code[place] = value;
    const bool is_clue_now = value < unopened;
    const std::uint32_t change = (is_clue_now ? one_clue : 0) - (was_unknown ? one_unknown : 0);
    std::uint32_t* const counts = near_.data() + place;
    const Known* const state = known.data() + place;
    const std::uint8_t* const codes = code.data() + place;
    int interior = 0;
    for (int step : grid_.steps) {
        interior += state[step] == Known::unknown && counts[step] < one_clue;
        counts[step] += change;
        if (was_unknown && codes[step] < unopened) touch(place + step);
    }
    if (is_clue_now) interior_cells -= interior;
    if (is_clue_now) touch(place);
}

void Field::suppose(int place, std::uint8_t clue) {
    const bool was_unknown = is_unknown(place);
    if (was_unknown) leave_unknown(place);
    known[place] = Known::no_cell;
    code[place] = clue;
    for (int step : grid_.steps) {
        interior_cells -= is_interior(place + step);
        near_[place + step] += one_clue - (was_unknown ? one_unknown : 0);
    }
}

void Field::retract(int place, Known before) {
    const bool was_unknown = before == Known::unknown;
    for (int step : grid_.steps) {
        near_[place + step] -= one_clue - (was_unknown ? one_unknown : 0);
        interior_cells += is_interior(place + step);
    }
    code[place] = unopened;
    known[place] = before;
    if (place == asked) asked = -1;
    if (!was_unknown) return;
    interior_cells += clues(place) == 0;
    ++unknown_cells;
}

bool Field::deduce() {
    while (!pending_.empty()) {
        const int clue = pending_.back();
        pending_.pop_back();
        const Need left = need(clue);
        if (left.low > unknown(clue) || left.high < 0) return false;
        if (unknown(clue) == 0) continue;
        const bool safe = left.high == 0;
        if (!safe && left.low < unknown(clue)) continue;
        for (int step : grid_.steps)
            if (is_unknown(clue + step)) safe ? prove_safe(clue + step) : prove_mine(clue + step);
    }
    return true;
}

// Compares two clues. If the first needs as many mines more than the second as it has neighbours of
// its own, those are mines, and the second's own neighbours are safe. Returns whether cells changed.
bool Field::compare(int clue, int other, unsigned unknown_near, unsigned shared) {
    const int more = code[clue] - mines(clue) - (code[other] - mines(other));
    const int common = std::popcount(unknown_near & shared);
    const int own = unknown(clue) - common, others = unknown(other) - common;
    if ((more != own && -more != others) || own + others == 0) return false;
    const bool own_mined = more == own;
    for (std::size_t i = 0; i < grid_.steps.size(); ++i)
        if ((unknown_near & ~shared) >> i & 1) {
            const int place = clue + grid_.steps[i];
            own_mined ? prove_mine(place) : prove_safe(place);
        }
    for (int step : grid_.steps)
        if (is_unknown(other + step) && !grid_.is_near(other + step, clue))
            own_mined ? prove_safe(other + step) : prove_mine(other + step);
    return true;
}

bool Field::deduce_pairs(bool all) {
    for (std::size_t next = 0; next < changed.size(); ++next) {
        const int clue = changed[next];
        if (unknown(clue) == 0) continue;
        unsigned near = 0;
        for (std::size_t i = 0; i < grid_.steps.size(); ++i)
            near |= static_cast<unsigned>(is_unknown(clue + grid_.steps[i])) << i;
        for (unsigned rest = pairs.offsets[near]; rest != 0; rest &= rest - 1) {
            const int offset = std::countr_zero(rest);
            const int other = clue + (offset / 5 - 2) * grid_.stride + offset % 5 - 2;
            if (!is_clue(other) || !compare(clue, other, near, pairs.shared[offset])) continue;
            deduce();
            if (!all && !proved_safe.empty()) return true;
            break;
        }
    }
    return !proved_safe.empty();
}

double Field::weight(int place, int count) const {
    const int truth = mines(place) + count;
    const int degree = grid_.degree(place);
    if (kind_ == ClueKind::optimistic) return truth >= code[place] ? 1.0 / (truth + 1) : 0.0;
    if (kind_ == ClueKind::cautious)
        return truth <= code[place] && truth <= degree ? 1.0 / (degree - truth + 1) : 0.0;
    return truth == code[place] ? 1.0 : 0.0;
}

}  // namespace mineproof
