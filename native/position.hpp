// A position as received from a caller: flat and checked, but not analysed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "deal.hpp"
#include "field.hpp"
#include "grid.hpp"
#include "held.hpp"
#include "interior.hpp"

namespace mineproof {

struct Position {
    Grid grid;
    ClueKind clues = ClueKind::exact;
    Prior prior;
    Held<std::uint8_t> shown;  // one code per cell, in row order
};

// All of these throw std::invalid_argument with a message about what was expected.

inline int checked_cell(const Grid& grid, std::int64_t cell, const char* expected) {
    if (!grid.has(cell)) throw std::invalid_argument(expected);
    return static_cast<int>(cell);
}

inline Start start_named(std::string_view name) {
    if (name == "any" || name == "given") return Start::any;
    if (name == "safe") return Start::safe;
    if (name == "opening") return Start::opening;
    throw std::invalid_argument("expected a start any, safe, opening or given, got " +
                                std::string(name));
}

inline ClueKind clues_named(std::string_view name) {
    if (name == "exact" || name == "withheld") return ClueKind::exact;
    if (name == "optimistic") return ClueKind::optimistic;
    if (name == "cautious") return ClueKind::cautious;
    throw std::invalid_argument("expected clues exact, withheld, optimistic or cautious, got " +
                                std::string(name));
}

// `known` and `range` take the minimum and maximum number of mines; `density` takes its value
// twice.
inline Prior prior_named(std::string_view kind, double low, double high) {
    constexpr int max_cells = max_side * max_side;
    if (kind == "density") {
        if (!(low > 0 && low < 1))
            throw std::invalid_argument("expected a density between 0 and 1");
        return Prior::of_density(low);
    }
    if (!(0 <= low && low <= high && low <= max_cells))
        throw std::invalid_argument("expected numbers of mines from 0 to 1000000, in order");
    const int least = static_cast<int>(low);
    const int most = static_cast<int>(std::min<double>(high, max_cells));
    if (kind == "range") return Prior::range(least, most);
    if (kind == "known" && least == most) return Prior::known(least);
    throw std::invalid_argument("expected a prior known, density or range, got " +
                                std::string(kind));
}

inline Position checked_position(int rows, int columns, std::span<const std::uint8_t> shown,
                                 std::string_view clues, const Prior& prior) {
    const Grid grid = Grid::checked(rows, columns);
    if (shown.size() != static_cast<std::size_t>(grid.cells()))
        throw std::invalid_argument("expected one code per cell");
    if (std::any_of(shown.begin(), shown.end(), [](auto code) { return code > exploded; }))
        throw std::invalid_argument("expected codes from 0 to 11");
    return {grid, clues_named(clues), prior, {shown.begin(), shown.end()}};
}

}  // namespace mineproof
