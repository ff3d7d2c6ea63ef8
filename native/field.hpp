// What is known of each cell, kept up to date cell by cell, with the one-clue rule.
#pragma once

#include <cstdint>
#include <vector>

#include "grid.hpp"

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
// For every place it keeps how many neighbours are unknown and how many are known mines, so
// that reading a clue costs nothing. A cell leaves the unknown ones once; that is when its
// eight neighbours are visited. All arrays are by place.
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

    // An unknown cell shows a clue for the sake of argument: only the counts around it follow,
    // no clue is read. `retract` takes it back; the last supposition first.
    void suppose(int place, std::uint8_t clue);
    void retract(int place);

    // Reads clues until no single one proves anything. False: some clue cannot be right.
    bool deduce();

    Need need(int place) const {
        const int left = code[place] - mines[place];
        if (kind_ == ClueKind::exact) return {left, left};
        if (kind_ == ClueKind::optimistic) return {left > 0 ? left : 0, unknown[place]};
        return {0, left < unknown[place] ? left : unknown[place]};
    }
    // The likelihood of the clue there if `count` of its unknown neighbours are mined.
    double weight(int place, int count) const;

    const Grid& grid() const { return grid_; }
    ClueKind kind() const { return kind_; }
    bool is_clue(int place) const { return code[place] < unopened; }
    bool is_unknown(int place) const { return known[place] == Known::unknown; }
    bool is_interior(int place) const { return is_unknown(place) && clues[place] == 0; }

    std::vector<std::uint8_t> code;
    std::vector<Known> known;
    std::vector<std::uint8_t> unknown;  // unknown neighbours
    std::vector<std::uint8_t> mines;    // neighbours known to be mines
    std::vector<std::uint8_t> clues;    // neighbours that show a clue

    int unknown_cells = 0;
    int interior_cells = 0;  // unknown and next to no clue
    int known_mines = 0;
    std::vector<int> proved_safe;  // in the order of their proofs, opened ones included
    std::vector<int> changed;      // clues with something new beside them, each once
    std::vector<std::uint8_t> is_changed;

private:
    void leave_unknown(int place);
    void touch(int place);
    void note(int place);
    void resize(const Grid& grid, ClueKind kind);

    Grid grid_;
    ClueKind kind_ = ClueKind::exact;
    std::vector<int> pending_;
    std::vector<std::uint8_t> scratch_;
};

}  // namespace mineproof
