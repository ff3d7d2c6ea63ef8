#include "deep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace mineproof {
namespace {

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
double expected_share(const Candidate& guess, const Candidate& other) {
    if (guess.win >= 0 && other.win > 0) return guess.win / other.win - 1;
    return other.survival > 0 ? guess.survival / other.survival - 1 : 0;
}

// Candidates that play the same layouts, fewer of them from round to round.
class Contest {
public:
    // The first guess is the choice of the fast policy.
    Contest(const Held<Candidate>& guesses, double doubt) : doubt_(doubt) {
        for (const Candidate& guess : guesses) entrants_.push_back({guess, {}, 0});
        fast_ = entrants_.front().guess.place;
        left_ = entrants_.size();
    }

    int rounds() const { return std::max<int>(std::bit_width(entrants_.size() - 1), 1); }
    std::size_t left() const { return left_; }

    Held<PlayoutThreads::Entry> entries() const {
        Held<PlayoutThreads::Entry> all;
        for (std::size_t i = 0; i < left_; ++i)
            all.push_back({entrants_[i].guess.place, entrants_[i].guess.safety});
        return all;
    }

    void add(const Held<PlayoutThreads::Row>& rows) {
        for (const PlayoutThreads::Row& row : rows)
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

    Held<Candidate> results() const {
        Held<Candidate> all;
        for (const Entrant& entrant : entrants_) {
            const Held<double>& won = entrant.results;
            const Estimate win = estimate(won.size(), [&](std::size_t i) { return won[i]; });
            all.push_back(entrant.guess);
            all.back().played = won.empty() ? -1 : win.mean;
            all.back().error = win.error;
            all.back().playouts = static_cast<int>(won.size());
        }
        return all;
    }

private:
    struct Entrant {
        Candidate guess;
        Held<double> results;  // by layout
        double standing;              // how much better than the choice of the fast policy
    };

    Held<Entrant>::iterator find_fast() {
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

    Held<Entrant> entrants_;  // those that are left come first, the best at the front
    std::size_t left_;
    int fast_;
    double doubt_;
};

class Deep {
public:
    Deep(Solver& solver, const Position& position, const DeepSettings& settings,
         const PlayoutRun& run, Clock::time_point start, Budget& budget)
        : solver_(solver),
          position_(position),
          prior_(position.prior),
          settings_(settings),
          run_(run),
          start_(start),
          budget_(budget) {}

    DeepGuess choose() {
        DeepGuess guess;
        Guesser fast(settings_.fast);
        Guess own = fast.choose(solver_, prior_, budget_);
        guess.fast = own.place;
        if (own.place < 0) return guess;
        solver_.weigh(prior_, budget_);
        guess.exact = own.exact || Guesser(settings_.endgame).solve(solver_, prior_, own);
        Candidate alone{own.place, own.safety, 0};
        if (guess.exact) {
            alone.played = own.win;
            guess.candidates = {alone};
        } else if (fast.candidates().empty()) {  // best play in a region of its own
            guess.candidates = compete({alone});
        } else {
            guess.candidates = compete(candidates(own));
        }
        return guess;
    }

private:
    // The choice of the fast policy, then the others that come near it.
    Held<Candidate> candidates(const Guess& own) {
        Guesser wide(settings_.wide);
        wide.survey(solver_, prior_);
        wide.look(solver_, prior_, budget_);
        wide.rank(solver_);
        Held<Candidate> all = wide.candidates();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Candidate& each) {
            return each.place == own.place;
        });
        if (found != all.end()) std::rotate(all.begin(), found, found + 1);
        else all.insert(all.begin(), {own.place, own.safety, 0});
        const double least = -far_behind * settings_.doubt;
        const Candidate first = all.front();
        std::erase_if(all, [&](const Candidate& each) {
            return (each.is_dead() && !first.is_dead()) ||
                   (each.win >= 0 && expected_share(each, first) < least);
        });
        if (all.size() > static_cast<std::size_t>(settings_.candidates))
            all.resize(settings_.candidates);
        return all;
    }

    Held<Candidate> compete(const Held<Candidate>& guesses) {
        Contest contest(guesses, settings_.doubt);
        PlayoutThreads threads(position_, settings_.playout, run_, after(start_, run_.seconds));
        const int rounds = contest.rounds();
        for (int round = 1; round <= rounds && !threads.is_stopped(); ++round) {
            if (round > 1) contest.halve();
            const double share = static_cast<double>(round) / rounds;
            contest.add(threads.play(contest.entries(), layouts(contest),
                                     after(start_, run_.seconds * share)));
        }
        return contest.results();
    }

    // How many layouts a round plays. One candidate alone is played for an estimate only.
    std::int64_t layouts(const Contest& contest) const {
        const std::int64_t games = run_.playouts / contest.rounds();
        const auto count = games / static_cast<std::int64_t>(contest.left());
        return std::max<std::int64_t>(1, contest.left() > 1 ? count : std::min(count, layouts_alone));
    }

    Solver& solver_;
    const Position& position_;
    const Prior& prior_;
    const DeepSettings& settings_;
    const PlayoutRun& run_;
    Clock::time_point start_;
    Budget& budget_;
};

}  // namespace

void DeepSettings::check() const {
    if (candidates < 1 || candidates > 1000)
        throw std::invalid_argument("expected 1 to 1000 candidates");
    if (!(doubt >= 0 && std::isfinite(doubt)))
        throw std::invalid_argument("expected a doubt from 0 on");
}

DeepGuess choose_deep(Solver& solver, const Position& position, const DeepSettings& settings,
                      const PlayoutRun& run, Clock::time_point start, Budget& budget) {
    return Deep(solver, position, settings, run, start, budget).choose();
}

}  // namespace mineproof
