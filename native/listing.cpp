#include "listing.hpp"

#include <span>

#include "endgame.hpp"

namespace mineproof {

bool Listing::list(const Solver& solver, int mines, int limit) {
    solver_ = &solver;
    limit_ = limit;
    count = 0;
    places.clear();
    rows.clear();
    inside_.clear();
    const Field& field = solver.field;
    mined_.assign(field.code.size(), 0);
    for (int cell = 0; cell < field.grid().cells(); ++cell) {
        const int place = field.grid().place(cell);
        if (!field.is_unknown(place) && field.known[place] != Known::safe) continue;
        if (field.code[place] != unopened) continue;
        places.push_back(place);
        if (field.is_interior(place)) inside_.push_back(place);
    }
    return mines < 0 || walk(0, 0, 0, mines);
}

// Follows the edges of the components' lattices, one component after the other.
bool Listing::walk(int component, std::uint32_t state, std::size_t layer, int left) {
    if (component == solver_->component_count()) return place_inside(0, left);
    const Lattice& lattice = solver_->component(component).lattice;
    if (layer == lattice.boxes.size()) return walk(component + 1, 0, 0, left);
    for (std::uint32_t e = lattice.states[state].edges; e < lattice.states[state + 1].edges; ++e) {
        const Lattice::Edge& edge = lattice.edges[e];
        const int mines = static_cast<int>(edge.mines);
        if (mines <= left && !fill(component, edge.to, layer, 0, mines, left - mines)) return false;
    }
    return true;
}

// Places `mines` in the cells of the layer's box from `cell` on, in all ways.
bool Listing::fill(int component, std::uint32_t to, std::size_t layer, std::size_t cell, int mines,
                   int left) {
    const Component& part = solver_->component(component);
    const std::span<const int> cells = part.places.cells_of(part.lattice.boxes[layer]);
    if (cell == cells.size()) return walk(component, to, layer + 1, left);
    if (mines > 0) {
        mined_[cells[cell]] = 1;
        const bool fits = fill(component, to, layer, cell + 1, mines - 1, left);
        mined_[cells[cell]] = 0;
        if (!fits) return false;
    }
    return static_cast<int>(cells.size() - cell) == mines ||
           fill(component, to, layer, cell + 1, mines, left);
}

bool Listing::place_inside(std::size_t next, int left) {
    const int rest = static_cast<int>(inside_.size() - next);
    if (left > rest) return true;
    if (rest == 0) return emit();
    if (left > 0) {
        mined_[inside_[next]] = 1;
        const bool fits = place_inside(next + 1, left - 1);
        mined_[inside_[next]] = 0;
        if (!fits) return false;
    }
    return left == rest || place_inside(next + 1, left);
}

bool Listing::emit() {
    if (++count > limit_) return false;
    const Field& field = solver_->field;
    for (int place : places) {
        if (mined_[place]) {
            rows.push_back(Endgame::mine);
            continue;
        }
        int value = field.mines(place);
        for (int step : field.grid().steps) value += mined_[place + step];
        rows.push_back(static_cast<std::uint8_t>(value));
    }
    return true;
}

}  // namespace mineproof
