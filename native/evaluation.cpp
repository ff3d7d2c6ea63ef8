#include "evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace mineproof {
namespace {

constexpr char form[] = "MINEVAL3";
constexpr std::size_t form_length = 8;
constexpr std::size_t max_width = 256;
constexpr std::size_t risk_rows = std::size_t{Features::cells} * Features::kinds;
constexpr std::size_t scalar_rows = risk_rows + Features::cells;
constexpr std::size_t constant_row = scalar_rows + Features::scalars;
constexpr std::size_t value_rows = constant_row + 1;
constexpr std::size_t after_rows = value_rows + 9;
constexpr std::size_t after_risk_rows = after_rows + Features::Shown::scalars;
constexpr std::size_t all_rows = after_risk_rows + Features::Shown::cells;

// Converts a 16-bit float: a sign, five bits of exponent, ten bits of fraction.
float half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31) throw std::invalid_argument("expected finite weights");
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                     : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    return bits & 0x8000 ? -size : size;
}

// Reads little-endian numbers one by one.
class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}

    std::uint32_t integer(std::size_t bytes) {
        if (data_.size() < bytes) throw std::invalid_argument("expected more bytes in the evaluation");
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) value |= std::uint32_t{data_[i]} << 8 * i;
        data_ = data_.subspan(bytes);
        return value;
    }
    Held<float> numbers(std::size_t count) {
        Held<float> values(count);
        for (float& value : values) value = half(static_cast<std::uint16_t>(integer(2)));
        return values;
    }
    bool is_done() const { return data_.empty(); }

private:
    std::span<const std::uint8_t> data_;
};

// A row of weights and its factor.
struct Term {
    const float* row;
    float factor;
};

// If the compiler supports it, the function is also compiled for processors with wide vectors. The
// results are the same.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
void add_terms(std::span<const Term> terms, std::size_t width, float* sums) {
    std::size_t at = 0;
    for (; at + 4 <= terms.size(); at += 4) {  // four at a time, for fewer reads and writes
        const Term a = terms[at], b = terms[at + 1], c = terms[at + 2], d = terms[at + 3];
        for (std::size_t i = 0; i < width; ++i)
            sums[i] = sums[i] + a.factor * a.row[i] + b.factor * b.row[i] + c.factor * c.row[i] +
                      d.factor * d.row[i];
    }
    for (; at < terms.size(); ++at)
        for (std::size_t i = 0; i < width; ++i) sums[i] += terms[at].factor * terms[at].row[i];
}

// A list of terms in memory of fixed size.
class Terms {
public:
    void add(const float* row, float factor) { terms_[count_++] = {row, factor}; }
    operator std::span<const Term>() const { return {terms_.data(), count_}; }

private:
    static constexpr std::size_t most =
        std::max<std::size_t>(2 * Features::cells + Features::scalars, max_width);
    std::array<Term, most> terms_;
    std::size_t count_ = 0;
};

}  // namespace

Evaluation::Evaluation(std::span<const std::uint8_t> data) {
    if (data.size() < form_length || std::memcmp(data.data(), form, form_length) != 0)
        throw std::invalid_argument("expected an evaluation in the format MINEVAL3");
    Reader reader(data.subspan(form_length));
    width_ = reader.integer(4);
    inner_ = reader.integer(4);
    if (width_ < 1 || width_ > max_width || inner_ < 1 || inner_ > max_width)
        throw std::invalid_argument("expected layers of 1 to 256 numbers");
    rows_ = reader.numbers(all_rows * width_);
    second_ = reader.numbers((width_ + 1) * inner_);
    last_ = reader.numbers(inner_ + 1);
    if (!reader.is_done()) throw std::invalid_argument("expected fewer bytes in the evaluation");
}

void Evaluation::sum_candidate(const Features& features, float* sums) const {
    Terms terms;
    for (std::size_t cell = 0; cell < Features::cells; ++cell) {
        terms.add(row(cell * Features::kinds + features.kind[cell]), 1);
        if (features.risk[cell] > 0) terms.add(row(risk_rows + cell), features.risk[cell]);
    }
    for (std::size_t i = 0; i < Features::scalars; ++i)
        terms.add(row(scalar_rows + i), features.scalar[i]);
    std::copy_n(row(constant_row), width_, sums);
    add_terms(terms, width_, sums);
}

float Evaluation::judge(const Features::Shown& shown, const float* candidate) const {
    Terms terms;
    terms.add(row(value_rows + shown.value), 1);
    for (std::size_t i = 0; i < Features::Shown::scalars; ++i)
        if (shown.scalar[i] != 0) terms.add(row(after_rows + i), shown.scalar[i]);
    for (std::size_t cell = 0; cell < Features::Shown::cells; ++cell)
        if (shown.risk[cell] > 0) terms.add(row(after_risk_rows + cell), shown.risk[cell]);
    float first[max_width], inner[max_width];
    std::copy_n(candidate, width_, first);
    add_terms(terms, width_, first);
    Terms active;
    for (std::size_t i = 0; i < width_; ++i)
        if (first[i] > 0) active.add(&second_[i * inner_], first[i]);
    std::copy_n(&second_[width_ * inner_], inner_, inner);
    add_terms(active, inner_, inner);
    float sum = last_[inner_];
    for (std::size_t k = 0; k < inner_; ++k) sum += last_[k] * std::max(inner[k], 0.0F);
    return sum;
}

double Evaluation::win(const Features& features) const {
    float candidate[max_width];
    sum_candidate(features, candidate);
    double survival = 0;
    for (const Features::Shown& shown : features.shown)
        survival += shown.survival / (1 + std::exp(-static_cast<double>(judge(shown, candidate))));
    return features.safety * survival;
}

}  // namespace mineproof
