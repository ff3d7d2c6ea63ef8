#include "features.hpp"

#include <algorithm>
#include <cmath>

namespace mineproof {

Situation::Situation(const Solver& solver, int mines)
    : best(solver.field.interior_cells > 0 ? 1 - solver.interior_risk() : 0),
      unknown(solver.field.unknown_cells),
      left(mines - solver.field.known_mines),
      interior(solver.field.interior_cells),
      interior_risk(interior > 0 ? solver.interior_risk() : 0),
      log_layouts(solver.mixture().log_layouts()),
      components(solver.component_count()),
      frontier(unknown - interior) {
    component_of.assign(solver.field.code.size(), -1);
    box_size.assign(solver.field.code.size(), 0);
    for (int number = 0; number < components; ++number) {
        views.push_back(describe(solver.field, solver.component(number), number));
        best = std::max(best, views.back().best);
        doubt += views.back().doubt;
    }
}

Situation::ComponentView Situation::describe(const Field& field, const Component& component, int number) {
    ComponentView view;
    view.cells = component.problem.cells;
    for (int box = 0; box < component.problem.box_count(); ++box) {
        const double risk = component.risk[box];
        view.best = std::max(view.best, 1 - risk);
        view.doubt += component.problem.sizes[box] * risk * (1 - risk);
        for (int place : component.places.cells_of(box)) {
            component_of[place] = number;
            box_size[place] = component.problem.sizes[box];
            for (int step : field.grid().steps) view.border += field.is_interior(place + step);
        }
    }
    return view;
}

Features::Features(const Solver& solver, const Situation& situation,
                   const Held<double>& safeties, int place, const Outlook& outlook,
                   double best_survival)
    : safety(safeties[place]) {
    const Grid& grid = solver.field.grid();
    const int row = grid.row(place), column = grid.column(place);
    const double cells = grid.cells();
    const double survival = safety * outlook.next;
    int near = 0;
    for (int step : grid.steps) near += solver.field.is_unknown(place + step);
    const int home = situation.component_of[place];
    Situation::ComponentView view;
    view.best = safety;
    if (home >= 0) view = situation.views[home];
    double elsewhere = home >= 0 && situation.interior > 0 ? 1 - situation.interior_risk : 0;
    for (int number = 0; number < situation.components; ++number)
        if (number != home) elsewhere = std::max(elsewhere, situation.views[number].best);
    const double values[scalars] = {
        safety,
        situation.best - safety,
        outlook.next,
        survival,
        outlook.progress,
        outlook.proved / Outlook::proved_cap,
        outlook.second,
        outlook.zero,
        outlook.likeliest,
        outlook.entropy,
        outlook.values / 9.0,
        situation.unknown / cells,
        static_cast<double>(situation.left) / situation.unknown,
        situation.interior / cells,
        situation.interior_risk,
        std::min(situation.log_layouts, 250.0) / 250,
        std::min(situation.components, 20) / 10.0,
        std::min(situation.frontier, 150) / 100.0,
        near / 8.0,
        std::min({row, grid.rows - 1 - row, 4}) / 4.0,
        std::min({column, grid.columns - 1 - column, 4}) / 4.0,
        best_survival - survival,
        situation.doubt / 10,
        (situation.doubt - outlook.doubt) / 2,
        std::min(view.cells, 80) / 40.0,
        view.doubt / 5,
        view.best - safety,
        elsewhere,
        std::min(view.border, 40) / 20.0,
        outlook.local,
        outlook.resolved,
        (view.doubt - outlook.local_doubt) / 2,
        std::min(situation.unknown, 60) / 60.0,
        std::min(situation.log_layouts, 25.0) / 25,
        situation.box_size[place] / 8.0,
    };
    std::copy(std::begin(values), std::end(values), scalar.begin());
    look_after(situation, outlook, view.doubt);
    look_around(solver.field, safeties, place);
}

void Features::look_after(const Situation& situation, const Outlook& outlook, double home_doubt) {
    for (const Reply& reply : outlook.replies) {
        const double values[Shown::scalars] = {
            reply.chance,
            reply.best,
            reply.second,
            reply.best == 1 ? 1.0 : 0.0,
            std::min<double>(reply.proved, Outlook::proved_cap) / Outlook::proved_cap,
            (situation.doubt - reply.doubt) / 2,
            reply.local,
            (home_doubt - reply.local_doubt) / 2,
            reply.is_resolved ? 1.0 : 0.0,
        };
        Shown& one = shown.emplace_back();
        one.value = static_cast<std::size_t>(reply.value);
        one.survival = static_cast<float>(reply.chance * reply.best);
        std::copy(std::begin(values), std::end(values), one.scalar.begin());
        one.risk = reply.risk;
    }
}

void Features::look_around(const Field& field, const Held<double>& safeties, int place) {
    risk.fill(0);
    kind.fill(0);
    field.grid().each_around(place, reach, [&](int i, int there) {
        if (field.is_clue(there)) {
            kind[i] = static_cast<std::uint8_t>(
                2 + std::clamp(field.code[there] - field.mines(there), 0, 6));
        } else if (field.is_unknown(there)) {
            kind[i] = field.is_interior(there) ? 10 : 9;
            risk[i] = static_cast<float>(1 - safeties[there]);
        } else {
            kind[i] = 1;
        }
    });
}

}  // namespace mineproof
