#include "lookahead.hpp"

#include <algorithm>
#include <cmath>

namespace mineproof {
namespace {

// Takes the supposition back whatever happens.
class Retracting {
public:
    explicit Retracting(Solver& solver) : solver_(solver) {}
    ~Retracting() { solver_.retract(); }
    Retracting(const Retracting&) = delete;
    Retracting& operator=(const Retracting&) = delete;

private:
    Solver& solver_;
};

// A cell and all that its clue could decide soon.
class Region {
public:
    Region(const Grid& grid, int place, const std::vector<int>& component_of)
        : grid_(grid), place_(place), component_of_(component_of), home_(component_of[place]) {}

    bool has(int place) const {
        if (home_ >= 0 && component_of_[place] == home_) return true;
        return std::find(grid_.steps.begin(), grid_.steps.end(), place - place_) !=
               grid_.steps.end();
    }

private:
    const Grid& grid_;
    int place_;
    const std::vector<int>& component_of_;
    int home_;
};

// The two safest boxes of a weighed position, the interior taken as one of them; and what is
// left to decide, everywhere and in a region.
class Aftermath {
public:
    Aftermath(const Solver& solver, const Region& region) {
        const Field& field = solver.field;
        if (field.unknown_cells == 0) best = second = 1;
        if (field.interior_cells > 0) add(solver.interior_risk(), field.interior_cells);
        bool is_empty = true;
        for (int number = 0; number < solver.component_count(); ++number) {
            const Component& component = solver.component(number);
            for (int box = 0; box < component.problem.box_count(); ++box) {
                const double risk = component.risk[box];
                const int cells = component.problem.sizes[box];
                add(risk, cells);
                doubt += cells * risk * (1 - risk);
                if (!region.has(component.places.cells_of(box).front())) continue;
                is_empty = false;
                local = std::max(local, 1 - risk);
                local_doubt += cells * risk * (1 - risk);
                is_resolved &= component.verdict[box] != Verdict::open;
            }
        }
        if (is_empty) local = 1;
    }

    double best = 0;
    double second = 0;
    int proved = 0;
    double doubt = 0;
    double local = 0;
    double local_doubt = 0;
    bool is_resolved = true;

private:
    void add(double risk, int cells) {
        const double safety = 1 - risk;
        if (safety > best) {
            second = best;
            best = safety;
        } else {
            second = std::max(second, safety);
        }
        if (risk == 0) proved += cells;
    }
};

void add_value(Outlook& outlook, double chance, const Solver& solver, const Region& region) {
    const Aftermath after(solver, region);
    outlook.next += chance * after.best;
    outlook.second += chance * after.second;
    if (after.best == 1) outlook.progress += chance;
    outlook.proved += chance * std::min<double>(after.proved, Outlook::proved_cap);
    outlook.doubt += chance * after.doubt;
    outlook.local += chance * after.local;
    outlook.local_doubt += chance * after.local_doubt;
    if (after.is_resolved) outlook.resolved += chance;
    outlook.likeliest = std::max(outlook.likeliest, chance);
    if (chance > 0) outlook.entropy -= chance * std::log(chance);
    ++outlook.values;
}

}  // namespace

Outlook look_ahead(Solver& solver, const Prior& prior, int place,
                   const std::vector<int>& component_of, Budget& budget) {
    Outlook outlook;
    const Region region(solver.field.grid(), place, component_of);
    const int known = solver.field.mines(place);
    const Retracting retracting(solver);
    if (solver.field.unknown(place) == 0) {  // it shows what is known already
        if (solver.suppose(place, static_cast<std::uint8_t>(known), budget) &&
            solver.weigh(prior, budget))
            add_value(outlook, 1, solver, region);
        return outlook;
    }
    const int number = solver.ask(place, budget);
    if (!solver.weigh(prior, budget)) return outlook;
    Component& asked = solver.component(number);
    const std::vector<Scaled> weights = asked.answer_weights(solver.mixture(), number);
    Scaled all;
    for (const Scaled& weight : weights) all += weight;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double chance = (weights[i] / all).value();
        asked.select(static_cast<int>(i));
        if (chance == 0 || !solver.weigh(prior, budget)) continue;
        if (known + asked.lattice.answers[i] == 0) outlook.zero = chance;
        add_value(outlook, chance, solver, region);
    }
    return outlook;
}

}  // namespace mineproof
