// What a cell would show: the joint distribution of its safety and its mined neighbours.
#include <algorithm>

#include "posterior.hpp"

namespace mineproof {
namespace {

// Weights by mines in a component (or several together) and mined neighbours of the cell.
class Joint {
public:
    Joint(int low, int length) : low_(low), length_(length), weights_(std::size_t(length) * 9) {}

    int low() const { return low_; }
    int length() const { return length_; }
    Scaled& at(int mines, int hits) { return weights_[std::size_t(mines) * 9 + hits]; }
    const Scaled& at(int mines, int hits) const { return weights_[std::size_t(mines) * 9 + hits]; }

    friend Joint operator*(const Joint& a, const Joint& b) {
        Joint product(a.low_ + b.low_, a.length_ + b.length_ - 1);
        for (int i = 0; i < a.length_; ++i)
            for (int t = 0; t < 9; ++t)
                for (int k = 0; k < b.length_ && !a.at(i, t).is_zero(); ++k)
                    for (int u = 0; t + u < 9; ++u)
                        product.at(i + k, t + u) += a.at(i, t) * b.at(k, u);
        return product;
    }

private:
    int low_, length_;
    std::vector<Scaled> weights_;
};

// How the cells of each box lie to the cell in question.
struct Overlap {
    std::vector<int> near;  // neighbours of it
    std::vector<int> self;  // the cell itself

    Overlap(const Component& component, const Grid& grid, int place)
        : near(component.problem.box_count(), 0), self(component.problem.box_count(), 0) {
        for (std::size_t i = 0; i < component.places.cells.size(); ++i) {
            const int cell = component.places.cells[i], box = component.places.boxes[i];
            self[box] += cell == place;
            for (int step : grid.steps) near[box] += cell == place + step;
        }
    }
};

// The forward pass with neighbours counted besides: each box splits its mines among the
// neighbours in it and its other cells. Layouts in which the cell itself is mined are left out.
Joint count_hits(const Component& component, const Overlap& overlap) {
    const Lattice& lattice = component.lattice;
    std::vector<Joint> layer{Joint(0, 1)}, next;
    layer[0].at(0, 0) = Scaled(1.0);
    for (std::size_t number = 0; number + 2 < lattice.layers.size(); ++number) {
        const int box = lattice.boxes[number];
        const int size = component.problem.sizes[box], near = overlap.near[box];
        const int others = size - near - overlap.self[box];
        const std::uint32_t begin = lattice.layers[number], end = lattice.layers[number + 1];
        next.clear();
        for (std::uint32_t to = end; to < lattice.layers[number + 2]; ++to)
            next.emplace_back(lattice.states[to].low, lattice.states[to].length);
        for (std::uint32_t from = begin; from < end; ++from) {
            const Joint& here = layer[from - begin];
            for (std::uint32_t e = lattice.states[from].edges; e < lattice.states[from + 1].edges;
                 ++e) {
                const Lattice::Edge& edge = lattice.edges[e];
                const int mines = static_cast<int>(edge.mines);
                Joint& there = next[edge.to - end];
                const int shift = here.low() + mines - there.low();
                for (int hits = std::max(0, mines - others); hits <= std::min(mines, near); ++hits) {
                    const Scaled factor(edge.factor * choose[near][hits] *
                                        choose[others][mines - hits] / choose[size][mines]);
                    for (int i = 0; i < here.length(); ++i)
                        for (int t = 0; t + hits < 9; ++t)
                            there.at(i + shift, t + hits) += factor * here.at(i, t);
                }
            }
        }
        layer.swap(next);
    }
    return layer[0];
}

std::vector<Scaled> multiply(const std::vector<Scaled>& a, const Factor& b) {
    std::vector<Scaled> product(a.size() + b.length() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int k = 0; k < b.length(); ++k) product[i + k] += a[i] * b.term(k);
    return product;
}

// The interior's part: for each number of used mines the chances of 0, 1, .. hits in it.
std::vector<std::array<double, 9>> interior_chances(const Interior& interior, int low,
                                                    std::size_t count, int near, bool self) {
    std::vector<std::array<double, 9>> chances;
    for (std::size_t i = 0; i < count; ++i)
        chances.push_back(interior.chances(low + static_cast<int>(i), near, self));
    return chances;
}

// All components but some, which become one.
Mixture merge(const Solver& solver, const std::vector<int>& merged, std::vector<Scaled>& terms) {
    Mixture mixture;
    Factor whole{0, {}, {}, 0, 0};
    terms.assign(1, Scaled(1.0));
    for (int number = 0; number < solver.component_count(); ++number) {
        const Factor factor = solver.component(number).factor();
        if (std::find(merged.begin(), merged.end(), number) == merged.end()) {
            mixture.add(factor);
            continue;
        }
        terms = multiply(terms, factor);
        whole.low += factor.low;
        whole.cells += factor.cells;
        whole.bits += factor.bits;
    }
    whole.wide_terms = terms;
    mixture.add(whole);
    mixture.combine(solver.interior());
    return mixture;
}

std::array<double, 9> weigh(const Joint& joint, const std::vector<Scaled>& terms,
                            const Mixture& mixture, int leaf,
                            const std::vector<std::array<double, 9>>& inside, int most_inside) {
    std::vector<double> factors(inside.size(), 1.0);
    const std::vector<Scaled> outer = mixture.outer_with(leaf, factors);
    Scaled all;
    for (std::size_t i = 0; i < terms.size(); ++i) all += terms[i] * outer[i];
    std::array<Scaled, 9> sums{};
    for (int hits = 0; hits <= most_inside; ++hits) {
        for (std::size_t i = 0; i < inside.size(); ++i) factors[i] = inside[i][hits];
        const std::vector<Scaled> weights = mixture.outer_with(leaf, factors);
        for (int i = 0; i < joint.length(); ++i)
            for (int t = 0; t + hits < 9; ++t) sums[t + hits] += joint.at(i, t) * weights[i];
    }
    std::array<double, 9> chances{};
    for (int t = 0; t < 9; ++t) chances[t] = (sums[t] / all).value();
    return chances;
}

}  // namespace

std::array<double, 9> Posterior::values(int cell) const {
    const Field& field = solver_.field;
    const Grid& grid = field.grid();
    const int place = grid.place(cell);
    std::array<double, 9> values{};
    if (field.known[place] == Known::mine) return values;

    std::vector<int> touched;
    int inside = 0;
    const auto meet = [&](int other) {
        const int number = component_of_[other];
        if (number >= 0 && std::find(touched.begin(), touched.end(), number) == touched.end())
            touched.push_back(number);
    };
    meet(place);
    for (int step : grid.steps) {
        meet(place + step);
        inside += field.is_interior(place + step);
    }

    const bool self = field.is_interior(place);
    std::array<double, 9> chances{};
    if (touched.empty()) {
        const Mixture& mixture = solver_.mixture();
        const std::vector<double> weights = mixture.used_weights();
        double all = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] == 0) continue;
            all += weights[i];
            const auto part = solver_.interior().chances(
                mixture.used_low() + static_cast<int>(i), inside, self);
            for (int t = 0; t < 9; ++t) chances[t] += weights[i] * part[t];
        }
        for (double& chance : chances) chance /= all;
    } else {
        Joint joint(0, 1);
        joint.at(0, 0) = Scaled(1.0);
        for (int number = 0; number < solver_.component_count(); ++number)
            if (std::find(touched.begin(), touched.end(), number) != touched.end())
                joint = joint * count_hits(solver_.component(number),
                                           Overlap(solver_.component(number), grid, place));
        std::vector<Scaled> terms;
        const Mixture mixture = merge(solver_, touched, terms);
        const auto part = interior_chances(solver_.interior(), mixture.used_low(),
                                           mixture.used_weights().size(), inside, self);
        const int leaf = solver_.component_count() - static_cast<int>(touched.size());
        chances = weigh(joint, terms, mixture, leaf, part, inside);
    }
    const int known = field.mines[place];
    for (int t = 0; t + known < 9; ++t) values[t + known] = chances[t];
    return values;
}

}  // namespace mineproof
