#include "interior.hpp"

#include <algorithm>
#include <cmath>

namespace mineproof {
namespace {

// lgamma stores the sign in a global variable, so it is not thread-safe. Use lgamma_r if it exists.
double log_gamma(double value) {
#if defined(__GLIBC__) || defined(__APPLE__)
    int sign = 0;
    return lgamma_r(value, &sign);
#else
    return std::lgamma(value);
#endif
}

}  // namespace

Interior::Counts Interior::counts(int used) const {
    if (is_independent()) return {0, cells_};
    return {std::max(0, prior_.low - fixed_ - used), std::min(cells_, prior_.high - fixed_ - used)};
}

Interior::Support Interior::support(int used) const {
    const auto [low, high] = counts(used);
    return {low <= high, low <= high && high > 0, low <= high && low < cells_};
}

double Interior::log_ways(int used) const {
    const int mines = counts(used).low;
    return log_gamma(cells_ + 1.0) - log_gamma(mines + 1.0) - log_gamma(cells_ - mines + 1.0);
}

// Returns C(total, mines) / C(total, mines + 1).
double Interior::total_ratio(int mines) const {
    return static_cast<double>(mines + 1) / (total_ - mines);
}

// The weight of j interior mines is C(cells, j); for a range prior, it is divided by the number of
// boards with that many mines in total. Consecutive terms have simple ratios. Logarithms of
// factorials would lose digits on large boards.
template <class Visit>
void Interior::visit(int used, Visit visit) const {
    const auto [low, high] = counts(used);
    Scaled weight(1.0);
    for (int mines = low; mines <= high; ++mines) {
        visit(mines, weight);
        double ratio = static_cast<double>(cells_ - mines) / (mines + 1);
        if (prior_.kind == Prior::Kind::range && mines < high)
            ratio *= total_ratio(fixed_ + used + mines);
        weight *= Scaled(ratio);
    }
}

void Interior::weigh(int low, int count, Held<Scaled>& weights) const {
    weights.assign(count, Scaled());
    Scaled lead(1.0);  // the weight of the smallest number of interior mines
    bool found = false;
    for (int used = low; used < low + count; ++used) {
        const auto [fewest, most] = counts(used);
        if (fewest > most) continue;
        if (found) {
            const int before = counts(used - 1).low;
            if (fewest < before)  // C(cells, fewest) / C(cells, fewest + 1)
                lead *= Scaled(static_cast<double>(before) / (cells_ - fewest));
            else
                lead *= Scaled(total_ratio(fixed_ + used - 1 + fewest));
        }
        found = true;
        Scaled sum;
        visit(used, [&](int, const Scaled& weight) { sum += weight; });
        weights[used - low] = lead * sum;
    }
}

bool Interior::weigh(int low, int count, Held<double>& weights, double& bits) const {
    weights.assign(count, 0.0);
    bits = 0;
    if (!is_known()) return false;
    const int left = prior_.low - fixed_;
    const int begin = std::max(low, left - cells_), end = std::min(low + count, left + 1);
    double weight = 1, largest = 1, smallest = 1;
    for (int used = begin; used < end; ++used) {
        weights[used - low] = weight;
        largest = std::max(largest, weight);
        smallest = std::min(smallest, weight);
        const int mines = left - used;
        weight *= static_cast<double>(mines) / (cells_ - mines + 1);
        if (largest > 1e100 || smallest < 1e-100) return false;
    }
    bits = std::ilogb(largest) - std::ilogb(smallest) + 2;
    return true;
}

double Interior::share(int used) const {
    if (is_independent()) return prior_.density;
    if (cells_ == 0) return 0;
    if (is_known())
        return static_cast<double>(prior_.low - fixed_ - used) / cells_;
    Scaled mined, all;
    visit(used, [&](int mines, const Scaled& weight) {
        mined += weight * Scaled(static_cast<double>(mines) / cells_);
        all += weight;
    });
    return all.is_zero() ? 0 : (mined / all).value();
}

int Interior::draw(int used, Stream& stream) const {
    if (is_independent()) {
        int mines = 0;
        for (int cell = 0; cell < cells_; ++cell) mines += stream.fraction() < prior_.density;
        return mines;
    }
    const auto [low, high] = counts(used);
    if (low >= high) return low;
    Scaled all;
    visit(used, [&](int, const Scaled& weight) { all += weight; });
    Scaled sum;
    const double target = stream.fraction();
    int drawn = -1;
    visit(used, [&](int mines, const Scaled& weight) {
        sum += weight;
        if (drawn < 0 && (sum / all).value() > target) drawn = mines;
    });
    return drawn < 0 ? high : drawn;
}

}  // namespace mineproof
