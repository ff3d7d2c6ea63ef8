#include "player.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace mineproof {
namespace {

// Risks closer than this are equal but for rounding.
constexpr double tie = 1e-10;
constexpr int poll_interval = 1024;  // rounds of a game, of which an expert game has some 30

}  // namespace

void ExactPlayer::deal(const Grid& grid, const std::uint8_t* mined) {
    truth_.assign(grid.places(), 0);
    safe_left_ = grid.cells();
    for (int row = 0, cell = 0; row < grid.rows; ++row) {
        const int first = grid.first_place(row);
        for (int column = 0; column < grid.columns; ++column, ++cell) {
            if (!mined[cell]) continue;
            --safe_left_;
            for (int step : grid.steps) ++truth_[first + column + step];
        }
    }
    for (int row = 0, cell = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column, ++cell)
            if (mined[cell]) truth_[grid.first_place(row) + column] = exploded;
}

// Opens a cell and by flood what a 0 makes safe. False: a mine.
bool ExactPlayer::open(int place) {
    if (truth_[place] == exploded) return false;
    Field& field = solver_.field;
    flood_.assign(1, place);
    while (!flood_.empty()) {
        const int next = flood_.back();
        flood_.pop_back();
        if (field.code[next] != unopened) continue;
        field.open(next, truth_[next]);
        --safe_left_;
        if (truth_[next] != 0) continue;
        for (int step : field.grid().steps)
            if (field.code[next + step] == unopened) flood_.push_back(next + step);
    }
    return true;
}

void ExactPlayer::open_proved() {
    batch_.swap(solver_.field.proved_safe);
    solver_.field.proved_safe.clear();
    std::sort(batch_.begin(), batch_.end());
    for (int place : batch_) {
        if (solver_.field.code[place] != unopened) continue;
        open(place);
        ++moves_;
    }
}

void ExactPlayer::take_verdicts() {
    Field& field = solver_.field;
    const auto take = [&](int place, Verdict verdict) {
        if (verdict == Verdict::safe) field.prove_safe(place);
        if (verdict == Verdict::mined) field.prove_mine(place);
    };
    const Verdict interior = solver_.interior_verdict();
    if (interior != Verdict::open)
        for (int place = 0; place < static_cast<int>(field.code.size()); ++place)
            if (field.is_interior(place)) take(place, interior);
    for (int number = 0; number < solver_.component_count(); ++number) {
        const Component& component = solver_.component(number);
        for (std::size_t i = 0; i < component.places.cells.size(); ++i)
            take(component.places.cells[i], component.verdict[component.places.boxes[i]]);
    }
}

int ExactPlayer::unopened_near(int place) const {
    int count = 0;
    for (int step : solver_.field.grid().steps)
        count += solver_.field.code[place + step] == unopened;
    return count;
}

int ExactPlayer::safest() const {
    const Field& field = solver_.field;
    double least = field.interior_cells > 0 ? solver_.interior_risk() : 2.0;
    for (int number = 0; number < solver_.component_count(); ++number)
        for (double risk : solver_.component(number).risk) least = std::min(least, risk);
    int best = -1, fewest = 9;
    const auto consider = [&](int place) {
        const int near = unopened_near(place);
        if (near > fewest || (near == fewest && place > best)) return;
        best = place;
        fewest = near;
    };
    for (int number = 0; number < solver_.component_count(); ++number) {
        const Component& component = solver_.component(number);
        for (std::size_t i = 0; i < component.places.cells.size(); ++i)
            if (component.risk[component.places.boxes[i]] <= least + tie)
                consider(component.places.cells[i]);
    }
    if (field.interior_cells > 0 && solver_.interior_risk() <= least + tie)
        for (int place = 0; place < static_cast<int>(field.code.size()); ++place)
            if (field.is_interior(place)) consider(place);
    return best;
}

GameResult ExactPlayer::play(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    deal(grid, mined);
    solver_.field.reset(grid, ClueKind::exact);
    solver_.begin();
    const Prior prior = Prior::known(mines);
    int guesses = 0;
    moves_ = 0;
    if (!open(grid.place(first))) return {Result::loss, 0, 0};
    while (safe_left_ > 0) {
        if (++steps_ % poll_interval == 0 && poll_) poll_();
        Budget budget(nodes_, poll_);
        solver_.field.deduce();
        if (solver_.field.proved_safe.empty()) {
            solver_.update(budget);
            if (solver_.prove(prior, budget)) take_verdicts();
        }
        if (!solver_.field.proved_safe.empty()) {
            open_proved();
            continue;
        }
        solver_.update(budget);
        solver_.weigh(prior, budget);
        const int guess = safest();
        if (guess < 0) return {Result::stuck, guesses, moves_};
        ++guesses;
        ++moves_;
        if (!open(guess)) return {Result::loss, guesses, moves_};
    }
    return {Result::win, guesses, moves_};
}

}  // namespace mineproof
