// What is known about each cell, updated cell by cell, with the one-clue rule.
#pragma once

#include <cstdint>

#include "grid.hpp"
#include "held.hpp"

namespace mineproof {

// The meaning of clues. `withheld` clues are exact when they are shown.
enum class ClueKind : std::uint8_t { exact, optimistic, cautious };

enum class Known : std::uint8_t {
    no_cell,  // opened, or off the board
    unknown,
    safe,
    mine,  // proved, or shown
};

// The number of mines that a clue leaves to its unknown neighbours.
struct Need {
    int low;
    int high;
};

// A position, and the conclusions from one clue at a time.
//
// For every place, it counts the neighbours that are unknown, known mines, or clues, so that
// reading a clue visits no neighbours. The eight neighbours of a cell are visited only once, when
// the cell stops being unknown. All arrays are indexed by place.
class Field {
public:
    // Sets up a board of this size with no open cells.
    void reset(const Grid& grid, ClueKind kind);
    // Loads a whole position: one code per cell, in row order.
    void load(const Grid& grid, ClueKind kind, const std::uint8_t* shown);

    // Opens an unopened cell that shows `value`: a clue, or `withheld`.
    void open(int place, std::uint8_t value);
    void prove_safe(int place);
    void prove_mine(int place);

    // Assumes that an unopened cell, which is not a known mine, shows a clue. Only the counts
    // around it are updated; no clue is read. `retract` undoes the last assumption, given what was
    // known about the cell before.
    void suppose(int place, std::uint8_t clue);
    void retract(int place, Known before);
    int asked = -1;  // the place of an assumed clue whose value is left open

    // Reads clues until no single one proves anything. Returns false if a clue is impossible.
    bool deduce();
    // Compares the changed clues with the clues near them, by the two-clue rule, until nothing more
    // follows or, unless `all` is set, until a cell is proved safe. Clues must be exact. Returns
    // whether a cell is proved safe; a layout that fits must exist.
    bool deduce_pairs(bool all);

    Need need(int place) const {
        const int left = code[place] - mines(place);
        if (kind_ == ClueKind::exact) return {left, left};
        if (kind_ == ClueKind::optimistic) return {left > 0 ? left : 0, unknown(place)};
        return {0, left < unknown(place) ? left : unknown(place)};
    }
    // Returns the likelihood of the clue if `count` of its unknown neighbours are mines.
    double weight(int place, int count) const;

    // The number of neighbours that are unknown, known mines, and clues.
    int unknown(int place) const { return static_cast<int>(near_[place] & 0xff); }
    int mines(int place) const { return static_cast<int>(near_[place] >> 8 & 0xff); }
    int clues(int place) const { return static_cast<int>(near_[place] >> 16 & 0xff); }

    const Grid& grid() const { return grid_; }
    ClueKind kind() const { return kind_; }
    bool is_clue(int place) const { return code[place] < unopened; }
    bool is_unknown(int place) const { return known[place] == Known::unknown; }
    bool is_interior(int place) const { return is_unknown(place) && clues(place) == 0; }

    Held<std::uint8_t> code;
    Held<Known> known;
    int unknown_cells = 0;
    int interior_cells = 0;  // unknown and not next to any clue
    int known_mines = 0;
    Held<int> proved_safe;  // in the order of their proofs, including opened ones
    Held<int> changed;      // clues with a change next to them, each once
    // Removes the mark of a clue in `changed`, before the list is cleared.
    void unmark(int clue) { near_[clue] &= ~change_mark; }

private:
    // Increments of the three counts that are packed into one number.
    static constexpr std::uint32_t one_unknown = 1, one_mine = 1 << 8, one_clue = 1 << 16;
    static constexpr std::uint32_t change_mark = 1 << 24;  // set for the clues in `changed`

    void resize(const Grid& grid, ClueKind kind);
    void leave_unknown(int place);
    void touch(int place);
    bool compare(int clue, int other, unsigned unknown_near, unsigned shared);

    Grid grid_;
    ClueKind kind_ = ClueKind::exact;
    Held<std::uint32_t> near_;
    Held<int> pending_;
    Held<std::uint8_t> scratch_, flags_, sums_;
};

}  // namespace mineproof
