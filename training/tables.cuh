// Risks of all hidden cells by counting with tables. The odds of a mine (a *fugacity*) replace the
// number of mines on the board; everything else is exact.
//
// Clues are read cell by cell. The index of a table packs the mines that each started clue still
// needs into 1 to 3 bits. If that takes more than `max_bits` bits, risks are a rough estimate.
#pragma once

#include "board.cuh"

constexpr int max_clues = 64, max_bits = 11, max_steps = 224, max_history = 32768;

// The shared memory of one game.
struct GameMemory {
    float risk[lanes * 32];  // by row * 32 + column
    Word clue[max_clues];    // packed, see below
};
struct Step {
    Word what, where;
};
struct WarpMemory {
    float table[1 << max_bits];
    Step steps[max_steps];
    GameMemory game[2];
};

// A clue: its row, its column, the mines it still needs, and which of the 3x3 cells around it count,
// the upper left one first.
__device__ __forceinline__ Word pack_clue(int row, int column, int left, Word around) {
    return row | column << 5 | left << 10 | around << 14;
}
__device__ __forceinline__ int clue_row(Word clue) { return clue & 31; }
__device__ __forceinline__ int clue_column(Word clue) { return clue >> 5 & 31; }
__device__ __forceinline__ int clue_left(Word clue) { return clue >> 10 & 15; }
__device__ __forceinline__ Word clue_around(Word clue) { return clue >> 14; }

// Converts the 3x3 cells around a clue to the middle of 7x7 cells, and back.
__device__ __forceinline__ std::uint64_t spread_out(Word around) {
    return static_cast<std::uint64_t>(around & 7) << 16 |
           static_cast<std::uint64_t>(around >> 3 & 7) << 23 |
           static_cast<std::uint64_t>(around >> 6 & 7) << 30;
}
__device__ __forceinline__ Word gather_in(std::uint64_t cells) {
    return static_cast<Word>(cells >> 16 & 7) | static_cast<Word>(cells >> 23 & 7) << 3 |
           static_cast<Word>(cells >> 30 & 7) << 6;
}
// Returns the cells of another clue within the 7x7 cells of a clue; 0 if it is too far away.
__device__ __forceinline__ std::uint64_t cells_from(Word other, int row, int column) {
    const int down = clue_row(other) - row, right = clue_column(other) - column;
    if (down > 2 || down < -2 || right > 2 || right < -2) return 0;
    const int shift = 7 * down + right;
    const std::uint64_t cells = spread_out(clue_around(other));
    return shift >= 0 ? cells << shift : cells >> -shift;
}

// Subtracts a clue from a second one that contains all its cells. There is one lane per clue.
__device__ inline void reduce_clues(GameMemory& game, int total, int row) {
    const int batches = (total + lanes - 1) / lanes;
    const int most = max(batches, __shfl_xor_sync(whole_warp, batches, lanes));
    for (int round = 0; round < 3; ++round) {
        bool has_changed = false;
        Word fresh[max_clues / lanes];
#pragma unroll
        for (int batch = 0; batch < max_clues / lanes; ++batch) {
            if (batch >= most) break;
            const int own = row + lanes * batch;
            const Word clue = own < total ? game.clue[own] : 0;
            std::uint64_t cells = spread_out(clue_around(clue));
            int left = clue_left(clue);
            for (int i = 0; cells && own < total && i < total; ++i) {
                const std::uint64_t others =
                    i == own ? 0 : cells_from(game.clue[i], clue_row(clue), clue_column(clue));
                if (!others || (others & ~cells) || (others == cells && i > own)) continue;
                cells &= ~others;
                left -= clue_left(game.clue[i]);
                has_changed = true;
            }
            fresh[batch] = pack_clue(clue_row(clue), clue_column(clue), left, gather_in(cells));
        }
        __syncwarp();
#pragma unroll
        for (int batch = 0; batch < max_clues / lanes; ++batch) {
            if (batch >= most) break;
            const int own = row + lanes * batch;
            if (own < total) game.clue[own] = fresh[batch];
        }
        __syncwarp();
        if (!__any_sync(whole_warp, has_changed)) break;
    }
}

// Plans the steps of counting for one game, with the whole warp: two clues per lane.
//   0: start a clue: the index gets bits for the mines it needs.
//   1: decide a cell: a mine lowers the need of each started clue around it.
//   2: finish a clue: its need must be 0, and its bits are removed.
class Plan {
public:
    __device__ Plan(const GameMemory& game, WarpMemory& warp, int total, int lane)
        : warp_(warp), lane_(lane), total_(total) {
#pragma unroll
        for (int b = 0; b < 2; ++b) {
            const int own = lane + 32 * b;
            clue_[b] = own < total ? game.clue[own] : 0;
            rest_[b] = clue_around(clue_[b]);
            const std::uint64_t cells = spread_out(rest_[b]);
            for (int i = 0; cells && i < total; ++i)
                if (i != own && (cells & cells_from(game.clue[i], clue_row(clue_[b]),
                                                    clue_column(clue_[b]))))
                    ++touching_[b];
        }
    }

    // The number of steps, or -1 if there are too many.
    __device__ int make() {
        int history = 0;
        for (;;) {
            const int number = next_clue();
            if (number < 0) break;
            int row, column;
            next_cell(number, row, column);
            Word here[2];
#pragma unroll
            for (int b = 0; b < 2; ++b) here[b] = bit_of(b, row, column);
            if (!start(here)) return -1;
            decide(here, row, column);
            history += 1 << bits_;
            if (history > max_history) return -1;
            finish(here);
        }
        __syncwarp();
        return count_;
    }

private:
    // The started clue with the fewest cells left, or the clue that touches the fewest others.
    __device__ int next_clue() const {
        Word best = ~0u;
#pragma unroll
        for (int b = 0; b < 2; ++b)
            if (rest_[b])
                best = min(best, (is_started_[b] ? __popc(rest_[b]) << 8 : 1 << 20 | touching_[b] << 8) |
                                     static_cast<Word>(lane_ + 32 * b));
        best = __reduce_min_sync(whole_warp, best);
        return best == ~0u ? -1 : static_cast<int>(best & 255);
    }

    __device__ Word bit_of(int b, int row, int column) const {
        const int down = row - clue_row(clue_[b]) + 1, right = column - clue_column(clue_[b]) + 1;
        const bool is_near = static_cast<unsigned>(down) < 3u && static_cast<unsigned>(right) < 3u;
        return is_near ? rest_[b] & (1u << (down * 3 + right)) : 0;
    }

    // The cell of a clue that starts the fewest other clues.
    __device__ void next_cell(int number, int& row, int& column) const {
        const Word clue = __shfl_sync(whole_warp, number & 32 ? clue_[1] : clue_[0], number & 31);
        const Word rest = __shfl_sync(whole_warp, number & 32 ? rest_[1] : rest_[0], number & 31);
        int fewest = 99;
        for (Word cells = rest; cells && fewest > 0; cells &= cells - 1) {
            const int cell = __ffs(cells) - 1;
            const int y = clue_row(clue) + cell / 3 - 1, x = clue_column(clue) + cell % 3 - 1;
            int starts = 0;
#pragma unroll
            for (int b = 0; b < 2; ++b) {
                if (b && total_ <= 32) break;
                starts += __popc(__ballot_sync(whole_warp, !is_started_[b] && bit_of(b, y, x)));
            }
            if (starts >= fewest) continue;
            fewest = starts;
            row = y;
            column = x;
        }
    }

    __device__ void add(Word what, Word where) {
        if (lane_ == 0) warp_.steps[count_] = {what, where};
        ++count_;
    }

    __device__ bool start(const Word (&here)[2]) {
#pragma unroll
        for (int b = 0; b < 2; ++b)
            for (Word who = __ballot_sync(whole_warp, here[b] && !is_started_[b]); who; who &= who - 1) {
                const int owner = __ffs(who) - 1;
                const int left = __shfl_sync(whole_warp, clue_left(clue_[b]), owner);
                const int width = left <= 1 ? 1 : left <= 3 ? 2 : 3;
                if (bits_ + width > max_bits || count_ + 20 > max_steps) return false;
                if (lane_ == owner) {
                    is_started_[b] = true;
                    offset_[b] = bits_;
                    width_[b] = width;
                }
                add(0u | bits_ << 2 | width << 6 | left << 8, 0);
                bits_ += width;
            }
        return true;
    }

    __device__ void decide(const Word (&here)[2], int row, int column) {
        Word taken = 0, limits = 0;
#pragma unroll
        for (int b = 0; b < 2; ++b) {
            if (here[b]) taken |= 1u << offset_[b];
            if (is_started_[b]) limits |= 1u << offset_[b];
        }
        taken = __reduce_or_sync(whole_warp, taken);
        limits = __reduce_or_sync(whole_warp, limits) | 1u << bits_;
        add(1u | bits_ << 2 | row << 6 | column << 11, taken | limits << 12);
#pragma unroll
        for (int b = 0; b < 2; ++b) rest_[b] &= ~here[b];
    }

    __device__ void finish(const Word (&here)[2]) {
#pragma unroll
        for (int b = 0; b < 2; ++b)
            for (Word who = __ballot_sync(whole_warp, here[b] && !rest_[b]); who; who &= who - 1) {
                const int owner = __ffs(who) - 1;
                const int offset = __shfl_sync(whole_warp, offset_[b], owner);
                const int width = __shfl_sync(whole_warp, width_[b], owner);
                if (lane_ == owner) is_started_[b] = false;
                add(2u | bits_ << 2 | width << 6 | offset << 8, 0);
                bits_ -= width;
#pragma unroll
                for (int c = 0; c < 2; ++c)
                    if (is_started_[c] && offset_[c] > offset) offset_[c] -= width;
            }
    }

    WarpMemory& warp_;
    int lane_, total_, count_ = 0, bits_ = 0;
    Word clue_[2], rest_[2];
    int touching_[2] = {}, offset_[2] = {}, width_[2] = {};
    bool is_started_[2] = {};
};

// The forward pass through the plan, with tables of the weights of all arrangements so far. The
// values at each cell are kept in `history`.
__device__ inline int count_forward(WarpMemory& warp, int steps, float odds, float* history, int lane) {
    float* table = warp.table;
    int kept = 0;
    if (lane == 0) table[0] = 1;
    __syncwarp();
    for (int i = 0; i < steps; ++i) {
        const Step step = warp.steps[i];
        const int kind = step.what & 3, bits = step.what >> 2 & 15;
        if (kind == 1) {
            const Word taken = step.where & 4095, limits = step.where >> 12;
            const int size = 1 << bits;
            for (int begin = 0; begin < size; begin += 32) {
                const Word at = begin + lane, from = at + taken;
                float free = 0, mined = 0;
                if (at < size) {
                    free = table[at];
                    if (!((from ^ at ^ taken) & limits)) mined = table[from];
                }
                __syncwarp();
                if (at < size) {
                    table[at] = free + odds * mined;
                    history[kept + at] = free;
                }
                __syncwarp();
            }
            kept += size;
        } else if (kind == 0) {
            const int width = step.what >> 6 & 3, left = step.what >> 8 & 15, size = 1 << bits;
            for (int at = lane; at < size; at += 32) {
                const float weight = table[at];
                for (int need = 0; need < 1 << width; ++need)
                    table[need << bits | at] = need == left ? weight : 0;
            }
            __syncwarp();
        } else {
            const int width = step.what >> 6 & 3, offset = step.what >> 8 & 15;
            const int size = 1 << (bits - width);
            const Word low = (1u << offset) - 1;
            for (int begin = 0; begin < size; begin += 32) {
                const Word at = begin + lane;
                const float weight = at < size ? table[(at & low) | (at & ~low) << width] : 0;
                __syncwarp();
                if (at < size) table[at] = size == 1 ? 1 : weight;
                __syncwarp();
            }
        }
    }
    return kept;
}

// The backward pass. With the history, its weights give the risk of each cell.
__device__ inline void count_backward(GameMemory& game, WarpMemory& warp, int steps, float odds,
                                      const float* history, int kept, int lane) {
    float* table = warp.table;
    if (lane == 0) table[0] = 1;
    __syncwarp();
    for (int i = steps - 1; i >= 0; --i) {
        const Step step = warp.steps[i];
        const int kind = step.what & 3, bits = step.what >> 2 & 15;
        if (kind == 1) {
            const Word taken = step.where & 4095, limits = step.where >> 12;
            const int size = 1 << bits;
            kept -= size;
            float mined = 0, free = 0;
            for (int begin = (size - 1) & ~31; begin >= 0; begin -= 32) {
                const Word at = begin + lane, to = at - taken;
                float onward = 0, onward_mined = 0;
                if (at < size) {
                    onward = table[at];
                    if (at >= taken && !((to ^ at ^ taken) & limits)) onward_mined = odds * table[to];
                    free += history[kept + at] * onward;
                    mined += history[kept + at] * onward_mined;
                }
                __syncwarp();
                if (at < size) table[at] = onward + onward_mined;
                __syncwarp();
            }
#pragma unroll
            for (int shift = 16; shift; shift >>= 1) {
                mined += __shfl_xor_sync(whole_warp, mined, shift);
                free += __shfl_xor_sync(whole_warp, free, shift);
            }
            if (lane == 0)
                game.risk[(step.what >> 6 & 31) * 32 + (step.what >> 11 & 31)] =
                    mined == 0 ? 0 : free == 0 ? 1 : __fdividef(mined, mined + free);
        } else if (kind == 0) {
            const int left = step.what >> 8 & 15, size = 1 << bits;
            for (int begin = 0; begin < size; begin += 32) {
                const int at = begin + lane;
                const float weight = at < size ? table[left << bits | at] : 0;
                __syncwarp();
                if (at < size) table[at] = size == 1 ? 1 : weight;
                __syncwarp();
            }
        } else {
            const int width = step.what >> 6 & 3, offset = step.what >> 8 & 15, size = 1 << bits;
            const Word low = (1u << offset) - 1, field = ((1u << width) - 1) << offset;
            for (int begin = (size - 1) & ~31; begin >= 0; begin -= 32) {
                const Word at = begin + lane;
                const float weight = at < size && !(at & field) ? table[(at & low) | (at >> width & ~low)] : 0;
                __syncwarp();
                if (at < size) table[at] = weight;
                __syncwarp();
            }
        }
    }
    __syncwarp();
}
