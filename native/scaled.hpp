// Numbers with the precision of a double and a practically unlimited range.
#pragma once

#include <cmath>
#include <cstdint>

namespace mineproof {

// The value is mantissa * 2^(512 * exponent). A mantissa is 0 or in [2^-256, 2^256), so products
// and sums of non-negative numbers neither overflow nor vanish: only a true zero is ever 0.
class Scaled {
public:
    constexpr Scaled() = default;
    Scaled(double value) : mantissa_(value) {
        settle();
        settle();  // the smallest and the largest doubles need two steps
    }

    Scaled& operator+=(const Scaled& other) {
        if (other.mantissa_ == 0) return *this;
        const std::int64_t apart = other.exponent_ - exponent_;
        if (mantissa_ == 0 || apart > 1) return *this = other;
        if (apart < -1) return *this;  // less than a rounding error
        if (apart == 1) {
            mantissa_ = mantissa_ * down + other.mantissa_;
            exponent_ = other.exponent_;
        } else {
            mantissa_ += apart == 0 ? other.mantissa_ : other.mantissa_ * down;
        }
        settle();
        return *this;
    }
    Scaled& operator*=(const Scaled& other) {
        mantissa_ *= other.mantissa_;
        exponent_ += other.exponent_;
        settle();
        return *this;
    }
    friend Scaled operator+(Scaled a, const Scaled& b) { return a += b; }
    friend Scaled operator*(Scaled a, const Scaled& b) { return a *= b; }
    friend Scaled operator/(const Scaled& a, const Scaled& b) {
        Scaled quotient(a.mantissa_ / b.mantissa_);
        if (quotient.mantissa_ != 0) quotient.exponent_ += a.exponent_ - b.exponent_;
        return quotient;
    }
    friend bool operator==(const Scaled& a, const Scaled& b) = default;

    bool is_zero() const { return mantissa_ == 0; }
    double log2() const { return std::log2(mantissa_) + 512.0 * static_cast<double>(exponent_); }
    double value() const {  // 0 or infinity if outside the range of a double
        if (exponent_ < -4) return 0;
        return std::ldexp(mantissa_, exponent_ > 4 ? 4096 : static_cast<int>(exponent_) * 512);
    }

private:
    static constexpr double up = 0x1p512, down = 0x1p-512;
    static constexpr double most = 0x1p256, least = 0x1p-256;

    void settle() {
        if (mantissa_ >= most) {
            mantissa_ *= down;
            ++exponent_;
        } else if (mantissa_ < least) {
            if (mantissa_ == 0) {
                exponent_ = 0;
            } else {
                mantissa_ *= up;
                --exponent_;
            }
        }
    }

    double mantissa_ = 0;
    std::int64_t exponent_ = 0;
};

inline bool is_zero(double number) { return number == 0; }
inline bool is_zero(const Scaled& number) { return number.is_zero(); }
inline double to_double(double number) { return number; }
inline double to_double(const Scaled& number) { return number.value(); }

}  // namespace mineproof
