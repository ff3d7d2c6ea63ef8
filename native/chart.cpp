#include "chart.hpp"

#include <array>

#include "random.hpp"

namespace mineproof {
namespace {

void add_words(const Word* __restrict set, int words, Word* __restrict target) {
    for (int k = 0; k < words; ++k) target[k] |= set[k];
}

}  // namespace

void Chart::build(const LayoutRows& rows, std::span<const std::uint32_t> layouts,
                  std::span<const int> cells) {
    words_ = static_cast<int>((layouts.size() + 63) / 64);
    layouts_.assign(layouts.begin(), layouts.end());
    weights_.clear();
    hashes_.clear();
    even_ = true;
    for (std::uint32_t layout : layouts) {
        weights_.push_back(rows.weights[layout]);
        hashes_.push_back(mix(mix(layout + golden) + golden));
        even_ &= rows.weights[layout] == 1;
    }
    columns_.clear();
    values_.clear();
    safe_.clear();
    for (int cell : cells) add_column(rows, cell);
    compare();
}

void Chart::add_column(const LayoutRows& rows, int cell) {
    unsigned seen = 0;
    for (std::uint32_t layout : layouts_) seen |= 1u << rows.row(layout)[cell];
    seen &= (1u << LayoutRows::mine) - 1;
    if ((seen & (seen - 1)) == 0) return;  // it shows one number at most
    const int begin = columns_.empty() ? 0 : columns_.back().end;
    int end = begin;
    std::array<std::size_t, LayoutRows::mine> begin_of{};
    for (int value = 0; value < LayoutRows::mine; ++value)
        if ((seen >> value & 1) != 0) begin_of[value] = at(end++);
    values_.resize(at(end));
    const std::size_t safe = safe_.size();
    safe_.resize(safe + words_);
    for (int i = 0; i < count(); ++i) {
        const std::uint8_t value = rows.row(layouts_[i])[cell];
        if (value == LayoutRows::mine) continue;
        const Word bit = Word{1} << i % 64;
        values_[begin_of[value] + i / 64] |= bit;
        safe_[safe + i / 64] |= bit;
    }
    columns_.push_back({cell, begin, end});
}

void Chart::compare() {
    unlike_.assign(at(count()), 0);
    Held<Word> others(words_);  // of one value: the layouts in which the cell shows another
    for (int column = 0; column < static_cast<int>(columns_.size()); ++column)
        for (int v = columns_[column].begin; v < columns_[column].end; ++v) {
            for (int k = 0; k < words_; ++k) others[k] = safe(column)[k] & ~value(v)[k];
            each(value(v), [&](int i) { add_words(others.data(), words_, &unlike_[at(i)]); });
        }
}

void Chart::fill(Held<Word>& set) const {
    set.assign(words_, ~Word{0});
    if (count() % 64 != 0) set.back() = (Word{1} << count() % 64) - 1;
}

double Chart::weigh(const Word* set) const {
    if (even_) return size(set);
    double sum = 0;
    each(set, [&](int i) { sum += weights_[i]; });
    return sum;
}

double Chart::mined(const Word* set, int column) const {
    const Word* safe = this->safe(column);
    double sum = 0;
    for (int k = 0; k < words_; ++k) {
        if (even_)
            sum += count_bits(set[k] & ~safe[k]);
        else
            for (Word rest = set[k] & ~safe[k]; rest != 0; rest &= rest - 1)
                sum += weights_[64 * k + std::countr_zero(rest)];
    }
    return sum;
}

std::uint64_t Chart::hash(const Word* set) const {
    std::uint64_t sum = 0;
    each(set, [&](int i) { sum += hashes_[i]; });
    return sum;
}

}  // namespace mineproof
