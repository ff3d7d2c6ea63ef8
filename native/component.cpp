#include "component.hpp"

#include <algorithm>
#include <limits>

namespace mineproof {
namespace {

// With more bits the weights of a tilted mixture do not leave room enough in doubles.
constexpr double max_tilted_bits = 300;

}  // namespace

double keep_open(double risk) {
    constexpr double least = std::numeric_limits<double>::denorm_min();
    constexpr double most = 1 - std::numeric_limits<double>::epsilon() / 2;
    return std::clamp(risk, least, most);
}

bool Component::make(const Field& field, int clue, Tools& tools, Budget& budget) {
    has_forward_ = has_support_ = false;
    tools.gatherer.gather(field, clue, problem, places);
    tools.orders.search(problem, tools.order);
    return tools.builder.build(problem, tools.order, budget, lattice);
}

bool Component::prove(Tools& tools) {
    if (!has_support_) {
        tools.support.run(lattice, problem.sizes, tools.boxes);
        verdict.clear();
        for (const SupportPass::Box& box : tools.boxes)
            verdict.push_back(!box.mined ? Verdict::safe : !box.free ? Verdict::mined : Verdict::open);
        has_support_ = true;
    }
    return std::any_of(verdict.begin(), verdict.end(),
                       [](Verdict decided) { return decided != Verdict::open; });
}

void Component::count() {
    if (has_forward_) return;
    has_forward_ = true;
    if (is_wide())
        pass_forward(lattice, wide_forward_);
    else
        pass_forward(lattice, forward_);
}

Factor Component::factor() const {
    const Lattice::State& last = lattice.last();
    const auto length = static_cast<std::size_t>(last.length);
    Factor factor{last.low, {}, {}, problem.cells, problem.bits()};
    if (is_wide())
        factor.wide_terms = {wide_forward_.data() + last.offset, length};
    else
        factor.terms = {forward_.data() + last.offset, length};
    return factor;
}

void Component::weigh(const Mixture& mixture, int number, Tools& tools) {
    if (!is_wide() && (mixture.is_plain() || problem.bits() <= max_tilted_bits)) {
        tools.backward.run(lattice, problem.sizes, forward_, mixture.outer(number).data(),
                           tools.sums);
        return judge(tools.sums);
    }
    if (!is_wide()) tools.wide_forward.assign(forward_.begin(), forward_.end());
    tools.wide_outer.assign(mixture.wide_outer(number).begin(), mixture.wide_outer(number).end());
    tools.wide_backward.run(lattice, problem.sizes,
                            is_wide() ? wide_forward_ : tools.wide_forward,
                            tools.wide_outer.data(), tools.wide_sums);
    judge(tools.wide_sums);
}

template <class Number>
void Component::judge(const std::vector<BoxSums<Number>>& sums) {
    risk.clear();
    verdict.clear();
    for (const BoxSums<Number>& sum : sums) {
        if (is_zero(sum.mined)) {
            risk.push_back(0);
            verdict.push_back(Verdict::safe);
        } else if (is_zero(sum.free)) {
            risk.push_back(1);
            verdict.push_back(Verdict::mined);
        } else {
            risk.push_back(keep_open(to_double(sum.mined / (sum.mined + sum.free))));
            verdict.push_back(Verdict::open);
        }
    }
    has_support_ = false;
}

}  // namespace mineproof
