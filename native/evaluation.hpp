// A trained estimate of the chance to win with a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "features.hpp"
#include "held.hpp"

namespace mineproof {

// A small network. A row of weights for each cell of the pattern and what it is, for its risk
// and for each number are summed; to them, for each value that the candidate can show, rows for
// what would be left then; two layers follow. They give what the rest of the game leaves of the
// chance to survive the next guess after that value. The data are made by `training/`.
class Evaluation {
public:
    // The bytes of the data: eight letters that name the form, the widths of the two layers,
    // then all weights (16 bits each, least byte first). Throws std::invalid_argument.
    explicit Evaluation(std::span<const std::uint8_t> data);

    // The estimated chance to win if the candidate is opened.
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
