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
        for (int box = 0; box < component.problem.box_count(); ++box)
            for (int place : component.places.cells_of(box)) {
                const int cell = grid.cell(place);
                risk[cell] = component.risk[box];
                verdict[cell] = component.verdict[box];
            }
    }
}

Posterior::Posterior(const Grid& grid, ClueKind kind, const std::uint8_t* shown,
                     const Prior& prior, std::int64_t nodes, Budget& budget)
    : prior_(prior),
      nodes_(nodes),
      possible_(solve(solver_, grid, kind, shown, prior, budget)),
      risk_(static_cast<std::size_t>(grid.cells())) {
    std::vector<Verdict> verdicts(risk_.size());
    if (possible_) write_results(solver_, risk_.data(), verdicts.data());
}

namespace {

// Takes suppositions back whatever happens.
class Retracting {
public:
    Retracting(Solver& solver, bool& settled) : solver_(solver) { settled = false; }
    ~Retracting() {
        for (; count_ > 0; --count_) solver_.retract();
    }
    Retracting(const Retracting&) = delete;
    Retracting& operator=(const Retracting&) = delete;

    void add() { ++count_; }  // before each supposition, which may throw

private:
    Solver& solver_;
    int count_ = 0;
};

const Poll no_poll;

}  // namespace

// The cell is opened with its clue left open; the layouts that are left are those in which it
// is safe, told apart by the clue.
std::array<double, 9> Posterior::values(int cell) {
    const Field& field = solver_.field;
    const int place = field.grid().place(cell);
    const double safety = 1 - risk_[cell];
    const int known = field.mines(place);
    std::array<double, 9> values{};
    if (safety <= 0 || field.known[place] == Known::mine) return values;
    if (field.unknown(place) == 0) {
        values[known] = safety;
        return values;
    }
    Budget budget(nodes_, no_poll);
    Retracting retracting(solver_, settled_);
    retracting.add();
    const int number = solver_.ask(place, budget);
    if (!solver_.weigh(prior_, budget)) return values;
    const Component& component = solver_.component(number);
    const std::vector<Scaled> weights = component.answer_weights(solver_.mixture(), number);
    Scaled all;
    for (const Scaled& weight : weights) all += weight;
    for (std::size_t i = 0; i < weights.size(); ++i)
        values[known + component.lattice.answers[i]] = (weights[i] / all).value() * safety;
    return values;
}

bool Posterior::suppose(std::span<const Shown> clues, double* risk, Verdict* verdict) {
    const Field& field = solver_.field;
    Budget budget(nodes_, no_poll);
    Retracting retracting(solver_, settled_);
    for (const auto [cell, clue] : clues) {
        const int place = field.grid().place(cell);
        if (field.known[place] == Known::mine || clue > field.grid().degree(place)) return false;
        retracting.add();
        if (!solver_.suppose(place, clue, budget)) return false;
    }
    if (!solver_.weigh(prior_, budget)) return false;
    write_results(solver_, risk, verdict);
    return true;
}

}  // namespace mineproof
