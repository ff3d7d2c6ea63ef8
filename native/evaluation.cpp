#include "evaluation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace mineproof {
namespace {

constexpr char form[] = "MINEVAL1";
constexpr std::size_t form_length = 8;
constexpr std::size_t max_width = 256;
constexpr std::size_t risk_rows = std::size_t{Features::cells} * Features::kinds;
constexpr std::size_t scalar_rows = risk_rows + Features::cells;
constexpr std::size_t constant_row = scalar_rows + Features::scalars;

// Reads numbers of four bytes one by one.
class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}

    std::uint32_t integer() {
        if (data_.size() < 4) throw std::invalid_argument("expected more bytes of an evaluation");
        const std::uint32_t value = data_[0] | data_[1] << 8 | data_[2] << 16 |
                                    static_cast<std::uint32_t>(data_[3]) << 24;
        data_ = data_.subspan(4);
        return value;
    }
    std::vector<float> numbers(std::size_t count) {
        std::vector<float> values(count);
        for (float& value : values) {
            value = std::bit_cast<float>(integer());
            if (!std::isfinite(value)) throw std::invalid_argument("expected finite weights");
        }
        return values;
    }
    bool is_done() const { return data_.empty(); }

private:
    std::span<const std::uint8_t> data_;
};

void add_row(float* sums, const float* row, float factor, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) sums[i] += factor * row[i];
}

}  // namespace

Evaluation::Evaluation(std::span<const std::uint8_t> data) {
    if (data.size() < form_length || std::memcmp(data.data(), form, form_length) != 0)
        throw std::invalid_argument("expected an evaluation of the form MINEVAL1");
    Reader reader(data.subspan(form_length));
    width_ = reader.integer();
    inner_ = reader.integer();
    if (width_ < 1 || width_ > max_width || inner_ < 1 || inner_ > max_width)
        throw std::invalid_argument("expected layers of 1 to 256 numbers");
    rows_ = reader.numbers((constant_row + 1) * width_);
    second_ = reader.numbers(inner_ * (width_ + 1));
    last_ = reader.numbers(inner_ + 1);
    if (!reader.is_done()) throw std::invalid_argument("expected fewer bytes of an evaluation");
}

double Evaluation::win(const Features& features) const {
    float first[max_width];
    std::copy_n(row(constant_row), width_, first);
    for (std::size_t cell = 0; cell < Features::cells; ++cell) {
        add_row(first, row(cell * Features::kinds + features.kind[cell]), 1, width_);
        if (features.risk[cell] > 0)
            add_row(first, row(risk_rows + cell), features.risk[cell], width_);
    }
    for (std::size_t i = 0; i < Features::scalars; ++i)
        add_row(first, row(scalar_rows + i), features.scalar[i], width_);
    for (std::size_t i = 0; i < width_; ++i) first[i] = std::max(first[i], 0.0F);
    float sum = last_[inner_];
    for (std::size_t k = 0; k < inner_; ++k) {
        const float* weights = &second_[k * (width_ + 1)];
        float inner = weights[width_];
        for (std::size_t i = 0; i < width_; ++i) inner += weights[i] * first[i];
        sum += last_[k] * std::max(inner, 0.0F);
    }
    return features.survival() / (1 + std::exp(-static_cast<double>(sum)));
}

}  // namespace mineproof
