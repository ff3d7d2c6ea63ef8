#include "sample.hpp"

#include <algorithm>

namespace mineproof {
namespace {

// Walks from the last state back to the first. Each step picks an edge into the current state, by
// the weight of all paths through it with the right number of mines. `place_mines(box, mines)`
// receives the mines that the edge places in its box.
template <class Number, class PlaceMines>
void walk_back(const Lattice& lattice, const Held<Number>& forward, int mines,
               Stream& stream, PlaceMines place_mines) {
    struct Step {
        std::uint32_t from;
        int mines;
        Number weight;
    };
    Held<Step> steps;
    Held<double> weights;
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

// Places mines in some cells of the pool, and leaves the pool shuffled.
void lay(const Grid& grid, int mines, Held<int>& pool, Stream& stream, std::uint8_t* mined) {
    stream.choose(pool, static_cast<std::size_t>(mines));
    for (int i = 0; i < mines; ++i) mined[grid.cell(pool[i])] = 1;
}

constexpr int max_draws = 1000;  // cells of lower safety than about 1 in 300 are not guessed

bool is_mined(const Solver& solver, int place, const Held<std::uint8_t>& layout) {
    return layout[solver.field.grid().cell(place)] != 0;
}

// Returns all cells of the interior that are mines, or all that are free.
Held<int> interior_places(const Solver& solver, const Held<std::uint8_t>& layout,
                                 bool mined) {
    Held<int> places;
    for (int place = 0; place < static_cast<int>(solver.field.code.size()); ++place)
        if (solver.field.is_interior(place) && is_mined(solver, place, layout) == mined)
            places.push_back(place);
    return places;
}

}  // namespace

void draw_component(const Solver& solver, int number, int mines, Stream& stream,
                    std::uint8_t* mined) {
    const Grid& grid = solver.field.grid();
    const Component& component = solver.component(number);
    Held<int> pool;
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
    Held<int> pool, counts;
    const int used = solver.mixture().draw(stream, counts);
    for (int number = 0; number < solver.component_count(); ++number)
        draw_component(solver, number, counts[number], stream, mined);
    for (int place = 0; place < static_cast<int>(field.code.size()); ++place) {
        if (field.is_interior(place)) pool.push_back(place);
        if (field.known[place] == Known::mine) mined[grid.cell(place)] = 1;
    }
    lay(grid, solver.interior().draw(used, stream), pool, stream, mined);
}

bool Redraw::make_safe(const Solver& solver, int place, Stream& stream,
                       Held<std::uint8_t>& layout) {
    const Part part = find(solver, place);
    const int mines = count(solver, part, layout);
    if (stream.fraction() < ratio(solver, part, mines) &&
        redraw_part(solver, part, place, mines, stream, layout))
        return true;
    return redraw_all(solver, part, place, stream, layout);
}

Redraw::Part Redraw::find(const Solver& solver, int place) {
    if (solver.field.is_interior(place)) return {-1, -1, 1 - solver.interior_risk()};
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (int box = 0; box < component.problem.box_count(); ++box)
            for (int other : component.places.cells_of(box))
                if (other == place) return {number, box, 1 - component.risk[box]};
    }
    return {};
}

int Redraw::count(const Solver& solver, const Part& part, const Held<std::uint8_t>& layout) {
    if (part.component < 0) return static_cast<int>(interior_places(solver, layout, true).size());
    const Component& component = solver.component(part.component);
    int mines = 0;
    for (int box = 0; box < component.problem.box_count(); ++box)
        for (int place : component.places.cells_of(box)) mines += is_mined(solver, place, layout);
    return mines;
}

// Returns how much likelier this number of mines in the part is if the cell is safe than if it is a
// mine; 0 if unknown.
double Redraw::ratio(const Solver& solver, const Part& part, int mines) {
    const double safety = safety_given(solver, part, mines);
    return safety / (1 - safety) * ((1 - part.safety) / part.safety);
}

double Redraw::safety_given(const Solver& solver, const Part& part, int mines) {
    if (part.component < 0) return 1 - mines / static_cast<double>(solver.field.interior_cells);
    const Component& component = solver.component(part.component);
    if (component.is_wide()) return 0;
    outer_.assign(component.span() + 1, 0.0);
    outer_[mines - component.low()] = 1;
    backward_.begin(component.lattice);
    backward_.seed(component.lattice, 0, outer_.data());
    backward_.run(component.lattice, component.problem.sizes, component.forward(), sums_,
                  unbounded_);
    return sums_[part.box].free / (sums_[part.box].free + sums_[part.box].mined);
}

// Draws the part again with the same number of mines.
bool Redraw::redraw_part(const Solver& solver, const Part& part, int place, int mines,
                         Stream& stream, Held<std::uint8_t>& layout) {
    const Grid& grid = solver.field.grid();
    if (part.component < 0) {
        Held<int> free = interior_places(solver, layout, false);
        layout[grid.cell(place)] = 0;
        layout[grid.cell(free[stream.below(free.size())])] = 1;
        return true;
    }
    for (int draw = 0; draw < max_draws; ++draw) {
        draw_component(solver, part.component, mines, stream, layout.data());
        if (!is_mined(solver, place, layout)) return true;
    }
    return false;
}

// Draws everything again, so that together with the layouts that were kept, each number of mines
// comes up with the right frequency.
bool Redraw::redraw_all(const Solver& solver, const Part& part, int place, Stream& stream,
                        Held<std::uint8_t>& layout) {
    bool found = false;
    other_.resize(layout.size());
    for (int draw = 0; draw < max_draws; ++draw) {
        draw_layout(solver, stream, other_.data());
        if (is_mined(solver, place, other_)) continue;
        layout = other_;
        found = true;
        const double likelier = ratio(solver, part, count(solver, part, other_));
        if (likelier == 0 || stream.fraction() * likelier >= 1) break;
    }
    return found;
}

}  // namespace mineproof
