#include "endgame.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "random.hpp"

namespace mineproof {
namespace {

constexpr double slack = 1e-12;  // relative: sums of weights taken in another order differ so

}  // namespace

Endgame::Endgame(int cells, const std::vector<std::uint8_t>& rows, std::vector<double> weights)
    : cells_(cells), stride_((cells + 15) / 16 * 16), weights_(std::move(weights)) {
    const std::size_t layouts = weights_.size();
    rows_.assign(layouts * stride_, mine);
    hashes_.resize(layouts);
    for (std::size_t id = 0; id < layouts; ++id) {
        std::memcpy(&rows_[id * stride_], &rows[id * cells], cells);
        hashes_[id] = mix(mix(id + golden) + golden);
        total_ += weights_[id];
    }
}

void Endgame::charge(int count) {
    steps_ += count;
    if (steps_ > limit_) throw OutOfWork{};
}

std::uint64_t Endgame::key(const std::uint32_t* ids, int count) const {
    std::uint64_t sum = 0;
    for (int i = 0; i < count; ++i) sum += hashes_[ids[i]];
    return sum;
}

bool Endgame::alike(std::uint32_t a, std::uint32_t b) const {
    const std::uint8_t* x = &rows_[std::size_t{a} * stride_];
    const std::uint8_t* y = &rows_[std::size_t{b} * stride_];
    unsigned differ = 0;
    for (int i = 0; i < stride_; ++i)
        differ |= static_cast<unsigned>((x[i] != y[i]) & (x[i] != mine) & (y[i] != mine));
    return differ == 0;
}

// Two layouts are alike if no cell that is safe in both shows different numbers. Of layouts
// that are all alike at most one can be won: something opened must tell them apart.
// So the heaviest of each group, summed, bounds the value; groups are built greedily.
double Endgame::partition_bound(const std::uint32_t* ids, int count, double enough) const {
    static thread_local std::vector<std::vector<std::uint32_t>> groups;
    std::size_t used = 0;
    double bound = 0;
    for (int i = 0; i < count; ++i) {
        bool placed = false;
        for (std::size_t g = 0; g < used && !placed; ++g) {
            bool fits = true;
            for (std::uint32_t member : groups[g])
                if (!alike(member, ids[i])) { fits = false; break; }
            if (fits) {
                groups[g].push_back(ids[i]);
                placed = true;
            }
        }
        if (placed) continue;
        if (groups.size() == used) groups.emplace_back();
        groups[used].assign(1, ids[i]);
        bound += weights_[ids[i]];  // ids come heaviest first: this is the group's heaviest
        if (bound > enough) return bound;
        ++used;
    }
    return bound;
}

void Endgame::columns(const std::uint32_t* ids, int count, const int* cells, int cell_count,
                      std::vector<Column>& out) const {
    out.clear();
    for (int k = 0; k < cell_count; ++k) {
        const int cell = cells[k];
        unsigned seen = 0;
        double mined = 0;
        for (int i = 0; i < count; ++i) {
            const std::uint8_t value = rows_[std::size_t{ids[i]} * stride_ + cell];
            seen |= 1u << value;
            if (value == mine) mined += weights_[ids[i]];
        }
        const int values = std::popcount(seen & ~(1u << mine));
        if (values >= 2) out.push_back({cell, values, mined});
    }
}

// Opens `cell`: the layouts in which it is mined are lost, the others part by its value.
double Endgame::play(const std::uint32_t* ids, int count, int cell, const int* live,
                     int live_count, double need, double bound) {
    std::array<int, 10> sizes{};
    std::array<double, 10> sums{};
    for (int i = 0; i < count; ++i) {
        const std::uint8_t value = rows_[std::size_t{ids[i]} * stride_ + cell];
        ++sizes[value];
        sums[value] += weights_[ids[i]];
    }
    Ids parted(count);
    std::array<int, 10> place{};
    for (int v = 1; v < 10; ++v) place[v] = place[v - 1] + sizes[v - 1];
    std::array<int, 10> begin = place;
    for (int i = 0; i < count; ++i)
        parted[place[rows_[std::size_t{ids[i]} * stride_ + cell]]++] = ids[i];
    // `bound` is what can still be won; it falls as parts turn out to be worth less.
    for (int v = 0; v < mine; ++v) {
        if (sizes[v] <= 1) continue;
        const double value = search(&parted[begin[v]], sizes[v], live, live_count,
                                    need - (bound - sums[v]));
        bound -= sums[v] - value;
        if (bound <= need) return bound;
    }
    return bound;
}

// The value of a set of layouts if it is above `need`, else an upper bound that is not.
double Endgame::search(const std::uint32_t* ids, int count, const int* cells, int cell_count,
                       double need) {
    if (count == 1) return weights_[ids[0]];
    charge(count);
    const std::uint64_t hash = key(ids, count);
    if (auto known = memo_.find(hash); known != memo_.end())
        if (known->second.exact || known->second.value <= need) return known->second.value;

    std::vector<Column> found;
    columns(ids, count, cells, cell_count, found);
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += weights_[ids[i]];
    if (found.empty()) return weights_[ids[0]];  // heaviest first

    std::sort(found.begin(), found.end(), [](const Column& a, const Column& b) {
        return a.mined != b.mined ? a.mined < b.mined : a.values > b.values;
    });
    std::vector<int> live(found.size());
    for (std::size_t k = 0; k < found.size(); ++k) live[k] = found[k].cell;
    const int live_count = static_cast<int>(live.size());

    if (found[0].mined == 0) {  // free information
        const double value = play(ids, count, found[0].cell, live.data(), live_count, need, sum);
        memo_[hash] = {value, value > need};
        return value;
    }
    double upper = sum - found[0].mined;
    if (upper > need && count >= 4) upper = std::min(upper, partition_bound(ids, count, upper));
    if (upper <= need) {
        memo_[hash] = {upper, false};
        return upper;
    }
    double best = 0;
    double failed = 0;  // the largest upper bound among moves that were cut off
    const double margin = sum * slack;
    for (const Column& column : found) {
        const double goal = std::max(need, best);
        if (sum - column.mined <= goal + margin) {
            failed = std::max(failed, sum - column.mined);
            break;  // sorted: no later cell can do better
        }
        const double value =
            play(ids, count, column.cell, live.data(), live_count, goal, sum - column.mined);
        if (value > goal) best = std::max(best, value);
        else failed = std::max(failed, value);
        if (best >= upper - margin) break;
    }
    if (best > need) {
        memo_[hash] = {best, true};
        return best;
    }
    const double value = std::min(upper, std::max(best, failed));
    memo_[hash] = {value, false};
    return value;
}

bool Endgame::all(std::int64_t work, std::vector<Move>& moves) {
    limit_ = steps_ + work;
    moves.clear();
    const int count = static_cast<int>(weights_.size());
    Ids ids(count);
    for (int i = 0; i < count; ++i) ids[i] = i;
    std::stable_sort(ids.begin(), ids.end(),
                     [&](auto a, auto b) { return weights_[a] > weights_[b]; });
    std::vector<int> cells(cells_);
    for (int c = 0; c < cells_; ++c) cells[c] = c;
    try {
        for (int cell = 0; cell < cells_; ++cell) {
            double mined = 0;
            for (int i = 0; i < count; ++i)
                if (rows_[std::size_t{ids[i]} * stride_ + cell] == mine) mined += weights_[ids[i]];
            const double value = mined == total_ ? 0.0
                : play(ids.data(), count, cell, cells.data(), cells_, -1, total_ - mined);
            moves.push_back({cell, value});
        }
    } catch (const OutOfWork&) {
        return false;
    }
    return true;
}

bool Endgame::best(std::int64_t work, Move& move) {
    limit_ = steps_ + work;
    const int count = static_cast<int>(weights_.size());
    Ids ids(count);
    for (int i = 0; i < count; ++i) ids[i] = i;
    std::stable_sort(ids.begin(), ids.end(),
                     [&](auto a, auto b) { return weights_[a] > weights_[b]; });
    std::vector<int> cells(cells_);
    for (int c = 0; c < cells_; ++c) cells[c] = c;
    try {
        std::vector<Column> found;
        columns(ids.data(), count, cells.data(), cells_, found);
        if (found.empty()) {
            move = {-1, weights_[ids[0]]};
            return true;
        }
        std::sort(found.begin(), found.end(), [](const Column& a, const Column& b) {
            return a.mined != b.mined ? a.mined < b.mined : a.values > b.values;
        });
        std::vector<int> live;
        for (const Column& column : found) live.push_back(column.cell);
        move = {-1, 0};
        for (const Column& column : found) {
            if (total_ - column.mined <= move.value * (1 + slack)) break;
            const double value = play(ids.data(), count, column.cell, live.data(),
                                      static_cast<int>(live.size()), move.value,
                                      total_ - column.mined);
            if (value > move.value) move = {column.cell, value};
        }
    } catch (const OutOfWork&) {
        return false;
    }
    return true;
}

}  // namespace mineproof
