#include "playout.hpp"

namespace mineproof {

double Playout::play(const Grid& grid, int mines, const std::uint8_t* shown,
                     const std::uint8_t* layout, int place, Stream& stream) {
    const Prior prior = Prior::known(mines);
    solver_.field.load(grid, ClueKind::exact, shown);
    solver_.begin();
    layout_.assign(layout, layout + grid.cells());
    deal(grid, layout);
    for (int cell = 0; cell < grid.cells(); ++cell) safe_left_ -= shown[cell] < unopened;
    open(place);
    const std::uint64_t seed = stream.next();
    double worth = 1;
    while (settle(prior)) {
        if (before_guess_) before_guess_();
        const Guess choice = guesser_.choose(solver_, prior, budget_);
        if (choice.place < 0) return 0;
        if (choice.exact) return worth * choice.win;
        worth *= choice.safety;
        if (!is_kept(worth, stream)) return 0;
        if (is_mined(choice.place) && !redraw(prior, choice.place, seed)) return 0;
        open(choice.place);
    }
    return worth;
}

bool Playout::is_kept(double& worth, Stream& stream) const {
    if (worth >= least_) return true;
    if (stream.fraction() * least_ >= worth) return false;
    worth = least_;
    return true;
}

// Another layout that agrees with all that is open, and has the place safe.
bool Playout::redraw(const Prior& prior, int place, std::uint64_t seed) {
    solver_.weigh(prior, budget_);
    Stream stream(seed, Purpose::sample, static_cast<std::uint64_t>(place));
    const int before = safe_left_;
    if (!redraw_.make_safe(solver_, place, stream, layout_)) return false;
    deal(solver_.field.grid(), layout_.data());
    safe_left_ = before;
    return true;
}

}  // namespace mineproof
