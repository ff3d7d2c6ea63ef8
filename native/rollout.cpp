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
    while (worth >= least_ && settle(prior)) {
        const Guesser::Choice choice = guesser_.choose(solver_, prior, budget_);
        if (choice.place < 0) return 0;
        if (choice.exact) return worth * choice.win;
        worth *= choice.safety;
        if (is_mined(choice.place) && !redraw(prior, choice.place, stream)) return 0;
        open(choice.place);
    }
    return worth >= least_ ? worth : 0;
}

// Another layout that agrees with all that is open, and has the place safe.
bool Rollout::redraw(const Prior& prior, int place, Stream& stream) {
    const Grid& grid = solver_.field.grid();
    solver_.weigh(prior, budget_);
    layout_.resize(grid.cells());
    const int before = safe_left_;
    for (int draw = 0; draw < max_draws; ++draw) {
        draw_layout(solver_, stream, layout_.data());
        if (layout_[grid.cell(place)]) continue;
        deal(grid, layout_.data());
        safe_left_ = before;
        return true;
    }
    return false;
}

}  // namespace mineproof
