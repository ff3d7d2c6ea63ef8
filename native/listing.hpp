// Lists all layouts of a part of a position, if there are few.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chart.hpp"
#include "held.hpp"
#include "region.hpp"
#include "solver.hpp"

namespace mineproof {

// Lists layouts as rows of the values that each cell would show, in the format that `Endgame`
// loads. It keeps its memory from one position to the next.
class Listing {
public:
    Held<int> places;         // the cells of a row
    Held<std::uint8_t> rows;  // layouts x places: the value that each would show, or a mine
    Held<int> mines;          // by layout
    int count = 0;

    // Lists all layouts of a region. The solver must be up to date, with exact clues. Returns
    // false, with unusable rows, if there are more than `limit` layouts or if the work is too much.
    bool list(const Solver& solver, const Region& region, int limit);

private:
    // The numbers of mines that can be placed from a state of a component on: a set of bits.
    using Support = Held<Word>;

    bool prepare();
    void add_supports(const Lattice& lattice, std::size_t first, std::size_t after);
    bool can_lay(std::size_t support, int mines) const;
    bool list_with(int mines);
    bool walk(std::size_t component, std::uint32_t state, std::size_t layer, int left);
    bool fill(std::size_t component, std::uint32_t to, std::size_t layer, std::size_t cell,
              int mines, int left);
    bool fill_inside(std::size_t next, int left);
    void lay(int place, int change);
    bool emit();

    const Solver* solver_ = nullptr;
    int limit_ = 0;
    int total_ = 0;  // number of mines of the layouts to list
    Held<int> components_;
    Held<int> inside_;         // unknown cells that touch no clue
    Held<std::uint8_t> shown_;  // by place: neighbouring mines, and `laid` if it is a mine
    std::size_t words_ = 0;            // in a support
    Held<std::size_t> first_;   // by component, then for the inside: its first support
    Support supports_;
};

}  // namespace mineproof
