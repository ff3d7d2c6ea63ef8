// Random layouts, drawn exactly by weight.
#include <algorithm>

#include "posterior.hpp"
#include "sample.hpp"

namespace mineproof {
namespace {

// Walks from the last state back to the first. Each step picks one of the edges that lead to
// the present state, by the weight of all paths that come through it with the right number
// of mines; `place_mines(box, mines)` is told what it puts into the box.
template <class Number, class PlaceMines>
void walk_back(const Lattice& lattice, const std::vector<Number>& forward, int mines,
               Stream& stream, PlaceMines place_mines) {
    struct Step {
        std::uint32_t from;
        int mines;
        Number weight;
    };
    std::vector<Step> steps;
    std::vector<double> weights;
    std::uint32_t state = lattice.last_layer();
    for (std::size_t layer = lattice.layers.size() - 2; layer-- > 0;) {
        steps.clear();
        Number all{};
        for (std::uint32_t from = lattice.layers[layer]; from < lattice.layers[layer + 1]; ++from) {
            const Lattice::State& here = lattice.states[from];
            for (std::uint32_t e = here.edges; e < lattice.states[from + 1].edges; ++e) {
                const Lattice::Edge& edge = lattice.edges[e];
                const int before = mines - static_cast<int>(edge.mines) - here.low;
                if (edge.to != state || before < 0 || before >= here.length) continue;
                const Number weight =
                    Number(edge.factor) * forward[here.offset + static_cast<std::uint32_t>(before)];
                steps.push_back({from, static_cast<int>(edge.mines), weight});
                all += weight;
            }
        }
        weights.clear();
        for (const Step& step : steps) weights.push_back(to_double(step.weight / all));
        const Step& chosen = steps[stream.pick(weights)];
        place_mines(lattice.boxes[layer], chosen.mines);
        mines -= chosen.mines;
        state = chosen.from;
    }
}

// Mines into some cells of the pool, which is left in disorder.
void lay(const Grid& grid, int mines, std::vector<int>& pool, Stream& stream, std::uint8_t* mined) {
    stream.choose(pool, static_cast<std::size_t>(mines));
    for (int i = 0; i < mines; ++i) mined[grid.cell(pool[i])] = 1;
}

}  // namespace

void draw_component(const Solver& solver, int number, int mines, Stream& stream,
                    std::uint8_t* mined) {
    const Grid& grid = solver.field.grid();
    const Component& component = solver.component(number);
    std::vector<int> pool;
    const auto place_mines = [&](int box, int count) {
        const auto cells = component.places.cells_of(box);
        pool.assign(cells.begin(), cells.end());
        for (int place : pool) mined[grid.cell(place)] = 0;
        lay(grid, count, pool, stream, mined);
    };
    const auto walk = [&](const auto& forward) {
        walk_back(component.lattice, forward, mines, stream, place_mines);
    };
    component.is_wide() ? walk(component.wide_forward()) : walk(component.forward());
}

void draw_layout(const Solver& solver, Stream& stream, std::uint8_t* mined) {
    const Field& field = solver.field;
    const Grid& grid = field.grid();
    std::fill(mined, mined + grid.cells(), 0);
    std::vector<int> pool, counts;
    const int used = solver.mixture().draw(stream, counts);
    for (int number = 0; number < solver.component_count(); ++number)
        draw_component(solver, number, counts[number], stream, mined);
    for (int place = 0; place < static_cast<int>(field.code.size()); ++place) {
        if (field.is_interior(place)) pool.push_back(place);
        if (field.known[place] == Known::mine) mined[grid.cell(place)] = 1;
    }
    lay(grid, solver.interior().draw(used, stream), pool, stream, mined);
}

void Posterior::sample(std::uint64_t seed, std::uint8_t* mined) {
    if (!settled_) {
        Budget budget;
        solver_.weigh(prior_, budget);
        settled_ = true;
    }
    Stream stream(seed, Purpose::sample);
    draw_layout(solver_, stream, mined);
}

}  // namespace mineproof
