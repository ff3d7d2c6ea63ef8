#include "endgame.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace mineproof {
namespace {

// Layouts are moved to a smaller chart if its sets have this many times fewer words.
constexpr int shrink = 4;

}  // namespace

void Endgame::load(int cells, std::span<const std::uint8_t> rows, std::span<const double> weights) {
    rows_.cells = cells;
    rows_.shown.assign(rows.begin(), rows.end());
    rows_.weights.assign(weights.begin(), weights.end());
    total_ = std::accumulate(weights.begin(), weights.end(), 0.0);
    Held<std::uint32_t>& order = frame(0).layouts;
    order.resize(weights.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (weights[a] != weights[b]) return weights[a] > weights[b];
        return std::memcmp(rows_.row(a), rows_.row(b), cells) < 0;
    });
    Held<int>& all = frame(0).cells;
    all.resize(cells);
    std::iota(all.begin(), all.end(), 0);
    chart_.build(rows_, order, all);
    chart_.fill(everything_);
    columns_.resize(chart_.columns().size());
    std::iota(columns_.begin(), columns_.end(), 0);
    memo_.clear();
}

Endgame::Frame& Endgame::frame(int depth) {
    while (static_cast<int>(frames_.size()) <= depth) frames_.emplace_back();
    return frames_[depth];
}

Endgame::Move Endgame::best(Budget& budget) {
    budget_ = &budget;
    const Node root{chart_, everything_.data(), columns_, 0};
    Frame& memory = frame(0);
    charge(2 * chart_.count());
    find_options(root);
    if (memory.options.empty()) return guess_layout();
    drop_dominated(root);
    const double upper = partition(chart_, root.set);
    Move best;
    for (const Option& option : memory.options) {
        const double reach = total_ - option.mined;
        if (reach <= best.value || best.value >= upper) break;
        open(root, option.column);
        const double value = play(root, best.value, reach);
        if (value > best.value) best = {chart_.columns()[option.column].cell, value, option.mined};
        if (option.mined == 0) break;  // never a mine, so none is better
    }
    return best;
}

Held<Endgame::Move> Endgame::all(Budget& budget) {
    Held<Move> moves;
    budget_ = &budget;
    for (int cell = 0; cell < rows_.cells; ++cell) moves.push_back(value_of(cell));
    return moves;
}

Endgame::Move Endgame::value_of(int cell) {
    const Node root{chart_, everything_.data(), columns_, 0};
    Frame& memory = frame(0);
    memory.parts.clear();
    memory.sets.clear();
    memory.live = columns_;
    double reach = 0;
    charge(chart_.count());
    for (int value = 0; value < mine; ++value) {
        const std::size_t begin = memory.sets.size();
        memory.sets.resize(begin + chart_.words(), 0);
        for (int i = 0; i < chart_.count(); ++i)
            if (rows_.row(chart_.layout(i))[cell] == value)
                memory.sets[begin + i / 64] |= Word{1} << i % 64;
        add_part(chart_, memory, begin);
    }
    for (const Part& part : memory.parts) reach += part.sum;
    return {cell, play(root, -1, reach), total_ - reach};
}

double Endgame::mined(int cell) const {
    double sum = 0;
    for (int i = 0; i < chart_.count(); ++i)
        if (rows_.row(chart_.layout(i))[cell] == mine) sum += chart_.weight(i);
    return sum;
}

// If no cell gives information, one layout is won, and its safe cells are equally good.
Endgame::Move Endgame::guess_layout() const {
    const std::uint8_t* heaviest = rows_.row(chart_.layout(0));
    Move best{-1, chart_.weight(0), total_};
    for (int cell = 0; cell < rows_.cells; ++cell)
        if (heaviest[cell] != mine && mined(cell) < best.mined)
            best = {cell, chart_.weight(0), mined(cell)};
    return best;
}

// Returns the value of a part if it is above `need`; otherwise an upper bound of at most `need`.
double Endgame::search(const Node& node, const Part& part, double need) {
    double upper = part.upper;
    if (const Entry* known = memo_.find({part.key})) {
        if (known->exact || known->value <= need) return known->value;
        upper = known->value;
    }
    if ((part.count + 63) / 64 * shrink <= node.chart.words())
        return search_smaller(node, part, need);
    charge(part.count);
    find_options(node);
    const Held<Option>& options = frame(node.depth).options;
    double value;
    if (options.empty()) {
        value = node.chart.weight(node.chart.first(node.set));
        memo_.keep({part.key}, {}) = {value, true};
        return value;
    }
    if (options[0].mined == 0) {
        open_free(node);
        value = play(node, need, part.sum);
    } else {
        value = choose(node, part, need, std::min(upper, part.sum - options[0].mined));
    }
    memo_.keep({part.key}, {}) = {value, value > need};
    return value;
}

double Endgame::search_smaller(const Node& node, const Part& part, double need) {
    Frame& memory = frame(node.depth);
    memory.layouts.clear();
    memory.cells.clear();
    node.chart.each(node.set, [&](int i) { memory.layouts.push_back(node.chart.layout(i)); });
    for (int column : node.live) memory.cells.push_back(node.chart.columns()[column].cell);
    memory.chart.build(rows_, memory.layouts, memory.cells);
    memory.chart.fill(memory.sets);
    memory.live.resize(memory.chart.columns().size());
    std::iota(memory.live.begin(), memory.live.end(), 0);
    return search({memory.chart, memory.sets.data(), memory.live, node.depth + 1}, part, need);
}

// Tries the options in order of increasing weight of mines. The search ends at an option that could
// not do better even if everything that survives it were won.
double Endgame::choose(const Node& node, const Part& part, double need, double upper) {
    if (upper <= need) return upper;
    drop_dominated(node);
    double best = 0;
    double failed = 0;  // the largest upper bound of options that cannot do better
    for (const Option& option : frame(node.depth).options) {
        const double goal = std::max(need, best);
        const double reach = part.sum - option.mined;
        if (reach <= goal) {
            failed = std::max(failed, reach);
            break;
        }
        open(node, option.column);
        const double value = play(node, goal, reach);
        (value > goal ? best : failed) = std::max(value > goal ? best : failed, value);
        if (best >= upper) break;
    }
    return best > need ? best : std::min(upper, failed);
}

// Returns the total value of all parts of a frame if it is above `need`; otherwise an upper bound
// of at most `need`. `bound` is the total if every part were won. It decreases as parts turn out to
// be worth less, at first by cheap estimates.
double Endgame::play(const Node& node, double need, double bound) {
    Frame& memory = frame(node.depth);
    for (Part& part : memory.parts) {
        probe(node.chart, memory, part);
        bound -= part.sum - part.upper;
        if (bound <= need) return bound;
    }
    for (const Part& part : memory.parts) {
        if (part.exact) continue;
        const Node next{node.chart, &memory.sets[part.begin], memory.live, node.depth + 1};
        const double value = search(next, part, need - (bound - part.upper));
        bound -= part.upper - value;
        if (bound <= need) return bound;
    }
    return bound;
}

void Endgame::probe(const Chart& chart, Frame& memory, Part& part) {
    const Word* set = &memory.sets[part.begin];
    const int first = chart.first(set);
    part.exact = part.count <= 2;
    part.upper = part.sum;
    if (part.count == 2 && chart.is_disjoint(set, chart.unlike(first)))
        part.upper = chart.weight(first);
    if (part.exact) return;
    part.key = chart.hash(set);
    if (const Entry* known = memo_.find({part.key})) {
        part.upper = known->value;
        part.exact = known->exact;
        return;
    }
    charge(part.count);
    part.upper = partition(chart, set);
    memo_.keep({part.key}, {}) = {part.upper, false};
}

// Two layouts are alike if no cell that is safe in both shows different numbers. Among layouts that
// are all alike, at most one can be won, because an opened cell must distinguish them. So the sum
// of the heaviest layout of each group is an upper bound on the value. Groups are built greedily.
double Endgame::partition(const Chart& chart, const Word* set) {
    const int words = chart.words();
    double bound = 0;
    if (words == 1) {  // the same without arrays, because most sets are this small
        for (Word rest = set[0]; rest != 0;) {
            const int head = std::countr_zero(rest);
            bound += chart.weight(head);
            rest &= rest - 1;
            for (Word fit = rest & ~*chart.unlike(head); fit != 0;) {
                const int next = std::countr_zero(fit);
                rest &= ~(Word{1} << next);
                fit &= (fit - 1) & ~*chart.unlike(next);
            }
        }
        return bound;
    }
    rest_.assign(set, set + words);
    fit_.resize(words);
    for (int k = 0; k < words; ++k)
        while (rest_[k] != 0) {
            const int head = 64 * k + std::countr_zero(rest_[k]);
            bound += chart.weight(head);
            rest_[k] &= rest_[k] - 1;
            for (int j = k; j < words; ++j) fit_[j] = rest_[j] & ~chart.unlike(head)[j];
            for (int j = k; j < words; ++j)
                while (fit_[j] != 0) {
                    const int next = 64 * j + std::countr_zero(fit_[j]);
                    rest_[j] &= ~(Word{1} << next % 64);
                    fit_[j] &= fit_[j] - 1;
                    for (int i = j; i < words; ++i) fit_[i] &= ~chart.unlike(next)[i];
                }
        }
    return bound;
}

// Finds the columns that give information about the set, in order of increasing weight of mines.
void Endgame::find_options(const Node& node) {
    const Chart& chart = node.chart;
    Frame& memory = frame(node.depth);
    memory.options.clear();
    memory.live.clear();
    for (int column : node.live) {
        const Chart::Column& values = chart.columns()[column];
        int seen = 0;
        for (int v = values.begin; v < values.end && seen < 2; ++v)
            seen += !chart.is_disjoint(node.set, chart.value(v));
        if (seen < 2) continue;
        memory.live.push_back(column);
        memory.options.push_back({column, chart.mined(node.set, column)});
    }
    std::sort(memory.options.begin(), memory.options.end(), [](const Option& a, const Option& b) {
        return a.mined != b.mined ? a.mined < b.mined : a.column < b.column;
    });
}

// An option that is a mine whenever another one is can wait: opening the other first loses nothing
// that would not be lost anyway.
void Endgame::drop_dominated(const Node& node) {
    Held<Option>& options = frame(node.depth).options;
    auto end = options.begin();
    for (const Option& option : options) {
        const auto dominates = [&](const Option& other) {
            return !node.chart.has_between(node.set, node.chart.safe(option.column),
                                           node.chart.safe(other.column));
        };
        if (std::none_of(options.begin(), end, dominates)) *end++ = option;
    }
    options.erase(end, options.end());
}

// Splits the layouts by the value that a column shows. Layouts in which it is a mine are lost.
void Endgame::open(const Node& node, int column) {
    const Chart& chart = node.chart;
    Frame& memory = frame(node.depth);
    memory.parts.clear();
    memory.sets.clear();
    for (int v = chart.columns()[column].begin; v < chart.columns()[column].end; ++v) {
        const std::size_t begin = memory.sets.size();
        for (int k = 0; k < chart.words(); ++k)
            memory.sets.push_back(node.set[k] & chart.value(v)[k]);
        add_part(chart, memory, begin);
    }
}

// Splits the layouts by all columns that are never a mine.
void Endgame::open_free(const Node& node) {
    const Chart& chart = node.chart;
    Frame& memory = frame(node.depth);
    memory.sets.assign(node.set, node.set + chart.words());
    const auto words = static_cast<std::size_t>(chart.words());
    for (const Option& option : memory.options) {
        if (option.mined != 0) break;
        const Chart::Column& column = chart.columns()[option.column];
        memory.next.swap(memory.sets);
        std::size_t end = 0;
        for (std::size_t from = 0; from < memory.next.size(); from += words) {
            memory.sets.resize(end + words * (column.end - column.begin));
            for (int v = column.begin; v < column.end; ++v) {
                Word any = 0;
                for (std::size_t k = 0; k < words; ++k)
                    any |= memory.sets[end + k] = memory.next[from + k] & chart.value(v)[k];
                if (any != 0) end += words;  // otherwise the next set overwrites it
            }
        }
        memory.sets.resize(end);
    }
    memory.parts.clear();
    for (std::size_t begin = 0; begin < memory.sets.size(); begin += words)
        add_part(chart, memory, begin);
}

// Makes the last set a part, unless it is empty.
void Endgame::add_part(const Chart& chart, Frame& memory, std::size_t begin) {
    const Word* set = &memory.sets[begin];
    const int count = chart.size(set);
    if (count == 0)
        memory.sets.resize(begin);
    else
        memory.parts.push_back({begin, count, chart.weigh(set, count), 0, false, 0});
}

}  // namespace mineproof
