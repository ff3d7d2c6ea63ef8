// Layouts read column by column, as sets of bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "held.hpp"

namespace mineproof {

using Word = std::uint64_t;

// Faster than the library's function if the compiler may not use a processor instruction for it.
constexpr int count_bits(Word word) {
    word -= word >> 1 & 0x5555555555555555ULL;
    word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return static_cast<int>(word * 0x0101010101010101ULL >> 56);
}

// The value that each cell would show, one row per layout, with the weights of the layouts.
struct LayoutRows {
    static constexpr std::uint8_t mine = 9;

    int cells = 0;
    Held<std::uint8_t> shown;
    Held<double> weights;

    int count() const { return static_cast<int>(weights.size()); }
    const std::uint8_t* row(std::uint32_t layout) const {
        return shown.data() + std::size_t{layout} * cells;
    }
};

// Some layouts, sorted by decreasing weight. Bit i of a set stands for layout i of the chart; all
// sets of a chart have the same number of words.
//
// A column is a cell that can show different numbers. For each number, the chart has the set of
// layouts in which the cell shows it, and one more set for those in which the cell is safe.
class Chart {
public:
    struct Column {
        int cell;
        int begin, end;  // its values, numbered throughout the chart, in increasing order
    };

    // Selects layouts from a list of rows, and the cells that can distinguish them.
    void build(const LayoutRows& rows, std::span<const std::uint32_t> layouts,
               std::span<const int> cells);

    int words() const { return words_; }
    int count() const { return static_cast<int>(layouts_.size()); }
    std::uint32_t layout(int i) const { return layouts_[i]; }  // its index in the list of rows
    double weight(int i) const { return weights_[i]; }
    std::span<const Column> columns() const { return columns_; }
    const Word* value(int number) const { return &values_[at(number)]; }
    const Word* safe(int column) const { return &safe_[at(column)]; }
    // Returns the layouts that differ from layout i in a cell that is safe in both.
    const Word* unlike(int i) const { return &unlike_[at(i)]; }

    // Fills a set with all layouts.
    void fill(Held<Word>& set) const;
    int first(const Word* set) const {
        int k = 0;
        while (set[k] == 0) ++k;
        return 64 * k + std::countr_zero(set[k]);
    }
    int size(const Word* set) const {
        int sum = 0;
        for (int k = 0; k < words_; ++k) sum += count_bits(set[k]);
        return sum;
    }
    bool is_disjoint(const Word* a, const Word* b) const {
        for (int k = 0; k < words_; ++k)
            if ((a[k] & b[k]) != 0) return false;
        return true;
    }
    // Returns whether a layout of the set is in `a` but not in `b`.
    bool has_between(const Word* set, const Word* a, const Word* b) const {
        for (int k = 0; k < words_; ++k)
            if ((set[k] & a[k] & ~b[k]) != 0) return true;
        return false;
    }
    // Returns the weight of a set, given its size.
    double weigh(const Word* set, int size) const;
    // Returns the weight of the layouts of a set in which a column is a mine.
    double mined(const Word* set, int column) const;
    // Returns a hash of the set that is the same in every chart with these layouts.
    std::uint64_t hash(const Word* set) const;
    template <class Visit>
    void each(const Word* set, Visit visit) const {
        for (int k = 0; k < words_; ++k)
            for (Word rest = set[k]; rest != 0; rest &= rest - 1)
                visit(64 * k + std::countr_zero(rest));
    }

private:
    std::size_t at(int set) const { return static_cast<std::size_t>(set) * words_; }
    void add_column(int cell);
    void compare();

    int words_ = 0;
    bool even_ = true;  // all weights are 1, so weighing is counting
    Held<std::uint32_t> layouts_;
    Held<double> weights_;
    Held<std::uint64_t> hashes_;
    Held<const std::uint8_t*> rows_;  // the rows of the layouts; used only while building
    Held<Column> columns_;
    Held<Word> values_, safe_, unlike_, sets_;
};

}  // namespace mineproof
