// A trained estimate of the chance to win with a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features.hpp"

namespace mineproof {

// A small network: a row of weights for each cell of the pattern and what it is, for its risk
// and for each number, summed; then two layers. They give what is left of the chance to
// survive two guesses in the rest of the game. The data are made by `training/`.
class Evaluation {
public:
    // The bytes of the data: eight letters that name the form, the widths of the two layers,
    // then all weights (32 bits each, least byte first). Throws std::invalid_argument.
    explicit Evaluation(std::span<const std::uint8_t> data);

    // The estimated chance to win if the candidate is opened.
    double win(const Features& features) const;

private:
    const float* row(std::size_t number) const { return &rows_[number * width_]; }

    std::size_t width_ = 0, inner_ = 0;
    std::vector<float> rows_;    // by cell and kind; by cell, for its risk; by number; a constant
    std::vector<float> second_;  // inner_ rows of width_, and a constant each
    std::vector<float> last_;    // inner_ weights and a constant
};

}  // namespace mineproof
