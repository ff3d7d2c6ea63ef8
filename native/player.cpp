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

bool Player::begin(const Grid& grid, const std::uint8_t* mined, int first) {
    deal(grid, mined);
    solver_.field.reset(grid, ClueKind::exact);
    solver_.begin();
    guesses_ = moves_ = proofs_ = false_proofs_ = 0;
    return open(grid.place(first));
}

GameResult Player::play(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    const bool began = begin(grid, mined, first);
    const int safe_cells = grid.cells() - mines;
    const Result result = began ? run(Prior::known(mines)) : Result::loss;
    check_mines();
    return {result, guesses_, moves_, safe_cells - safe_left_, proofs_, false_proofs_};
}

bool Player::proves(const Grid& grid, int mines, const std::uint8_t* mined, int first) {
    return begin(grid, mined, first) && !exhaust(Prior::known(mines)) && safe_left_ == 0;
}

Held<std::uint8_t> Player::shown() const {
    const Grid& grid = solver_.field.grid();
    Held<std::uint8_t> codes;
    for (int row = 0; row < grid.rows; ++row) {
        const auto first = solver_.field.code.begin() + grid.first_place(row);
        codes.insert(codes.end(), first, first + grid.columns);
    }
    return codes;
}

bool Player::exhaust(const Prior& prior) {
    while (safe_left_ > 0) {
        if (++steps_ % poll_interval == 0 && poll_) poll_();
        budget_ = Budget(nodes_, poll_);
        solver_.field.deduce();
        if (solver_.field.proved_safe.empty()) {
            solver_.update(budget_);
            if (solver_.prove(prior, budget_)) solver_.take_verdicts();
        }
        if (solver_.field.proved_safe.empty()) return true;
        if (!open_proved()) return false;
    }
    return false;
}

bool Player::settle(const Prior& prior) {
    if (!exhaust(prior)) return false;
    solver_.update(budget_);
    solver_.weigh(prior, budget_);
    return true;
}

Result Player::run(const Prior& prior) {
    while (settle(prior)) {
        const int place = guess(prior, budget_);
        if (place < 0) return Result::stuck;
        ++guesses_;
        ++moves_;
        if (!open(place)) return Result::loss;
    }
    return safe_left_ > 0 ? Result::loss : Result::win;
}

}  // namespace mineproof
