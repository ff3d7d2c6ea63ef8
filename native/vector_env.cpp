#include "vector_env.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "random.hpp"

namespace mineproof {
namespace {

constexpr int near_width = 9;
constexpr std::uint8_t mine = 9;  // in `truth_`, next to the clues 0 to 8
constexpr std::int64_t max_cells = std::int64_t{1} << 31;

void check(const VectorRules& rules, std::int64_t boards) {
    const int cells = rules.grid.cells();
    if (rules.mines < 0 || rules.mines >= cells)
        throw std::invalid_argument("expected fewer mines than cells");
    if (rules.given < 0 || rules.given > cells - rules.mines)
        throw std::invalid_argument("expected at most as many given cells as safe cells");
    if (rules.given > 0 && rules.start != Start::any)
        throw std::invalid_argument("expected the start any for given cells");
    if (boards < 1 || boards > max_cells / cells)
        throw std::invalid_argument("expected at least one board and at most 2^31 cells");
}

Held<int> neighbours_of_all(const Grid& grid) {
    Held<int> near(static_cast<std::size_t>(grid.cells()) * near_width, 0);
    for (int cell = 0; cell < grid.cells(); ++cell) {
        int* here = &near[static_cast<std::size_t>(cell) * near_width];
        grid.each_near(cell, [&](int other) { here[++here[0]] = other; });
    }
    return near;
}

}  // namespace

std::uint64_t episode_seed(std::uint64_t seed, std::uint64_t episode) {
    return episode == 0 ? seed : mix(seed + episode * golden) >> 1;
}

VectorEnv::VectorEnv(const VectorRules& rules, std::int64_t boards, const VectorArrays& arrays)
    : rules_(rules), cells_(0), arrays_(arrays) {
    check(rules, boards);
    cells_ = rules.grid.cells();
    states_.resize(static_cast<std::size_t>(boards));
    truth_.resize(static_cast<std::size_t>(boards) * cells_);
    near_ = neighbours_of_all(rules.grid);
    order_.resize(cells_);
    for (int cell = 0; cell < cells_; ++cell) order_[cell] = cell;
    for (std::int64_t board = 0; board < boards; ++board) begin(board);
}

void VectorEnv::reset(std::int64_t board, std::uint64_t seed) {
    if (board < 0 || board >= boards()) throw std::invalid_argument("expected one of the boards");
    states_[board].seed = seed;
    states_[board].episode = 0;
    begin(board);
}

void VectorEnv::next_episode(std::int64_t board) {
    if (board < 0 || board >= boards()) throw std::invalid_argument("expected one of the boards");
    ++states_[board].episode;
    begin(board);
}

void VectorEnv::begin(std::int64_t board) {
    State& state = states_[board];
    const std::size_t start = static_cast<std::size_t>(board) * cells_;
    std::memset(arrays_.shown + start, unopened, cells_);
    std::memset(arrays_.mask + start, 1, cells_);
    arrays_.rewards[board] = 0;
    arrays_.terminated[board] = arrays_.truncated[board] = arrays_.won[board] = 0;
    arrays_.seeds[board] = episode_seed(state.seed, state.episode);
    state.safe_left = cells_ - rules_.mines;
    state.moves = 0;
    state.is_dealt = false;
    if (rules_.given > 0) open_given(board);
}

// Deals like `deal`, in time proportional to the number of mines.
void VectorEnv::deal_board(std::int64_t board, int first) {
    Held<int>& excluded = pending_;
    excluded.clear();
    const int* near = &near_[static_cast<std::size_t>(first) * near_width];
    if (rules_.start == Start::opening) excluded.assign(near + 1, near + 1 + near[0]);
    if (rules_.start != Start::any)
        excluded.insert(std::lower_bound(excluded.begin(), excluded.end(), first), first);
    const int room = cells_ - static_cast<int>(excluded.size());
    std::uint8_t* clues = truth(board);
    std::memset(clues, 0, cells_);
    if (rules_.mines <= room) {
        place_mines(board, excluded);
    } else {  // only under `opening` on a full board, with mines next to the first cell
        const auto mined = deal(rules_.grid, rules_.mines, rules_.start, first,
                                arrays_.seeds[board]);
        drawn_.clear();
        for (int cell = 0; cell < cells_; ++cell)
            if (mined[cell]) drawn_.push_back(cell);
    }
    for (int cell : drawn_) {
        const int* around = &near_[static_cast<std::size_t>(cell) * near_width];
        for (int i = 1; i <= around[0]; ++i) ++clues[around[i]];
    }
    for (int cell : drawn_) clues[cell] = mine;
    states_[board].is_dealt = true;
}

// A partial Fisher-Yates shuffle of the cells that may be mines, undone afterwards.
void VectorEnv::place_mines(std::int64_t board, const Held<int>& excluded) {
    Stream stream(arrays_.seeds[board], Purpose::deal);
    const int room = cells_ - static_cast<int>(excluded.size());
    drawn_.resize(static_cast<std::size_t>(rules_.mines));
    for (int place = 0; place < rules_.mines; ++place) {
        drawn_[place] = place + static_cast<int>(stream.below(room - place));
        std::swap(order_[place], order_[drawn_[place]]);
    }
    for (int place = rules_.mines - 1; place >= 0; --place) {
        const int other = drawn_[place];
        int cell = order_[place];
        std::swap(order_[place], order_[other]);
        for (int gap : excluded) cell += cell >= gap;
        drawn_[place] = cell;
    }
}

void VectorEnv::open_given(std::int64_t board) {
    deal_board(board, 0);
    const std::uint8_t* clues = truth(board);
    Held<int> safe;
    for (int cell = 0; cell < cells_; ++cell)
        if (clues[cell] != mine) safe.push_back(cell);
    Stream(arrays_.seeds[board], Purpose::given).choose(safe, rules_.given);
    for (int place = 0; place < rules_.given; ++place)
        states_[board].safe_left -= open(board, safe[place]);
}

void VectorEnv::step(const std::int64_t* cells) {
    const std::int64_t count = boards();
    for (std::int64_t board = 0; board < count; ++board)
        if (cells[board] < 0 || cells[board] >= cells_)
            throw std::invalid_argument("expected a cell on the board for each board");
    for (std::int64_t board = 0; board < count; ++board) {
        if (arrays_.terminated[board] || arrays_.truncated[board]) next_episode(board);
        else move(board, static_cast<int>(cells[board]));
    }
}

void VectorEnv::move(std::int64_t board, int cell) {
    State& state = states_[board];
    const std::size_t place = static_cast<std::size_t>(board) * cells_ + cell;
    ++state.moves;
    if (state.safe_left == 0 || arrays_.shown[place] != unopened) {
        arrays_.rewards[board] = illegal_reward;
    } else {
        if (!state.is_dealt) deal_board(board, cell);
        if (truth(board)[cell] == mine) {
            arrays_.shown[place] = exploded;
            arrays_.mask[place] = 0;
            arrays_.rewards[board] = loss_reward;
            arrays_.terminated[board] = 1;
            return;
        }
        const int opened = open(board, cell);
        state.safe_left -= opened;
        arrays_.rewards[board] = double(opened) / (cells_ - rules_.mines);
    }
    if (state.safe_left == 0) arrays_.terminated[board] = arrays_.won[board] = 1;
    else if (state.moves >= 2 * cells_) arrays_.truncated[board] = 1;
}

int VectorEnv::open(std::int64_t board, int cell) {
    const std::size_t start = static_cast<std::size_t>(board) * cells_;
    std::int8_t *shown = arrays_.shown + start, *mask = arrays_.mask + start;
    const std::uint8_t* clues = truth(board);
    int opened = 0;
    pending_.assign(1, cell);
    while (!pending_.empty()) {
        const int here = pending_.back();
        pending_.pop_back();
        if (shown[here] != unopened) continue;
        shown[here] = static_cast<std::int8_t>(clues[here]);
        mask[here] = 0;
        ++opened;
        if (clues[here] != 0) continue;
        const int* near = &near_[static_cast<std::size_t>(here) * near_width];
        for (int i = 1; i <= near[0]; ++i)
            if (shown[near[i]] == unopened) pending_.push_back(near[i]);
    }
    return opened;
}

}  // namespace mineproof
