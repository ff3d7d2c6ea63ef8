#include "deep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace mineproof {
namespace {

constexpr std::int64_t layouts_alone = 100;  // layouts to play if there is only one candidate
constexpr std::int64_t first_layouts = 32;   // in the first round; later rounds add a quarter
constexpr double settled = 0.2;     // minimum expected gain, times the number of playouts
constexpr double well_open = 0.15;  // share of open cells from which the full doubt applies
constexpr double untrained = 3;     // factor of the doubt if there is no evaluation
constexpr double far_behind = 2.5;  // candidates that an evaluation puts this many times the
                                    // doubt behind the fast choice are skipped

// The mean of some numbers, and its standard error.
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

// Returns by what share a candidate is expected to win more often than another.
double expected_share(const Candidate& guess, const Candidate& other) {
    if (guess.win >= 0 && other.win > 0) return guess.win / other.win - 1;
    return other.survival > 0 ? guess.survival / other.survival - 1 : 0;
}

// Returns the expected value of max(0, X) for a normal variable X.
double expected_excess(double mean, double deviation) {
    if (deviation <= 0) return std::max(mean, 0.0);
    const double z = mean / deviation;
    return deviation * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) +
           mean * std::erfc(-z / std::numbers::sqrt2) / 2;
}

// Candidates that play the same layouts until only one is left.
class Contest {
public:
    // The first guess is the choice of the fast policy. It leads at the start.
    Contest(const Held<Candidate>& guesses, double doubt) : doubt_(doubt) {
        for (const Candidate& guess : guesses) entrants_.push_back({guess});
        left_ = entrants_.size();
    }

    std::size_t left() const { return left_; }
    std::int64_t layouts() const {
        return static_cast<std::int64_t>(entrants_.front().results.size());
    }

    Held<PlayoutThreads::Entry> entries() const {
        Held<PlayoutThreads::Entry> all;
        for (std::size_t i = 0; i < left_; ++i)
            all.push_back({entrants_[i].guess.place, entrants_[i].guess.safety});
        return all;
    }

    // Adds results. Another candidate takes the lead if it is expected to be better.
    void add(const Held<PlayoutThreads::Row>& rows) {
        for (const PlayoutThreads::Row& row : rows)
            for (std::size_t i = 0; i < left_; ++i) entrants_[i].results.push_back(row.results[i]);
        if (rows.empty()) return;
        rank(0);
        rank(1);
    }

    // Drops the candidates that are not expected to gain `least` with `more` additional layouts.
    void drop(double least, double more) {
        const double rate = more / (more + static_cast<double>(layouts()));
        const auto rivals = entrants_.begin() + 1;
        const auto kept = std::stable_partition(rivals, end(), [&](const Entrant& each) {
            return expected_excess(each.standing, each.can_move(rate)) >= least;
        });
        left_ = static_cast<std::size_t>(kept - entrants_.begin());
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
        Held<double> results{};  // by layout
        double standing = 0;  // expected gain over the leader
        double spread = 0;    // prior variance of that gain
        double noise = 0;     // variance of the gain measured by playouts

        // Returns the standard deviation of the future standing after more layouts, when the
        // present ones are the share 1 - `rate` of all.
        double can_move(double rate) const {
            const double later = noise * (1 - rate);
            if (spread + later <= 0) return 0;
            return std::sqrt(spread * spread * (noise - later) / ((spread + noise) * (spread + later)));
        }
    };

    Held<Entrant>::iterator end() {
        return entrants_.begin() + static_cast<std::ptrdiff_t>(left_);
    }

    // Compares all candidates with the leader, and sorts them from an index on.
    void rank(std::ptrdiff_t from) {
        entrants_.front().standing = 0;
        for (std::size_t i = 1; i < left_; ++i) compare(entrants_[i], entrants_.front());
        std::stable_sort(entrants_.begin() + from, end(), [](const Entrant& a, const Entrant& b) {
            return a.standing > b.standing;
        });
    }

    // Combines the difference measured by playouts with the prior expectation, each weighted by its
    // certainty.
    void compare(Entrant& entrant, const Entrant& leader) const {
        const auto count = leader.results.size();
        const Estimate win = estimate(count, [&](std::size_t i) { return leader.results[i]; });
        const Estimate seen = estimate(
            count, [&](std::size_t i) { return entrant.results[i] - leader.results[i]; });
        const double noise = entrant.noise = count > 1 ? seen.error * seen.error : 1;
        const double spread = entrant.spread = doubt_ * doubt_ * win.mean * win.mean;
        const double expected = win.mean * expected_share(entrant.guess, leader.guess);
        const double both = noise + spread;
        entrant.standing = both > 0 ? (seen.mean * spread + expected * noise) / both : seen.mean;
    }

    Held<Entrant> entrants_;  // remaining candidates come first, the best at the front
    std::size_t left_;
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
        } else if (fast.candidates().empty()) {  // best play in an independent region
            guess.candidates = compete({alone});
        } else {
            guess.candidates = compete(candidates(own));
        }
        return guess;
    }

private:
    // Returns the choice of the fast policy, then the other candidates that come close.
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
        const double least = -far_behind * doubt();
        const Candidate first = all.front();
        std::erase_if(all, [&](const Candidate& each) {
            return (each.is_dead() && !first.is_dead()) ||
                   (each.win >= 0 && expected_share(each, first) < least);
        });
        if (all.size() > static_cast<std::size_t>(settings_.candidates))
            all.resize(settings_.candidates);
        return all;
    }

    // An evaluation errs less when few cells are open. Survival errs everywhere.
    double doubt() const {
        if (!settings_.wide.evaluation) return untrained * settings_.doubt;
        const auto open = std::count_if(position_.shown.begin(), position_.shown.end(),
                                        [](std::uint8_t code) { return code < unopened; });
        const double share = static_cast<double>(open) / static_cast<double>(position_.shown.size());
        return settings_.doubt * std::min(share / well_open, 1.0);
    }

    Held<Candidate> compete(const Held<Candidate>& guesses) {
        Contest contest(guesses, doubt());
        const Clock::time_point deadline = after(start_, run_.seconds), begun = Clock::now();
        PlayoutThreads threads(position_, settings_.playout, run_, deadline);
        std::int64_t played = 0;
        while (const std::int64_t layouts = next_layouts(contest, played)) {
            const auto rows = threads.play(contest.entries(), layouts);
            played += static_cast<std::int64_t>(rows.size() * contest.left());
            contest.add(rows);
            if (static_cast<std::int64_t>(rows.size()) < layouts) break;  // out of time
            const double all = affordable(played, begun, deadline);
            const double left = all - static_cast<double>(played);
            contest.drop(settled / all, std::max(left, 0.0) / static_cast<double>(contest.left()));
        }
        return contest.results();
    }

    // Returns how many layouts to play next; 0 if the contest is over.
    std::int64_t next_layouts(const Contest& contest, std::int64_t played) const {
        const std::int64_t most = std::max<std::int64_t>(0, run_.playouts - played) /
                                  static_cast<std::int64_t>(contest.left());
        const std::int64_t before = contest.layouts();
        if (contest.left() == 1) return before > 0 ? 0 : std::min(most, layouts_alone);
        if (before == 0) return std::clamp<std::int64_t>(most, 1, first_layouts);
        return std::min(most, std::max(first_layouts, before / 4));
    }

    // Returns the total number of playouts that fit, judging by the speed so far.
    double affordable(std::int64_t played, Clock::time_point begun, Clock::time_point deadline) const {
        const auto now = Clock::now();
        const std::chrono::duration<double> spent = now - begun, left = deadline - now;
        const double more = static_cast<double>(played) * std::max(left.count(), 0.0) / spent.count();
        return std::min(static_cast<double>(run_.playouts), static_cast<double>(played) + more);
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
        throw std::invalid_argument("expected a doubt of at least 0");
}

DeepGuess choose_deep(Solver& solver, const Position& position, const DeepSettings& settings,
                      const PlayoutRun& run, Clock::time_point start, Budget& budget) {
    return Deep(solver, position, settings, run, start, budget).choose();
}

}  // namespace mineproof
