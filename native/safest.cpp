#include "safest.hpp"

#include <algorithm>

namespace mineproof {
namespace {

// Risks closer than this are equal but for rounding.
constexpr double tie = 1e-10;

}  // namespace

SafestCell safest_cell(const Solver& solver) {
    const Field& field = solver.field;
    double least = field.interior_cells > 0 ? solver.interior_risk() : 2.0;
    for (int number = 0; number < solver.component_count(); ++number)
        for (double risk : solver.component(number).risk) least = std::min(least, risk);
    int best = -1, fewest = 9;
    const auto consider = [&](int place) {
        const int near = field.unknown(place) + field.mines(place);  // all that is unopened
        if (near > fewest || (near == fewest && place > best)) return;
        best = place;
        fewest = near;
    };
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (int box = 0; box < component.problem.box_count(); ++box)
            if (component.risk[box] <= least + tie)
                for (int place : component.places.cells_of(box)) consider(place);
    }
    if (field.interior_cells > 0 && solver.interior_risk() <= least + tie)
        for (int place = 0; place < static_cast<int>(field.code.size()); ++place)
            if (field.is_interior(place)) consider(place);
    return {best, 1 - least};
}

}  // namespace mineproof
