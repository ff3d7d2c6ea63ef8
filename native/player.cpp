#include "player.hpp"

#include <algorithm>
#include <cstring>

namespace mineproof {
namespace {

constexpr int poll_interval = 1024;  // rounds of a game, of which an expert game has some 30

}  // namespace

void Player::deal(const Grid& grid, const std::uint8_t* mined) {
    mined_.assign(grid.places(), 0);
    for (int row = 0; row < grid.rows; ++row)
        std::memcpy(&mined_[grid.first_place(row)], mined + std::size_t(row) * grid.columns,
                    grid.columns);
    truth_.assign(grid.places(), 0);
    sum_neighbours(grid, mined_.data(), truth_.data(), scratch_);
    safe_left_ = grid.cells();
    for (std::size_t place = 0; place < grid.places(); ++place) safe_left_ -= mined_[place];
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
        --safe_left_;
        if (truth_[next] != 0) continue;
        for (int step : field.grid().steps)
            if (field.code[next + step] == unopened) flood_.push_back(next + step);
    }
    return true;
}

void Player::open_proved() {
    batch_.swap(solver_.field.proved_safe);
    solver_.field.proved_safe.clear();
    std::sort(batch_.begin(), batch_.end());
    for (int place : batch_) {
        if (solver_.field.code[place] != unopened) continue;
        open(place);
        ++moves_;
    }
}

GameResult Player::play(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    deal(grid, mined);
    solver_.field.reset(grid, ClueKind::exact);
    solver_.begin();
    guesses_ = moves_ = 0;
    const int safe = safe_left_;
    const Result result = open(grid.place(first)) ? run(Prior::known(mines)) : Result::loss;
    return {result, guesses_, moves_, safe - safe_left_};
}

bool Player::settle(const Prior& prior) {
    while (safe_left_ > 0) {
        if (++steps_ % poll_interval == 0 && poll_) poll_();
        budget_ = Budget(nodes_, poll_);
        solver_.field.deduce();
        if (solver_.field.proved_safe.empty()) {
            solver_.update(budget_);
            if (solver_.prove(prior, budget_)) solver_.take_verdicts();
        }
        if (solver_.field.proved_safe.empty()) {
            solver_.update(budget_);
            solver_.weigh(prior, budget_);
            return true;
        }
        open_proved();
    }
    return false;
}

Result Player::run(const Prior& prior) {
    while (settle(prior)) {
        const int place = guess(prior, budget_);
        if (place < 0) return Result::stuck;
        ++guesses_;
        ++moves_;
        if (!open(place)) return Result::loss;
    }
    return Result::win;
}

}  // namespace mineproof
