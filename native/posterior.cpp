#include "posterior.hpp"

#include <limits>

namespace mineproof {
namespace {

// No clue shows more than there are neighbours. Others notice that themselves; a cautious one
// only bounds its mines from above.
bool clues_fit(const Field& field) {
    const Grid& grid = field.grid();
    for (int cell = 0; cell < grid.cells(); ++cell) {
        const int place = grid.place(cell);
        if (field.is_clue(place) && field.code[place] > grid.degree(place)) return false;
    }
    return true;
}

}  // namespace

bool solve(Solver& solver, const Grid& grid, ClueKind kind, const std::uint8_t* shown,
           const Prior& prior, Budget& budget) {
    solver.field.load(grid, kind, shown);
    solver.begin();
    if (kind == ClueKind::cautious && !clues_fit(solver.field)) return false;
    return solver.update(budget) && solver.weigh(prior, budget);
}

void write_results(const Solver& solver, double* risk, Verdict* verdict) {
    const Field& field = solver.field;
    const Grid& grid = field.grid();
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const double inside = solver.interior_risk();
    for (int row = 0, cell = 0; row < grid.rows; ++row) {
        const int first = grid.first_place(row);
        for (int column = 0; column < grid.columns; ++column, ++cell) {
            const int place = first + column;
            risk[cell] = nothing;
            verdict[cell] = Verdict::open;
            if (field.code[place] != unopened) continue;
            if (field.known[place] == Known::unknown) {  // the frontier is overwritten below
                risk[cell] = inside;
                verdict[cell] = solver.interior_verdict();
            } else {
                const bool mine = field.known[place] == Known::mine;
                risk[cell] = mine ? 1.0 : 0.0;
                verdict[cell] = mine ? Verdict::mined : Verdict::safe;
            }
        }
    }
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (std::size_t i = 0; i < component.places.cells.size(); ++i) {
            const int cell = grid.cell(component.places.cells[i]);
            const int box = component.places.boxes[i];
            risk[cell] = component.risk[box];
            verdict[cell] = component.verdict[box];
        }
    }
}

Posterior::Posterior(const Grid& grid, ClueKind kind, const std::uint8_t* shown,
                     const Prior& prior, Budget& budget)
    : possible_(solve(solver_, grid, kind, shown, prior, budget)),
      component_of_(grid.places(), -1) {
    for (int number = 0; number < solver_.component_count(); ++number)
        for (int place : solver_.component(number).places.cells) component_of_[place] = number;
}

}  // namespace mineproof
