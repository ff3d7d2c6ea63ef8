// Playouts on a GPU, which estimate the value of the candidates of early positions.
//
//     playouts FOLDER REPEATS SECONDS
//
// reads each NAME.tasks that states.cpp writes to the folder and plays its layouts to the end, each
// REPEATS times with the mines of the interior shuffled. It writes NAME.worth and deletes the tasks.
// It ends when the folder contains a file named `done` and no tasks, or when the time is over.
//
// The policy opens the cells that single clues and pairs of clues prove, then the safest cell. If
// several are equally safe, it opens the one with the fewest unopened neighbours. A lost game counts
// 0 and a won game 1, minus a *control* for each guess: whether it was survived minus its safety,
// times the value of a game after such a guess. The control has a mean of 0 and removes most of the
// noise.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "risks.cuh"

struct TaskHead {
    Word positions, candidates, layouts, spare;
};
struct TaskPosition {
    Word open[lanes];
    Word rows, columns;
};
struct TaskCandidate {
    Word position, row, column;
    float safety;
};

namespace {

constexpr int phases = 16, phase_cells = 32;  // phases of a game, by its hidden cells
constexpr int least_hidden = 80;  // with fewer, the odds of a mine are too rough for the control
constexpr int warps = 2, blocks_at_once = 7;
constexpr unsigned long long golden = 0x9E3779B97F4A7C15ULL;

using Big = unsigned long long;

struct Totals {
    Big games, wins, guesses, wide;     // `wide`: risks that were roughly estimated
    Big survived[phases], won[phases];  // guesses, and how many of them belong to won games
};

struct Job {
    const TaskPosition* positions;
    const TaskCandidate* candidates;
    const Word* layouts;
    Big items;
    Word layouts_each, repeats;
    Big seed;
    float after[phases];  // the value of a game after a guess
    float tie;            // an extra unopened neighbour counts as this much risk
    float* worth;         // two values per candidate
    float* history;
    Big* next;
    Totals* totals;
};

__device__ __forceinline__ Big mix(Big value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

// The state of a game in a half warp.
struct Game {
    Row row;
    bool is_active = false;
    Big item = 0;
    float control = 0;
    Word phases_seen = 0;
};

// Takes the next item and draws the mines of the interior again. All games of the warp wait.
__device__ void begin(const Job& job, Game& game, bool& is_over, GameMemory& memory, Word game_lanes) {
    Row& row = game.row;
    const bool asks = !game.is_active && !is_over;
    Big item = 0;
    if (asks && row.row == 0) item = atomicAdd(job.next, 1ull);
    item = __shfl_sync(whole_warp, item, 0, lanes);
    if (asks && item >= job.items) is_over = true;
    const bool is_new = asks && !is_over;
    Big key = 0;
    Word candidate = 0;
    if (is_new) {
        const Big task = item / job.repeats;
        const TaskCandidate& wanted = job.candidates[task / job.layouts_each];
        const TaskPosition& position = job.positions[wanted.position];
        game = {};
        game.item = item;
        game.is_active = true;
        row.row = threadIdx.x % lanes;
        row.cells = row.row < position.rows ? (position.columns < 32 ? (1u << position.columns) - 1 : ~0u) : 0;
        row.open = position.open[row.row];
        row.mines = job.layouts[task * lanes + row.row];
        candidate = wanted.row == row.row ? 1u << wanted.column : 0;
        // The same for all candidates, so that they share their luck.
        const Big luck = (static_cast<Big>(wanted.position) * job.layouts_each +
                          task % job.layouts_each) * job.repeats + item % job.repeats;
        key = mix(job.seed + luck * golden);
    }
    const Word near_open = widen(is_new ? row.open : 0, row.row);
    const Word interior = is_new ? row.cells & ~row.open & ~near_open & ~candidate : 0;
    const int wanted = sum_game(__popc(row.mines & interior));
    Word* taken = reinterpret_cast<Word*>(memory.risk);
    if (is_new) {
        taken[row.row] = ~interior;
        row.mines &= ~interior;
        row.open |= candidate;
    }
    __syncwarp();
    int laid = is_new ? 0 : wanted;
    Word draws = 0;
    while (__any_sync(whole_warp, laid < wanted)) {
        bool is_laid = false;
        if (row.row < wanted - laid) {
            const Big lot = mix(key + static_cast<Big>(++draws * lanes + row.row) * golden);
            const Word cell = __umulhi(static_cast<Word>(lot >> 32), lanes * 32), bit = 1u << cell % 32;
            is_laid = !(atomicOr(&taken[cell / 32], bit) & bit);
        }
        laid += __popc(__ballot_sync(whole_warp, is_laid) & game_lanes);
    }
    __syncwarp();
    if (is_new) row.mines |= taken[row.row] & interior;
    __syncwarp();
}

// Opens the safest cell, or all certain ones. Returns false if it was a mine.
__device__ bool guess(const Job& job, Game& game, GameMemory& memory, bool is_on, Word frontier, Word interior,
                      float log_odds, Word game_lanes) {
    Row& row = game.row;
    const Counts near = count_near(row.cells & ~row.open, row.row);
    Word best = ~0u, certain = 0, mined = 0;
    const auto consider = [&](float risk, int column) {
        const float score = risk + job.tie * near.at(column);
        best = min(best, (__float_as_uint(score) & ~511u) | row.row << 5 | column);
    };
    for (Word rest = frontier; rest; rest &= rest - 1) {
        const int column = __ffs(rest) - 1;
        const float risk = memory.risk[row.row * 32 + column];
        if (risk == 0) certain |= 1u << column & ~row.mines;
        if (risk == 1) mined |= 1u << column;
        consider(risk, column);
    }
    Word fewest = interior;  // interior cells with the fewest unopened neighbours
    for (Word digit : {near.eight, near.four, near.two, near.one})
        if (fewest & ~digit) fewest &= ~digit;
    if (fewest) consider(to_risk(log_odds), __ffs(fewest) - 1);
    const bool is_certain = any_in_game(certain != 0, game_lanes);
    if (is_on) {
        row.open |= certain;
        row.known |= mined & row.mines;
    }
#pragma unroll
    for (int step = lanes / 2; step; step >>= 1)
        best = min(best, __shfl_xor_sync(whole_warp, best, step, lanes));
    const int where = best >> 5 & (lanes - 1), column = best & 31;
    const Word bit = row.row == where ? 1u << column : 0;
    const bool is_hit = any_in_game((row.mines & bit) != 0, game_lanes);
    const int hidden = sum_game(is_on ? __popc(row.hidden()) : 0);
    float risk = frontier & bit ? memory.risk[row.row * 32 + column] : to_risk(log_odds);
    risk = __shfl_sync(whole_warp, risk, where, lanes);
    if (!is_on || is_certain) return true;
    const int phase = min(hidden / phase_cells, phases - 1);
    if (hidden >= least_hidden) game.control += job.after[phase] * ((is_hit ? 0 : 1) - (1 - risk));
    if (row.row == 0) atomicAdd(&job.totals->guesses, 1ull);
    if (is_hit) return false;
    game.phases_seen |= 1u << phase;
    row.open |= bit;
    return true;
}

__device__ void finish(const Job& job, Game& game, bool is_won) {
    game.is_active = false;
    if (game.row.row != 0) return;
    const Big task = game.item / job.repeats, candidate = task / job.layouts_each;
    const float share = 2.f / (job.layouts_each * job.repeats);
    const float value = (is_won ? 1 : 0) - game.control;
    atomicAdd(&job.worth[2 * candidate + task % job.layouts_each % 2],
              share * job.candidates[candidate].safety * value);
    atomicAdd(&job.totals->games, 1ull);
    if (is_won) atomicAdd(&job.totals->wins, 1ull);
    if (game.item % 64) return;
    for (Word rest = game.phases_seen; rest; rest &= rest - 1) {
        atomicAdd(&job.totals->survived[__ffs(rest) - 1], 1ull);
        if (is_won) atomicAdd(&job.totals->won[__ffs(rest) - 1], 1ull);
    }
}

__global__ void __launch_bounds__(32 * warps, blocks_at_once) play(Job job) {
    extern __shared__ __align__(16) unsigned char shared[];
    WarpMemory& warp = reinterpret_cast<WarpMemory*>(shared)[threadIdx.x / 32];
    GameMemory& memory = warp.game[threadIdx.x / lanes & 1];
    const Word game_lanes = 0xffffu << (threadIdx.x & lanes);
    Game game;
    game.row = {static_cast<int>(threadIdx.x % lanes), 0, 0, 0, 0};
    bool is_over = false;
    for (;;) {
        if (__any_sync(whole_warp, !game.is_active && !is_over)) begin(job, game, is_over, memory, game_lanes);
        if (!__any_sync(whole_warp, game.is_active)) return;
        deduce(game.row, game.is_active, game_lanes);
        const Row& row = game.row;
        const bool is_left = any_in_game(game.is_active && (row.cells & ~row.open & ~row.mines), game_lanes);
        const bool is_on = game.is_active && is_left;
        bool is_alive = true;
        if (__any_sync(whole_warp, is_on)) {
            Word frontier, interior;
            float* history = job.history + static_cast<std::size_t>(blockIdx.x * warps + threadIdx.x / 32) * max_history;
            const float log_odds =
                find_risks(warp, row, is_on, history, &job.totals->wide, frontier, interior);
            is_alive = guess(job, game, memory, is_on, frontier, interior, log_odds, game_lanes);
            __syncwarp();
        }
        if (game.is_active && (!is_left || !is_alive)) finish(job, game, is_alive);
    }
}

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class T>
T* upload(const std::vector<T>& rows) {
    T* there;
    check(cudaMalloc(&there, rows.size() * sizeof(T)));
    check(cudaMemcpy(there, rows.data(), rows.size() * sizeof(T), cudaMemcpyHostToDevice));
    return there;
}

template <class T>
std::vector<T> read(std::FILE* in, std::size_t count) {
    std::vector<T> rows(count);
    if (std::fread(rows.data(), sizeof(T), count, in) != count) {
        std::fprintf(stderr, "expected more tasks\n");
        std::exit(1);
    }
    return rows;
}

// Plays the tasks of files one after the other.
class Playouts {
public:
    explicit Playouts(Word repeats) {
        job_.repeats = repeats;
        job_.tie = 1e-4f;
        for (float& after : job_.after) after = 0.6f;
        check(cudaFuncSetAttribute(play, cudaFuncAttributeMaxDynamicSharedMemorySize, memory));
        cudaDeviceProp device;
        check(cudaGetDeviceProperties(&device, 0));
        int at_once = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, play, 32 * warps, memory));
        blocks_ = at_once * device.multiProcessorCount;
        check(cudaMalloc(&job_.history, sizeof(float) * max_history * warps * blocks_));
        check(cudaMalloc(&job_.next, sizeof(Big)));
        check(cudaMalloc(&job_.totals, sizeof(Totals)));
    }
    void set_tie(float tie) { job_.tie = tie; }

    void run(const std::string& name, Big seed) {
        std::FILE* in = std::fopen((name + ".tasks").c_str(), "rb");
        if (in == nullptr) return;
        const TaskHead head = read<TaskHead>(in, 1)[0];
        job_.positions = upload(read<TaskPosition>(in, head.positions));
        job_.candidates = upload(read<TaskCandidate>(in, head.candidates));
        job_.layouts = upload(read<Word>(in, static_cast<std::size_t>(head.candidates) * head.layouts * lanes));
        std::fclose(in);
        job_.layouts_each = head.layouts;
        job_.items = static_cast<Big>(head.candidates) * head.layouts * job_.repeats;
        job_.seed = mix_host(seed);
        std::vector<float> worth(2 * head.candidates);
        job_.worth = upload(worth);
        launch();
        check(cudaMemcpy(worth.data(), job_.worth, sizeof(float) * worth.size(), cudaMemcpyDeviceToHost));
        for (const void* there : {(const void*)job_.positions, (const void*)job_.candidates,
                                  (const void*)job_.layouts, (const void*)job_.worth})
            check(cudaFree(const_cast<void*>(there)));
        std::FILE* out = std::fopen((name + ".worth").c_str(), "wb");
        std::fwrite(worth.data(), sizeof(float), worth.size(), out);
        std::fclose(out);
    }

    void say() const {
        std::printf("%llu playouts in %.1f s, %.3f M a second, %.2f %% won, %.2f guesses, %llu wide\n", all_.games,
                    seconds_, all_.games / seconds_ * 1e-6, 100.0 * all_.wins / all_.games,
                    static_cast<double>(all_.guesses) / all_.games, all_.wide);
        for (int i = 0; i < phases; ++i) std::printf(" %.3f", job_.after[i]);
        std::printf(" won after a guess, by %d hidden cells\n", phase_cells);
        std::fflush(stdout);
    }

private:
    static constexpr int memory = sizeof(WarpMemory) * warps;
    static Big mix_host(Big seed) { return (seed + 1) * golden ^ (seed << 40); }

    void launch() {
        check(cudaMemset(job_.next, 0, sizeof(Big)));
        check(cudaMemset(job_.totals, 0, sizeof(Totals)));
        const auto before = std::chrono::steady_clock::now();
        play<<<blocks_, 32 * warps, memory>>>(job_);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
        Totals totals;
        check(cudaMemcpy(&totals, job_.totals, sizeof totals, cudaMemcpyDeviceToHost));
        all_.games += totals.games;
        all_.wins += totals.wins;
        all_.guesses += totals.guesses;
        all_.wide += totals.wide;
        for (int i = 0; i < phases; ++i) {
            all_.survived[i] += totals.survived[i];
            all_.won[i] += totals.won[i];
            if (all_.survived[i] > 1000) job_.after[i] = static_cast<float>(all_.won[i]) / all_.survived[i];
        }
    }

    Job job_{};
    int blocks_ = 0;
    Totals all_{};
    double seconds_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
    namespace fs = std::filesystem;
    if (count < 4 || count > 5) {
        std::fprintf(stderr, "usage: %s FOLDER REPEATS SECONDS [TIE]\n", arguments[0]);
        return 2;
    }
    const fs::path folder = arguments[1];
    Playouts playouts(static_cast<Word>(std::atoi(arguments[2])));
    if (count == 5) playouts.set_tie(static_cast<float>(std::atof(arguments[4])));
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(arguments[3]));
    Big files = 0;
    while (std::chrono::steady_clock::now() < end) {
        bool is_done = fs::exists(folder / "done"), is_idle = true;
        for (const auto& entry : fs::directory_iterator(folder)) {
            fs::path file = entry.path();
            if (file.extension() != ".tasks" || std::chrono::steady_clock::now() >= end) continue;
            playouts.run(file.replace_extension().string(), files++);
            fs::remove(entry.path());
            is_idle = false;
            if (files % 20 == 1) playouts.say();
        }
        if (is_idle && is_done) break;
        if (is_idle) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    playouts.say();
    return 0;
}
