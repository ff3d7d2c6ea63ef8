// What is known of each cell, kept up to date cell by cell, with the one-clue rule.
#pragma once

#include <cstdint>

#include "grid.hpp"
#include "held.hpp"

namespace mineproof {

// What clues mean; `withheld` clues are exact where they are shown.
enum class ClueKind : std::uint8_t { exact, optimistic, cautious };

enum class Known : std::uint8_t {
    no_cell,  // opened, or beside the board
    unknown,
    safe,
    mine,  // proved, or shown
};

// How many mines a clue leaves to its unknown neighbours.
struct Need {
    int low;
    int high;
};

// A position, and what one clue at a time proves in it.
//
// For every place it keeps how many neighbours are unknown, known mines, or clues, so that
// reading a clue costs nothing. A cell leaves the unknown ones once; that is when its eight
// neighbours are visited. All arrays are by place.
class Field {
public:
    // A board of this size with nothing opened.
    void reset(const Grid& grid, ClueKind kind);
    // A whole position: one code a cell in row order.
    void load(const Grid& grid, ClueKind kind, const std::uint8_t* shown);

    // An unopened cell shows `value`: a clue, or `withheld`.
    void open(int place, std::uint8_t value);
    void prove_safe(int place);
    void prove_mine(int place);

    // An unopened cell that is not known to be a mine shows a clue for the sake of argument:
    // only the counts around it follow, no clue is read. `retract` takes it back, given what
    // was known of it before; the last supposition first.
    void suppose(int place, std::uint8_t clue);
    void retract(int place, Known before);
    int asked = -1;  // the place of a clue that is supposed, but not which one

    // Reads clues until no single one proves anything. False: some clue cannot be right.
    bool deduce();

    Need need(int place) const {
        const int left = code[place] - mines(place);
        if (kind_ == ClueKind::exact) return {left, left};
        if (kind_ == ClueKind::optimistic) return {left > 0 ? left : 0, unknown(place)};
        return {0, left < unknown(place) ? left : unknown(place)};
    }
    // The likelihood of the clue there if `count` of its unknown neighbours are mined.
    double weight(int place, int count) const;

    // How many neighbours of a place are unknown, known to be mines, and clues.
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
    int interior_cells = 0;  // unknown and next to no clue
    int known_mines = 0;
    Held<int> proved_safe;  // in the order of their proofs, opened ones included
    Held<int> changed;      // clues with something new beside them, each once
    Held<std::uint8_t> is_changed;

private:
    // Steps of the three counts that are packed into one number.
    static constexpr std::uint32_t one_unknown = 1, one_mine = 1 << 8, one_clue = 1 << 16;

    void resize(const Grid& grid, ClueKind kind);
    void leave_unknown(int place);
    void touch(int place);

    Grid grid_;
    ClueKind kind_ = ClueKind::exact;
    Held<std::uint32_t> near_;
    Held<int> pending_;
    Held<std::uint8_t> scratch_, flags_, sums_;
};

}  // namespace mineproof
