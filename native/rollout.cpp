#include "rollout.hpp"

#include "sample.hpp"

namespace mineproof {
namespace {

constexpr int max_draws = 1000;  // a cell of less safety than 1 in some hundreds is not guessed

}  // namespace

int Rollout::guess(const Prior& prior, Budget& budget) {
    return guesser_.choose(solver_, prior, budget).place;
}

double Rollout::play(const Grid& grid, int mines, const std::uint8_t* shown,
                     const std::uint8_t* layout, int place, Stream& stream) {
    const Prior prior = Prior::known(mines);
    solver_.field.load(grid, ClueKind::exact, shown);
    solver_.begin();
    deal(grid, layout);
    for (int cell = 0; cell < grid.cells(); ++cell) safe_left_ -= shown[cell] < unopened;
    open(place);
    double worth = 1;
    while (settle(prior)) {
        if (before_guess_) before_guess_();
        const Guesser::Choice choice = guesser_.choose(solver_, prior, budget_);
        if (choice.place < 0) return 0;
        if (choice.exact) return worth * choice.win;
        worth *= choice.safety;
        if (!is_kept(worth, stream)) return 0;
        if (is_mined(choice.place) && !redraw(prior, choice.place, stream)) return 0;
        open(choice.place);
    }
    return worth;
}

bool Rollout::is_kept(double& worth, Stream& stream) const {
    if (worth >= least_) return true;
    if (stream.fraction() * least_ >= worth) return false;
    worth = least_;
    return true;
}

// Another layout that agrees with all that is open, and has the place safe.
bool Rollout::redraw(const Prior& prior, int place, Stream& stream) {
    solver_.weigh(prior, budget_);
    const int before = safe_left_;
    if (!draw_safe_layout(solver_, place, stream, layout_)) return false;
    deal(solver_.field.grid(), layout_.data());
    safe_left_ = before;
    return true;
}

bool draw_safe_layout(const Solver& solver, int place, Stream& stream,
                      std::vector<std::uint8_t>& layout) {
    const Grid& grid = solver.field.grid();
    layout.resize(grid.cells());
    for (int draw = 0; draw < max_draws; ++draw) {
        draw_layout(solver, stream, layout.data());
        if (!layout[grid.cell(place)]) return true;
    }
    return false;
}

}  // namespace mineproof
