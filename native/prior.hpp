// How likely each number of mines is before any cell is opened.
#pragma once

#include <cstdint>

namespace mineproof {

// The weight of a layout with m mines on a board of `cells` cells:
//   known: 1 if m is `low`, else 0;
//   density: p^m (1 - p)^(cells - m), 0 < p < 1;
//   range: 1 / C(cells, m) if low <= m <= high (every number equally likely), else 0.
struct Prior {
    enum class Kind : std::uint8_t { known, density, range };

    Kind kind = Kind::known;
    int low = 0;
    int high = 0;
    double density = 0;

    static Prior known(int mines) { return {Kind::known, mines, mines, 0}; }
    static Prior of_density(double p) { return {Kind::density, 0, 0, p}; }
    static Prior range(int low, int high) { return {Kind::range, low, high, 0}; }
};

}  // namespace mineproof
