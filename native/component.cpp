#include "component.hpp"

#include <algorithm>
#include <limits>

namespace mineproof {
namespace {

// With more bits, the weights of a tilted mixture leave too little room in doubles.
constexpr double max_tilted_bits = 300;

// Computes target += factor * source, for numbers of `limbs` words that can hold the result.
void add_product(std::uint64_t* target, const std::uint64_t* source, std::uint64_t factor,
                 int limbs) {
    std::uint64_t carry = 0;
    for (int i = 0; i < limbs; ++i) {
        const unsigned __int128 sum =
            static_cast<unsigned __int128>(source[i]) * factor + target[i] + carry;
        target[i] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64);
    }
}

}  // namespace

double keep_open(double risk) {
    constexpr double least = std::numeric_limits<double>::denorm_min();
    constexpr double most = 1 - std::numeric_limits<double>::epsilon() / 2;
    return std::clamp(risk, least, most);
}

bool Component::make(const Field& field, int clue, Tools& tools, Budget& budget) {
    has_forward_ = has_support_ = false;
    tools.gatherer.gather(field, clue, problem, places);
    tools.orders.search(problem, tools.order, budget);
    if (!tools.builder.build(problem, tools.order, budget, lattice)) return false;
    select(-1);
    return true;
}

void Component::select(int answer) {
    selected_ = answer;
    has_terms_ = false;
    int low = std::numeric_limits<int>::max(), end = 0;
    for (int i = 0; i < static_cast<int>(lattice.answers.size()); ++i) {
        if (!is_selected(i)) continue;
        low = std::min(low, lattice.last(i).low);
        end = std::max(end, lattice.last(i).low + lattice.last(i).length);
    }
    low_ = low;
    length_ = end - low;
}

bool Component::prove(Tools& tools) {
    if (!has_support_) {
        tools.support.run(lattice, problem.sizes, tools.boxes);
        verdict.clear();
        for (const SupportPass::Box& box : tools.boxes)
            verdict.push_back(!box.mined  ? Verdict::safe
                              : !box.free ? Verdict::mined
                                          : Verdict::open);
        has_support_ = true;
    }
    return std::any_of(verdict.begin(), verdict.end(),
                       [](Verdict decided) { return decided != Verdict::open; });
}

void Component::count(Budget& budget) {
    if (!has_forward_ && is_wide()) pass_forward(lattice, wide_forward_, budget);
    if (!has_forward_ && !is_wide()) pass_forward(lattice, forward_, budget);
    has_forward_ = true;
    if (has_terms_ || lattice.answers.size() == 1) return;
    has_terms_ = true;
    is_wide() ? add_up(wide_forward_, wide_terms_) : add_up(forward_, terms_);
}

// Adds up the polynomials of all selected answers.
template <class Number>
void Component::add_up(const Held<Number>& forward, Held<Number>& terms) const {
    terms.assign(length_, Number{});
    for (int i = 0; i < static_cast<int>(lattice.answers.size()); ++i) {
        const Lattice::State& last = lattice.last(i);
        if (is_selected(i))
            for (int k = 0; k < last.length; ++k)
                terms[last.low - low_ + k] += forward[last.offset + k];
    }
}

Factor Component::factor() const {
    const auto length = static_cast<std::size_t>(length_);
    const bool alone = lattice.answers.size() == 1;
    const std::uint32_t offset = lattice.last(0).offset;
    Factor factor{low_, {}, {}, problem.cells, problem.bits()};
    if (is_wide())
        factor.wide_terms = {alone ? wide_forward_.data() + offset : wide_terms_.data(), length};
    else
        factor.terms = {alone ? forward_.data() + offset : terms_.data(), length};
    return factor;
}

template <class Number>
void Component::run_backward(BackwardPass<Number>& pass, const Held<Number>& forward,
                             const Number* outer, Held<BoxSums<Number>>& sums,
                             Budget& budget) {
    pass.begin(lattice);
    for (int i = 0; i < static_cast<int>(lattice.answers.size()); ++i)
        if (is_selected(i)) pass.seed(lattice, i, outer + (lattice.last(i).low - low_));
    pass.run(lattice, problem.sizes, forward, sums, budget);
    risk.clear();
    verdict.clear();
    has_support_ = false;
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
}

void Component::weigh(const Mixture& mixture, int number, Tools& tools, Budget& budget) {
    if (mixture.is_plain() || (!is_wide() && problem.bits() <= max_tilted_bits)) {
        run_backward(tools.backward, forward_, mixture.outer(number).data(), tools.sums,
                     budget);
        return;
    }
    if (!is_wide()) tools.wide_forward.assign(forward_.begin(), forward_.end());
    run_backward(tools.wide_backward, is_wide() ? wide_forward_ : tools.wide_forward,
                 mixture.wide_outer(number).data(), tools.wide_sums, budget);
}

Held<Scaled> Component::answer_weights(const Mixture& mixture, int number) const {
    Held<Scaled> weights;
    for (int i = 0; i < static_cast<int>(lattice.answers.size()); ++i) {
        const Lattice::State& last = lattice.last(i);
        Scaled sum;
        for (int k = 0; k < last.length; ++k) {
            const int at = last.low - low_ + k;
            const Scaled ways = is_wide() ? wide_forward_[last.offset + k]
                                          : Scaled(forward_[last.offset + k]);
            sum += ways * (mixture.is_plain() ? Scaled(mixture.outer(number)[at])
                                              : mixture.wide_outer(number)[at]);
        }
        weights.push_back(sum);
    }
    return weights;
}

// The forward pass in exact integers. No number exceeds 2^cells.
ExactTerms Component::exact_terms(Budget& budget) const {
    const int limbs = problem.cells / 64 + 1;
    const auto words = static_cast<std::size_t>(limbs);
    Held<std::uint64_t> values(lattice.numbers * words, 0);
    values[0] = 1;
    for (std::size_t layer = 0; layer + 2 < lattice.layers.size(); ++layer) {
        const int size = problem.sizes[lattice.boxes[layer]];
        for (std::uint32_t from = lattice.layers[layer]; from < lattice.layers[layer + 1]; ++from) {
            const Lattice::State& here = lattice.states[from];
            budget.tick(std::int64_t{here.length} * limbs);
            for (std::uint32_t e = here.edges; e < lattice.states[from + 1].edges; ++e) {
                const Lattice::Edge& edge = lattice.edges[e];
                const Lattice::State& there = lattice.states[edge.to];
                const auto ways = static_cast<std::uint64_t>(choose[size][edge.mines]);
                const auto shift = static_cast<std::uint32_t>(
                    here.low + static_cast<std::int32_t>(edge.mines) - there.low);
                for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(here.length); ++i)
                    add_product(&values[(there.offset + shift + i) * words],
                                &values[(here.offset + i) * words], ways, limbs);
            }
        }
    }
    const Lattice::State& last = lattice.last(0);
    ExactTerms terms{last.low, last.length, limbs, {}};
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(last.offset * words);
    terms.words.assign(begin, begin + static_cast<std::ptrdiff_t>(terms.count * words));
    return terms;
}

}  // namespace mineproof
