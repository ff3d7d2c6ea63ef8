// A trained estimate of the chance of winning with a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "features.hpp"
#include "held.hpp"

namespace mineproof {

// A small network. Its first layer sums rows of weights: one for the kind of each cell in the
// pattern, one for its risk, and one for each number. For each value that the candidate can show,
// it adds rows for the position that would follow. Two more layers return, for each value, the
// chance of winning the game divided by the chance of surviving the next guess. `training/` makes
// the data.
class Evaluation {
public:
    // `data` has eight letters that name the format, the widths of the two layers, then all weights
    // (16 bits each, little-endian). Throws std::invalid_argument if it is not valid.
    explicit Evaluation(std::span<const std::uint8_t> data);

    // Returns the estimated chance of winning if the candidate is opened.
    double win(const Features& features) const;

private:
    const float* row(std::size_t number) const { return &rows_[number * width_]; }
    void sum_candidate(const Features& features, float* sums) const;
    float judge(const Features::Shown& shown, const float* candidate) const;

    std::size_t width_ = 0, inner_ = 0;
    Held<float> rows_;  // by cell and kind; by cell, for its risk; by number; a constant;
                        // then by value; by number after it; by cell, for its risk then
    Held<float> second_;  // width_ rows of inner_, and a row of constants
    Held<float> last_;    // inner_ weights and a constant
};

}  // namespace mineproof
