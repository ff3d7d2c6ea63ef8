#include "deep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "posterior.hpp"

namespace mineproof {
namespace {

using Clock = Crew::Clock;

constexpr std::int64_t layouts_alone = 100;
constexpr double far_behind = 2.5;  // a candidate that an evaluation sees so many times the
                                    // doubt behind has no chance

// Mean of numbers, and its standard error.
struct Estimate {
    double mean = 0;
    double error = 0;
};

template <class Number>
Estimate estimate(std::size_t count, Number number) {
    Estimate result;
    for (std::size_t i = 0; i < count; ++i) result.mean += number(i) / static_cast<double>(count);
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i)
        squares += (number(i) - result.mean) * (number(i) - result.mean);
    if (count > 1) result.error = std::sqrt(squares / static_cast<double>(count * (count - 1)));
    return result;
}

// By what share a candidate is expected to win more often than another.
double expected_share(const GuessCandidate& guess, const GuessCandidate& other) {
    if (guess.win >= 0 && other.win > 0) return guess.win / other.win - 1;
    return other.survival > 0 ? guess.survival / other.survival - 1 : 0;
}

// Candidates that play the same layouts, fewer of them from round to round.
class Contest {
public:
    // The first guess is the choice of the fast policy.
    Contest(const std::vector<GuessCandidate>& guesses, double doubt) : doubt_(doubt) {
        for (const GuessCandidate& guess : guesses) entrants_.push_back({guess, {}, 0});
        fast_ = entrants_.front().guess.place;
        left_ = entrants_.size();
    }

    int rounds() const { return std::max<int>(std::bit_width(entrants_.size() - 1), 1); }
    std::size_t left() const { return left_; }

    std::vector<Crew::Entry> entries() const {
        std::vector<Crew::Entry> all;
        for (std::size_t i = 0; i < left_; ++i)
            all.push_back({entrants_[i].guess.place, entrants_[i].guess.safety});
        return all;
    }

    void add(const std::vector<Crew::Row>& rows) {
        for (const Crew::Row& row : rows)
            for (std::size_t i = 0; i < left_; ++i) entrants_[i].results.push_back(row.results[i]);
        rank();
    }

    // The better half goes on, and the choice of the fast policy in any case.
    void halve() {
        const std::size_t half = std::max<std::size_t>(2, (left_ + 1) / 2);
        const auto own = find_fast();
        if (own >= entrants_.begin() + static_cast<std::ptrdiff_t>(half))
            std::rotate(entrants_.begin() + static_cast<std::ptrdiff_t>(half) - 1, own, own + 1);
        left_ = std::min(left_, half);
    }

    std::vector<DeepCandidate> results() const {
        std::vector<DeepCandidate> all;
        for (const Entrant& entrant : entrants_) {
            const std::vector<double>& won = entrant.results;
            const Estimate win = estimate(won.size(), [&](std::size_t i) { return won[i]; });
            all.push_back({entrant.guess, won.empty() ? -1 : win.mean, win.error,
                           static_cast<int>(won.size())});
        }
        return all;
    }

private:
    struct Entrant {
        GuessCandidate guess;
        std::vector<double> results;  // by layout
        double standing;              // how much better than the choice of the fast policy
    };

    std::vector<Entrant>::iterator find_fast() {
        return std::find_if(entrants_.begin(), entrants_.end(),
                            [&](const Entrant& each) { return each.guess.place == fast_; });
    }

    void rank() {
        const Entrant own = *find_fast();
        if (own.results.empty()) return;
        for (std::size_t i = 0; i < left_; ++i)
            if (entrants_[i].guess.place != fast_)
                entrants_[i].standing = standing(entrants_[i], own);
        std::stable_sort(entrants_.begin(), entrants_.begin() + static_cast<std::ptrdiff_t>(left_),
                         [](const Entrant& a, const Entrant& b) { return a.standing > b.standing; });
    }

    // What playouts say of the difference, drawn towards what was expected of it before: by as
    // much as they are in doubt themselves.
    double standing(const Entrant& entrant, const Entrant& own) const {
        const auto count = own.results.size();
        const Estimate win = estimate(count, [&](std::size_t i) { return own.results[i]; });
        const Estimate seen = estimate(
            count, [&](std::size_t i) { return entrant.results[i] - own.results[i]; });
        const double noise = count > 1 ? seen.error * seen.error : 1;
        const double spread = doubt_ * doubt_ * win.mean * win.mean;
        const double expected = win.mean * expected_share(entrant.guess, own.guess);
        if (noise + spread == 0) return seen.mean;
        return (seen.mean * spread + expected * noise) / (noise + spread);
    }

    std::vector<Entrant> entrants_;  // those that are left come first, the best at the front
    std::size_t left_;
    int fast_;
    double doubt_;
};

class Deep {
public:
    Deep(const Position& position, const DeepSettings& settings, const GoesOn& goes_on)
        : settings_(settings),
          goes_on_(goes_on),
          start_(Clock::now()),
          position_(position),
          prior_(Prior::known(position.mines)),
          poll_([this] {
              if (goes_on_) goes_on_();  // it is asked again before the first playout
          }),
          budget_(settings.playout.nodes, poll_) {}

    DeepChoice choose() {
        prepare();
        DeepChoice choice;
        Guesser fast(settings_.fast);
        Guesser::Choice own = fast.choose(solver_, prior_, budget_);
        choice.fast = own.place;
        if (own.place < 0) return choice;
        solver_.weigh(prior_, budget_);
        choice.exact = own.exact || Guesser(settings_.endgame).solve(solver_, prior_, own);
        const GuessCandidate alone{own.place, own.safety, 0};
        if (choice.exact)
            choice.candidates.push_back({alone, own.win});
        else if (fast.candidates().empty())  // best play in a part of its own
            choice.candidates = compete({alone});
        else
            choice.candidates = compete(candidates(own));
        return choice;
    }

private:
    // Solves the position, and writes down the mines that are proved.
    void prepare() {
        if (!solve(solver_, position_.grid, ClueKind::exact, position_.shown.data(), prior_,
                   budget_))
            throw std::invalid_argument("expected a position that has layouts");
        solver_.take_verdicts();
        if (!solver_.field.proved_safe.empty())
            throw std::invalid_argument("expected a position in which no cell is proved safe");
        solver_.update(budget_);
        solver_.weigh(prior_, budget_);
        position_.show_mines(solver_.field);
    }

    // The choice of the fast policy, then the others that come near it.
    std::vector<GuessCandidate> candidates(const Guesser::Choice& own) {
        Guesser wide(settings_.wide);
        wide.survey(solver_, prior_);
        wide.look(solver_, prior_, budget_);
        wide.rank(solver_);
        std::vector<GuessCandidate> all = wide.candidates();
        const auto found = std::find_if(all.begin(), all.end(), [&](const GuessCandidate& each) {
            return each.place == own.place;
        });
        if (found != all.end()) std::rotate(all.begin(), found, found + 1);
        else all.insert(all.begin(), {own.place, own.safety, 0});
        const double least = -far_behind * settings_.doubt;
        const GuessCandidate first = all.front();
        std::erase_if(all, [&](const GuessCandidate& each) {
            return (each.is_dead() && !first.is_dead()) ||
                   (each.win >= 0 && expected_share(each, first) < least);
        });
        if (all.size() > static_cast<std::size_t>(settings_.candidates))
            all.resize(settings_.candidates);
        return all;
    }

    Clock::time_point after(double share) const {
        const std::chrono::duration<double> seconds(settings_.seconds * share);
        return start_ + std::chrono::duration_cast<Clock::duration>(seconds);
    }

    std::vector<DeepCandidate> compete(const std::vector<GuessCandidate>& guesses) {
        Contest contest(guesses, settings_.doubt);
        Crew crew(position_, settings_.playout, after(1), goes_on_);
        const int rounds = contest.rounds();
        for (int round = 1; round <= rounds && !crew.is_stopped(); ++round) {
            if (round > 1) contest.halve();
            contest.add(crew.play(contest.entries(), layouts(contest),
                                  after(static_cast<double>(round) / rounds)));
        }
        return contest.results();
    }

    // How many layouts a round plays. One candidate alone is played for an estimate only.
    std::int64_t layouts(const Contest& contest) const {
        const std::int64_t games = settings_.playouts / contest.rounds();
        const auto count = games / static_cast<std::int64_t>(contest.left());
        return std::max<std::int64_t>(1, contest.left() > 1 ? count : std::min(count, layouts_alone));
    }

    const DeepSettings& settings_;
    const GoesOn& goes_on_;
    Clock::time_point start_;
    Position position_;
    Prior prior_;
    Poll poll_;
    Budget budget_;
    Solver solver_;
};

}  // namespace

DeepChoice choose_deep(const Position& position, const DeepSettings& settings,
                       const GoesOn& goes_on) {
    return Deep(position, settings, goes_on).choose();
}

}  // namespace mineproof
