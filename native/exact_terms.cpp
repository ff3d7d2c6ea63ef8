#include "exact_terms.hpp"

#include <cmath>

namespace mineproof {
namespace {

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

// The forward pass in exact integers. No number exceeds 2^cells.
ExactTerms exact_terms(const Component& component, Budget& budget) {
    const Lattice& lattice = component.lattice;
    const int limbs = component.problem.cells / 64 + 1;
    const auto words = static_cast<std::size_t>(limbs);
    Held<std::uint64_t> values(lattice.numbers * words, 0);
    values[0] = 1;
    for (std::size_t layer = 0; layer + 2 < lattice.layers.size(); ++layer) {
        const int size = component.problem.sizes[lattice.boxes[layer]];
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
