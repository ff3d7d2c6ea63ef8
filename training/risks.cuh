// The risks of a position, with the odds of a mine fitted to the number of mines left.
#pragma once

#include "tables.cuh"

constexpr int max_fits = 4;

__device__ __forceinline__ float to_risk(float log_odds) {
    return __fdividef(1.f, 1.f + __expf(-log_odds));
}

// Lists the clues of a game in shared memory. Returns their number.
__device__ inline int list_clues(const Row& row, const Clues& clues, GameMemory& memory) {
    const Word above = row_below<-1>(clues.hidden, row.row), below = row_below<1>(clues.hidden, row.row);
    int end = __popc(clues.active);
#pragma unroll
    for (int step = 1; step < lanes; step <<= 1) {
        const int before = __shfl_up_sync(whole_warp, end, step, lanes);
        if (row.row >= step) end += before;
    }
    const int total = __shfl_sync(whole_warp, end, lanes - 1, lanes);
    int at = end - __popc(clues.active);
    const auto three = [](Word word, int column) { return (Word)(((unsigned long long)word << 1) >> column & 7); };
    for (Word rest = clues.active; rest; rest &= rest - 1, ++at) {
        const int column = __ffs(rest) - 1;
        const Word around = three(above, column) | three(clues.hidden, column) << 3 | three(below, column) << 6;
        if (at < max_clues)
            memory.clue[at] = pack_clue(row.row, column, clues.left.at(column), around);
    }
    for (int i = row.row; i < lanes * 32; i += lanes) memory.risk[i] = 0.01f;
    __syncwarp();
    return total;
}

// Estimates risks by the largest share of a clue, if tables would be too wide.
__device__ inline void guess_risks(GameMemory& memory, int total, int lane) {
    for (int i = lane; i < min(total, max_clues); i += 32) {
        const Word clue = memory.clue[i];
        if (!clue_around(clue)) continue;
        const float share = static_cast<float>(clue_left(clue)) / __popc(clue_around(clue));
        for (Word rest = clue_around(clue); rest; rest &= rest - 1) {
            const int cell = __ffs(rest) - 1;
            const int at = (clue_row(clue) + cell / 3 - 1) * 32 + clue_column(clue) + cell % 3 - 1;
            atomicMax(reinterpret_cast<int*>(&memory.risk[at]),
                      __float_as_int(fminf(.99f, fmaxf(.01f, share))));
        }
    }
    __syncwarp();
}

// Computes the risks of the frontier of both games of a warp. Returns the logarithm of the odds of
// a mine in the interior. `history` has `max_history` numbers for the warp; `wide` counts rough
// estimates.
__device__ inline float find_risks(WarpMemory& warp, const Row& row, bool is_on, float* history,
                                   unsigned long long* wide, Word& frontier, Word& interior) {
    const int lane = threadIdx.x & 31, half = lane / lanes;
    GameMemory& memory = warp.game[half];
    Row seen = row;
    if (!is_on) seen.cells = seen.open = 0;
    Clues clues;
    read_clues(seen, clues);
    frontier = clues.hidden & widen(clues.active, row.row);
    interior = clues.hidden & ~frontier;
    const int total = list_clues(seen, clues, memory);
    reduce_clues(memory, min(total, max_clues), row.row);
    const int hidden = sum_game(__popc(clues.hidden)), left = sum_game(__popc(row.mines & clues.hidden));
    const int inner = sum_game(__popc(interior));
    float log_odds = __logf((left + 1e-3f) / (hidden - left + 1e-3f));
    for (int turn = 0; turn < 2; ++turn) {
        const int clue_count = __shfl_sync(whole_warp, total, turn * lanes);
        if (clue_count == 0) continue;
        GameMemory& game = warp.game[turn];
        const int steps = clue_count > max_clues ? -1 : Plan(game, warp, clue_count, lane).make();
        if (steps < 0) {
            if (lane == 0) atomicAdd(wide, 1ull);
            __syncwarp();
            guess_risks(game, clue_count, lane);
            continue;
        }
        for (int fit = 1;; ++fit) {
            const float odds = __expf(__shfl_sync(whole_warp, log_odds, turn * lanes));
            const int kept = count_forward(warp, steps, odds, history, lane);
            count_backward(game, warp, steps, odds, history, kept, lane);
            if (fit == max_fits) break;
            float mines = 0, slope = 0;
            for (Word rest = half == turn ? frontier : 0; rest; rest &= rest - 1) {
                const float risk = game.risk[row.row * 32 + __ffs(rest) - 1];
                mines += risk;
                slope += 0.3f * risk * (1 - risk);  // clues allow less change than free cells
            }
            const float inside = to_risk(log_odds);
            mines = sum_game(mines) + inner * inside;
            slope = sum_game(slope) + inner * inside * (1 - inside) + 1e-3f;
            const float step = (left - mines) / slope;
            if (half == turn)
                log_odds = fminf(8.f, fmaxf(-8.f, log_odds + fminf(1.f, fmaxf(-1.f, step))));
            if (fabsf(__shfl_sync(whole_warp, step, turn * lanes)) < 0.003f) break;
        }
    }
    return log_odds;
}
