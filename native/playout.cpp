#include "playout.hpp"

namespace mineproof {

void Playout::begin(const Grid& grid, int mines, const std::uint8_t* shown) {
    grid_ = grid;
    prior_ = Prior::known(mines);
    shown_.assign(shown, shown + grid.cells());
    decisions_.clear();
}

double Playout::play(const std::uint8_t* layout, int place, Stream& stream) {
    solver_.field.load(grid_, ClueKind::exact, shown_.data());
    solver_.begin();
    layout_.assign(layout, layout + grid_.cells());
    deal(layout);
    for (std::uint8_t code : shown_) safe_left_ -= code < unopened;
    opened_.clear();
    open(place);
    const std::uint64_t seed = stream.next();
    double worth = 1;
    while (exhaust()) {
        if (before_guess_) before_guess_();
        const Guess choice = decide().guess;
        if (choice.place < 0) return 0;
        if (choice.exact) return worth * choice.win;
        worth *= choice.safety;
        if (!is_kept(worth, stream)) return 0;
        if (is_mined(choice.place) && !redraw(choice.place, seed)) return 0;
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

// Draws another layout that fits all open cells, with the place safe.
bool Playout::redraw(int place, std::uint64_t seed) {
    solver_.update(budget_);
    solver_.weigh(prior_, budget_);
    Stream stream(seed, Purpose::sample, static_cast<std::uint64_t>(place));
    const int before = safe_left_;
    if (!redraw_.make_safe(solver_, place, stream, layout_)) return false;
    deal(layout_.data());
    safe_left_ = before;
    return true;
}

}  // namespace mineproof
