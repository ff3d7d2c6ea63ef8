// Boards of up to 16 rows and 32 columns in half a warp: one lane per row, one bit per cell.
//
// All 32 lanes take part in every call. The two halves hold different games.
#pragma once

#include <cstdint>

using Word = std::uint32_t;

constexpr Word whole_warp = 0xffffffffu;
constexpr int lanes = 16;  // per game

// Returns the word of the row `Down` rows below; 0 outside the board.
template <int Down>
__device__ __forceinline__ Word row_below(Word word, int row) {
    if (Down == 0) return word;
    const Word other = Down > 0 ? __shfl_down_sync(whole_warp, word, Down > 0 ? Down : 0, lanes)
                                : __shfl_up_sync(whole_warp, word, Down < 0 ? -Down : 0, lanes);
    return static_cast<unsigned>(row + Down) < lanes ? other : 0;
}

// Each bit of the result is the bit `Right` columns to its right.
template <int Right>
__device__ __forceinline__ Word from_right(Word word) {
    return Right >= 0 ? word >> (Right > 0 ? Right : 0) : word << (Right < 0 ? -Right : 0);
}

__device__ __forceinline__ Word majority(Word a, Word b, Word c) { return (a & b) | (c & (a | b)); }

__device__ __forceinline__ void add_bits(Word a, Word b, Word c, Word& sum, Word& carry) {
    sum = a ^ b ^ c;
    carry = majority(a, b, c);
}

// A number from 0 to 8 for each cell, with one word per binary digit.
struct Counts {
    Word one, two, four, eight;
    __device__ Word any() const { return one | two | four | eight; }
    __device__ int at(int column) const {
        return (one >> column & 1) + 2 * (two >> column & 1) + 4 * (four >> column & 1) +
               8 * (eight >> column & 1);
    }
};

// Returns the number of set neighbours of each cell.
__device__ __forceinline__ Counts count_near(Word cells, int row) {
    const Word left = cells << 1, right = cells >> 1;
    const Word beside = left ^ right, both = left & right;
    const Word line = beside ^ cells, line_two = majority(left, cells, right);
    const Word above = row_below<-1>(line, row), above_two = row_below<-1>(line_two, row);
    const Word below = row_below<1>(line, row), below_two = row_below<1>(line_two, row);
    Counts counts;
    Word carry, twos, fours;
    add_bits(above, below, beside, counts.one, carry);
    add_bits(above_two, below_two, both, twos, fours);
    counts.two = twos ^ carry;
    const Word more = twos & carry;
    counts.four = fours ^ more;
    counts.eight = fours & more;
    return counts;
}

// Returns the cells and their neighbours. Bits outside the board may be set as well.
__device__ __forceinline__ Word widen(Word cells, int row) {
    const Word line = cells | cells << 1 | cells >> 1;
    return line | row_below<-1>(line, row) | row_below<1>(line, row);
}

__device__ __forceinline__ float sum_game(float value) {
#pragma unroll
    for (int step = lanes / 2; step; step >>= 1)
        value += __shfl_xor_sync(whole_warp, value, step, lanes);
    return value;
}

__device__ __forceinline__ int sum_game(int value) {
#pragma unroll
    for (int step = lanes / 2; step; step >>= 1)
        value += __shfl_xor_sync(whole_warp, value, step, lanes);
    return value;
}

// Returns whether a condition holds in any lane of the game, whose lanes are `game_lanes`.
__device__ __forceinline__ bool any_in_game(bool holds, Word game_lanes) {
    return (__ballot_sync(whole_warp, holds) & game_lanes) != 0;
}

// A row of a game. `known` cells are proved mines.
struct Row {
    int row;
    Word cells, open, known, mines;
    __device__ Word hidden() const { return cells & ~open & ~known; }
};

// The cells that one sweep of the rules proves.
struct Proofs {
    Word safe = 0, mined = 0;
};

// Clues that still have hidden neighbours, and the mines that they still need.
struct Clues {
    Word hidden, active;
    Counts left;
};

// Applies one clue at a time: all of its hidden neighbours are safe, or all are mines.
__device__ __forceinline__ Proofs read_clues(const Row& row, Clues& clues) {
    clues.hidden = row.hidden();
    const Counts near = count_near(clues.hidden, row.row);
    clues.left = count_near(row.mines & clues.hidden, row.row);
    clues.active = row.open & near.any();
    const Word none = clues.active & ~clues.left.any();
    const Word all = clues.active & ~((clues.left.one ^ near.one) | (clues.left.two ^ near.two) |
                                      (clues.left.four ^ near.four) |
                                      (clues.left.eight ^ near.eight));
    return {widen(none, row.row) & clues.hidden, widen(all, row.row) & clues.hidden};
}

// Returns whether a cell, relative to a first clue, touches only that clue and not a second one at
// the given distance.
constexpr __host__ __device__ bool is_beside_first(int down, int right, int clue_down,
                                                   int clue_right) {
    return (down || right) &&
           !(down - clue_down <= 1 && clue_down - down <= 1 && right - clue_right <= 1 &&
             clue_right - right <= 1);
}

// The rows that two clues at most two rows apart can see.
struct Neighbourhood {
    Word hidden[5];   // rows from one above to three below
    Word left[3][3];  // binary digits of the mines still needed, for three rows
    Word active[3];

    __device__ Neighbourhood(const Clues& clues, int row) {
        hidden[0] = row_below<-1>(clues.hidden, row);
        hidden[1] = clues.hidden;
        hidden[2] = row_below<1>(clues.hidden, row);
        hidden[3] = row_below<2>(clues.hidden, row);
        hidden[4] = row_below<3>(clues.hidden, row);
        left[0][0] = clues.left.one;
        left[0][1] = clues.left.two;
        left[0][2] = clues.left.four;
        active[0] = clues.active;
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            left[1][i] = row_below<1>(left[0][i], row);
            left[2][i] = row_below<2>(left[0][i], row);
        }
        active[1] = row_below<1>(clues.active, row);
        active[2] = row_below<2>(clues.active, row);
    }
};

// Returns whether low + part == high, for each bit of the words. Numbers have three binary digits.
__device__ __forceinline__ Word is_sum(const Word (&low)[3], const Word (&part)[3],
                                       const Word (&high)[3]) {
    Word second, third, carry, over;
    add_bits(low[1], part[1], low[0] & part[0], second, carry);
    add_bits(low[2], part[2], carry, third, over);
    return ~((low[0] ^ part[0] ^ high[0]) | (second ^ high[1]) | (third ^ high[2]) | over);
}

// Counts, for each bit, in how many of up to seven words it is set.
__device__ __forceinline__ void count_seven(const Word (&x)[8], Word (&digits)[3]) {
    Word s1, s2, c1, c2, c3;
    add_bits(x[0], x[1], x[2], s1, c1);
    add_bits(x[3], x[4], x[5], s2, c2);
    add_bits(s1, s2, x[6], digits[0], c3);
    add_bits(c1, c2, c3, digits[1], digits[2]);
}

// Compares two clues at a given distance. If the difference of their numbers equals the number of
// cells that only one of them touches, all of these cells are decided.
template <int Down, int Right>
__device__ __forceinline__ void read_pair(const Neighbourhood& near, int row, Proofs& proofs) {
    Word first_only[8] = {}, second_only[8] = {};
    int firsts = 0, seconds = 0;
#pragma unroll
    for (int y = -1; y <= 1; ++y)
#pragma unroll
        for (int x = -1; x <= 1; ++x) {
            if (is_beside_first(y, x, Down, Right)) {
                const Word word = near.hidden[y + 1];
                first_only[firsts++] = x >= 0 ? word >> (x > 0 ? x : 0) : word << 1;
            }
            if (is_beside_first(y, x, -Down, -Right)) {
                const Word word = near.hidden[y + 1 + Down];
                const int shift = x + Right;
                second_only[seconds++] =
                    shift >= 0 ? word >> (shift > 0 ? shift : 0) : word << (shift < 0 ? -shift : 0);
            }
        }
    Word first_count[3], second_count[3];
    count_seven(first_only, first_count);
    count_seven(second_only, second_count);
    const Word(&first_left)[3] = near.left[0];
    const Word second_left[3] = {from_right<Right>(near.left[Down][0]),
                                 from_right<Right>(near.left[Down][1]),
                                 from_right<Right>(near.left[Down][2])};
    const Word meets = near.active[0] & from_right<Right>(near.active[Down]) &
                       (first_count[0] | first_count[1] | first_count[2] | second_count[0] |
                        second_count[1] | second_count[2]);
    const Word first_full = meets & is_sum(second_left, first_count, first_left);
    const Word second_full = meets & is_sum(first_left, second_count, second_left);
    if (!__any_sync(whole_warp, first_full | second_full)) return;
    Word mined[3] = {}, safe[3] = {}, mined_there[3] = {}, safe_there[3] = {};
#pragma unroll
    for (int y = -1; y <= 1; ++y)
#pragma unroll
        for (int x = -1; x <= 1; ++x) {
            if (is_beside_first(y, x, Down, Right)) {
                mined[y + 1] |= x >= 0 ? first_full << (x > 0 ? x : 0) : first_full >> 1;
                safe[y + 1] |= x >= 0 ? second_full << (x > 0 ? x : 0) : second_full >> 1;
            }
            if (is_beside_first(y, x, -Down, -Right)) {
                const int shift = x + Right, left = shift < 0 ? -shift : 0, right = shift > 0 ? shift : 0;
                safe_there[y + 1] |= shift >= 0 ? first_full << right : first_full >> left;
                mined_there[y + 1] |= shift >= 0 ? second_full << right : second_full >> left;
            }
        }
    proofs.mined |= row_below<1>(mined[0], row) | mined[1] | row_below<-1>(mined[2], row);
    proofs.safe |= row_below<1>(safe[0], row) | safe[1] | row_below<-1>(safe[2], row);
    proofs.mined |= row_below<1 - Down>(mined_there[0], row) |
                    row_below<-Down>(mined_there[1], row) | row_below<-1 - Down>(mined_there[2], row);
    proofs.safe |= row_below<1 - Down>(safe_there[0], row) |
                   row_below<-Down>(safe_there[1], row) | row_below<-1 - Down>(safe_there[2], row);
}

__device__ __forceinline__ Proofs read_pairs(const Clues& clues, int row) {
    const Neighbourhood near(clues, row);
    Proofs proofs;
    read_pair<0, 1>(near, row, proofs);
    read_pair<0, 2>(near, row, proofs);
    read_pair<1, -2>(near, row, proofs);
    read_pair<1, -1>(near, row, proofs);
    read_pair<1, 0>(near, row, proofs);
    read_pair<1, 1>(near, row, proofs);
    read_pair<1, 2>(near, row, proofs);
    read_pair<2, -2>(near, row, proofs);
    read_pair<2, -1>(near, row, proofs);
    read_pair<2, 0>(near, row, proofs);
    read_pair<2, 1>(near, row, proofs);
    read_pair<2, 2>(near, row, proofs);
    return {proofs.safe & clues.hidden, proofs.mined & clues.hidden};
}

// Opens and flags all cells that single clues and pairs prove, in both games, until none are left.
__device__ __forceinline__ void deduce(Row& row, bool is_active, Word game_lanes) {
    for (;;) {
        Clues clues;
        Row seen = row;
        if (!is_active) seen.cells = seen.open = 0;
        Proofs proofs = read_clues(seen, clues);
        if (!__any_sync(whole_warp, proofs.safe | proofs.mined)) {
            const bool has_safe = any_in_game((clues.hidden & ~row.mines) != 0, game_lanes);
            const bool has_mine = any_in_game((clues.hidden & row.mines) != 0, game_lanes);
            if (is_active && has_safe && !has_mine) row.open |= clues.hidden;  // all mines are known
            if (!__any_sync(whole_warp, is_active && has_safe && has_mine)) return;
            proofs = read_pairs(clues, row.row);
            if (!__any_sync(whole_warp, proofs.safe | proofs.mined)) return;
        }
        row.open |= proofs.safe;
        row.known |= proofs.mined;
    }
}
