#include "player.hpp"

#include <algorithm>

namespace mineproof {
namespace {

constexpr int poll_interval = 1024;  // rounds of a game; an expert game has about 30

}  // namespace

void Player::deal(const std::uint8_t* mined) {
    grid_.pad<std::uint8_t>(mined, mined_, 0);
    grid_.count_near(mined_, truth_, scratch_);
    safe_left_ = grid_.cells();
    for (std::uint8_t mine : mined_) safe_left_ -= mine;
}

bool Player::open(int place) {
    if (mined_[place]) return false;
    Field& field = solver_.field;
    flood_.assign(1, place);
    while (!flood_.empty()) {
        const int next = flood_.back();
        flood_.pop_back();
        if (field.code[next] != unopened) continue;
        field.open(next, truth_[next]);
        opened_.push_back(next);
        --safe_left_;
        if (truth_[next] != 0) continue;
        for (int step : field.grid().steps)
            if (field.code[next + step] == unopened) flood_.push_back(next + step);
    }
    return true;
}

bool Player::open_proved() {
    batch_.swap(solver_.field.proved_safe);
    solver_.field.proved_safe.clear();
    std::sort(batch_.begin(), batch_.end());
    for (int place : batch_) {
        if (solver_.field.code[place] != unopened) continue;
        ++moves_;
        ++proofs_;
        if (!open(place)) {
            ++false_proofs_;
            return false;
        }
    }
    return true;
}

void Player::check_mines() {
    const Field& field = solver_.field;
    for (std::size_t place = 0; place < mined_.size(); ++place) {
        if (field.known[place] != Known::mine) continue;
        ++proofs_;
        false_proofs_ += mined_[place] == 0;
    }
}

bool Player::begin(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    if (grid != grid_ || mines != prior_.low) {
        decisions_.clear();
        grid_ = grid;
        prior_ = Prior::known(mines);
    }
    opened_.clear();
    deal(mined);
    solver_.field.reset(grid, ClueKind::exact);
    solver_.begin();
    guesses_ = moves_ = proofs_ = false_proofs_ = 0;
    return open(grid.place(first));
}

GameResult Player::play(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    const bool began = begin(grid, mines, mined, first);
    const int safe_cells = grid.cells() - mines;
    const Result result = began ? run() : Result::loss;
    check_mines();
    return {result, guesses_, moves_, safe_cells - safe_left_, proofs_, false_proofs_};
}

bool Player::proves(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    any_order_ = true;
    const bool won = begin(grid, mines, mined, first) && !exhaust() && safe_left_ == 0;
    any_order_ = false;
    return won;
}

bool Player::exhaust() {
    while (safe_left_ > 0) {
        if (++steps_ % poll_interval == 0 && poll_) poll_();
        budget_ = Budget(nodes_, poll_);
        solver_.field.deduce();
        // With two clues at a time first, the components that are left to count are smaller.
        if (solver_.field.proved_safe.empty() &&
            !(solver_.field.deduce_pairs(!any_order_) && any_order_)) {
            solver_.update(budget_);
            if (solver_.prove(prior_, budget_)) solver_.take_verdicts();
        }
        if (solver_.field.proved_safe.empty()) return true;
        if (!open_proved()) return false;
    }
    return false;
}

Decision Player::decide() {
    if (const Decision* known = decisions_.find(solver_.field, opened_)) return *known;
    solver_.update(budget_);
    solver_.weigh(prior_, budget_);
    Decision decision{{}, solver_.mixture().log_layouts()};
    decision.guess = guesser_.choose(solver_, prior_, budget_);
    decisions_.keep(decision);
    return decision;
}

Result Player::run() {
    while (exhaust()) {
        const int place = decide().guess.place;
        if (place < 0) return Result::stuck;
        ++guesses_;
        ++moves_;
        if (!open(place)) return Result::loss;
    }
    return safe_left_ > 0 ? Result::loss : Result::win;
}

}  // namespace mineproof
