// All layouts of a part of a position, where they are few.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chart.hpp"
#include "held.hpp"
#include "region.hpp"
#include "solver.hpp"

namespace mineproof {

// Lists layouts as rows of what each cell would show, the form in which `Endgame` takes them.
// It keeps its memory from one position to the next.
class Listing {
public:
    Held<int> places;         // the cells of a row
    Held<std::uint8_t> rows;  // layouts x places: what each would show, or a mine
    Held<int> mines;          // by layout
    int count = 0;

    // Lists all layouts of a region of an updated solver with exact clues. False: there are more
    // than `limit`, or too much to look at, and the rows are of no use.
    bool list(const Solver& solver, const Region& region, int limit);

private:
    // The numbers of mines that can be laid from a state of a component on: a set of bits.
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
    int total_ = 0;  // the mines of the layouts that are being listed
    Held<int> components_;
    Held<int> inside_;         // unknown cells next to no clue
    Held<std::uint8_t> shown_;  // by place: mined neighbours, and `laid` if it is mined
    std::size_t words_ = 0;            // of a support
    Held<std::size_t> first_;   // by component, and for the inside: its first support
    Support supports_;
};

}  // namespace mineproof
