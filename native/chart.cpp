#include "chart.hpp"

#include <algorithm>
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
    rows_.clear();
    for (std::uint32_t layout : layouts) rows_.push_back(rows.row(layout));
    for (int cell : cells) add_column(cell);
    compare();
}

void Chart::add_column(int cell) {
    constexpr int kinds = LayoutRows::mine + 1;
    sets_.resize(at(kinds));
    unsigned seen = 0;
    for (int k = 0; k < words_; ++k) {
        std::array<Word, kinds> bits{};
        const int end = std::min(count(), 64 * (k + 1));
        Word bit = 1;
        for (int i = 64 * k; i < end; ++i, bit <<= 1) bits[rows_[i][cell]] |= bit;
        for (int value = 0; value < kinds; ++value) {
            sets_[at(value) + k] = bits[value];
            seen |= static_cast<unsigned>(bits[value] != 0) << value;
        }
    }
    seen &= (1u << LayoutRows::mine) - 1;
    if ((seen & (seen - 1)) == 0) return;  // it shows at most one number
    const int begin = columns_.empty() ? 0 : columns_.back().end;
    const std::size_t safe = safe_.size();
    safe_.resize(safe + words_);
    for (int value = 0; value < LayoutRows::mine; ++value) {
        if ((seen >> value & 1) == 0) continue;
        const Word* set = &sets_[at(value)];
        values_.insert(values_.end(), set, set + words_);
        for (int k = 0; k < words_; ++k) safe_[safe + k] |= set[k];
    }
    columns_.push_back({cell, begin, begin + std::popcount(seen)});
}

void Chart::compare() {
    unlike_.assign(at(count()), 0);
    sets_.resize(words_);  // for each value, the layouts in which the cell shows another
    Word *others = sets_.data(), *unlike = unlike_.data();
    for (int column = 0; column < static_cast<int>(columns_.size()); ++column)
        for (int v = columns_[column].begin; v < columns_[column].end; ++v) {
            for (int k = 0; k < words_; ++k) others[k] = safe(column)[k] & ~value(v)[k];
            if (words_ == 1)  // most charts are this small
                each(value(v), [unlike, only = others[0]](int i) { unlike[i] |= only; });
            else
                each(value(v), [&](int i) { add_words(others, words_, unlike + at(i)); });
        }
}

void Chart::fill(Held<Word>& set) const {
    set.assign(words_, ~Word{0});
    if (count() % 64 != 0) set.back() = (Word{1} << count() % 64) - 1;
}

double Chart::weigh(const Word* set, int size) const {
    if (even_) return size;
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
