#include "redraw.hpp"

#include <algorithm>

#include "sample.hpp"

namespace mineproof {
namespace {

constexpr int max_draws = 1000;  // a cell of less safety than 1 in some hundreds is not guessed

bool is_mined(const Solver& solver, int place, const std::vector<std::uint8_t>& layout) {
    return layout[solver.field.grid().cell(place)] != 0;
}

// All cells of the interior that are mined, or that are free.
std::vector<int> interior_places(const Solver& solver, const std::vector<std::uint8_t>& layout,
                                 bool mined) {
    std::vector<int> places;
    for (int place = 0; place < static_cast<int>(solver.field.code.size()); ++place)
        if (solver.field.is_interior(place) && is_mined(solver, place, layout) == mined)
            places.push_back(place);
    return places;
}

}  // namespace

bool Redraw::make_safe(const Solver& solver, int place, Stream& stream,
                       std::vector<std::uint8_t>& layout) {
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

int Redraw::count(const Solver& solver, const Part& part, const std::vector<std::uint8_t>& layout) {
    if (part.component < 0) return static_cast<int>(interior_places(solver, layout, true).size());
    const Component& component = solver.component(part.component);
    int mines = 0;
    for (int box = 0; box < component.problem.box_count(); ++box)
        for (int place : component.places.cells_of(box)) mines += is_mined(solver, place, layout);
    return mines;
}

// How much likelier so many mines in the part are if the cell is safe than if it is mined. 0
// says that nobody knows.
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
    backward_.run(component.lattice, component.problem.sizes, component.forward(), sums_);
    return sums_[part.box].free / (sums_[part.box].free + sums_[part.box].mined);
}

// Draws the part again with as many mines.
bool Redraw::redraw_part(const Solver& solver, const Part& part, int place, int mines,
                         Stream& stream, std::vector<std::uint8_t>& layout) {
    const Grid& grid = solver.field.grid();
    if (part.component < 0) {
        std::vector<int> free = interior_places(solver, layout, false);
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

// Draws everything again, such that numbers of mines come up as often as they should, together
// with those that stayed.
bool Redraw::redraw_all(const Solver& solver, const Part& part, int place, Stream& stream,
                        std::vector<std::uint8_t>& layout) {
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
