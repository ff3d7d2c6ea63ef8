// Measures the guesses of a player by its own playouts on shared layouts, at the most frequent
// positions at the start of games, and at late ones whose endgame is out of reach. See README.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include "deal.hpp"
#include "evaluation.hpp"
#include "player.hpp"
#include "playout_threads.hpp"

using namespace mineproof;

namespace {

constexpr std::int64_t nodes = 100'000'000;
constexpr std::uint64_t first_seed = 9'500'000'000;  // below 10^10, like all training seeds
constexpr std::size_t early_cells = 40;               // maximum number of open cells
constexpr int late_least = 40, late_most = 159;       // minimum and maximum number of unknown cells
constexpr std::size_t most_candidates = 12;
constexpr double near = 0.9;    // as a share of the estimate of the player's choice
constexpr double doubt = 0.03;  // assumed relative error of estimated chances of winning

struct Level {
    const char* name;
    int rows, columns, mines;
};
constexpr Level levels[] = {{"expert", 16, 30, 99}, {"intermediate", 16, 16, 40}};

using Shown = std::vector<std::uint8_t>;

// Plays games and collects the positions in which it guesses.
class Collector final : public Player {
public:
    Collector(const GuessSettings& settings, bool is_early)
        : Player(settings, nodes), is_early_(is_early) {}

    std::map<Shown, int> found;  // positions and their frequencies
    std::int64_t guesses = 0;

protected:
    Decision decide() override {
        ++guesses;
        const Field& field = solver_.field;
        const bool is_wanted = is_early_ ? opened_.size() <= early_cells
                                         : field.unknown_cells >= late_least &&
                                               field.unknown_cells <= late_most;
        Shown shown(is_wanted ? static_cast<std::size_t>(field.grid().cells()) : 0);
        for (int cell = 0; cell < static_cast<int>(shown.size()); ++cell) {
            const int place = field.grid().place(cell);
            shown[cell] = field.known[place] == Known::mine ? exploded : field.code[place];
        }
        const Decision decision = Player::decide();
        if (is_wanted && !decision.guess.exact) ++found[shown];
        return decision;
    }

private:
    bool is_early_;
};

struct Difference {
    double mean = 0, error = 0;
};

Difference difference(const Held<PlayoutThreads::Row>& rows, std::size_t of, std::size_t to) {
    double sum = 0, squares = 0;
    const auto count = static_cast<double>(rows.size());
    for (const auto& row : rows) {
        const double gain = row.results[of] - row.results[to];
        sum += gain;
        squares += gain * gain;
    }
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0) / count)};
}

// A position with its candidates, the player's choice first.
class Contest {
public:
    Contest(const Level& level, const Shown& shown, const GuessSettings& settings) {
        position_.grid = Grid(level.rows, level.columns);
        position_.prior = Prior::known(level.mines);
        position_.shown.assign(shown.begin(), shown.end());
        Solver solver;
        Budget budget;
        solver.field.load(position_.grid, ClueKind::exact, shown.data());
        solver.begin();
        solver.update(budget);
        solver.weigh(position_.prior, budget);
        Guesser own(settings);
        const int choice = own.choose(solver, position_.prior, budget).place;
        if (own.candidates().empty()) return;  // a separate part has been solved exactly
        solver.weigh(position_.prior, budget);
        GuessSettings wide = settings;
        wide.margin = 0.3;
        wide.finalists = 100;
        Guesser all(wide);
        all.survey(solver, position_.prior);
        all.look(solver, position_.prior, budget);
        all.rank(solver);
        take(all.candidates(), choice);
    }

    const Held<Candidate>& candidates() const { return candidates_; }
    int row(const Candidate& one) const { return position_.grid.row(one.place); }
    int column(const Candidate& one) const { return position_.grid.column(one.place); }

    Held<PlayoutThreads::Row> play(PlayoutThreads& threads, const std::vector<std::size_t>& which,
                                   std::int64_t layouts) const {
        Held<PlayoutThreads::Entry> entries;
        for (std::size_t i : which) entries.push_back({candidates_[i].place, candidates_[i].safety});
        return threads.play(entries, layouts);
    }
    const Position& position() const { return position_; }

private:
    void take(const Held<Candidate>& found, int choice) {
        const auto own = std::find_if(found.begin(), found.end(),
                                      [&](const Candidate& one) { return one.place == choice; });
        if (own == found.end()) return;
        candidates_.push_back(*own);
        for (const Candidate& one : found)
            if (one.place != choice && !one.is_dead() && candidates_.size() < most_candidates &&
                one.win > own->win * near)
                candidates_.push_back(one);
    }

    Position position_;
    Held<Candidate> candidates_;
};

std::vector<std::size_t> all_of(const Contest& contest) {
    std::vector<std::size_t> all(contest.candidates().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

// Returns the best candidate by playouts and by estimates, each weighted by its certainty.
std::size_t best_of(const Contest& contest, const Held<PlayoutThreads::Row>& rows) {
    const auto& candidates = contest.candidates();
    const double spread = doubt * doubt * candidates[0].win * candidates[0].win;
    double most = 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
        const Difference seen = difference(rows, i, 0);
        const double noise = seen.error * seen.error, expected = candidates[i].win - candidates[0].win;
        const double gain = (seen.mean * spread + expected * noise) / (spread + noise);
        if (gain > most) {
            most = gain;
            best = i;
        }
    }
    return best;
}

void probe_early(const Level& level, const GuessSettings& settings, const Collector& collector,
                 int games, int positions, std::int64_t layouts) {
    std::vector<std::pair<int, Shown>> order;
    for (const auto& [shown, count] : collector.found) order.push_back({-count, shown});
    std::sort(order.begin(), order.end());
    for (int i = 0; i < positions && i < static_cast<int>(order.size()); ++i) {
        const Contest contest(level, order[i].second, settings);
        const auto& candidates = contest.candidates();
        if (candidates.size() < 2) continue;
        PlayoutRun run;
        run.seed = static_cast<std::uint64_t>(i);
        PlayoutThreads threads(contest.position(), settings, run, Clock::now() + std::chrono::hours(24));
        const auto rows = contest.play(threads, all_of(contest), layouts);
        std::printf("%.4f per game, (%d, %d):", -order[i].first / static_cast<double>(games),
                    contest.row(candidates[0]), contest.column(candidates[0]));
        for (std::size_t k = 1; k < candidates.size(); ++k) {
            const Difference gain = difference(rows, k, 0);
            std::printf(" (%d, %d) %+.4f (se %.4f)", contest.row(candidates[k]),
                        contest.column(candidates[k]), gain.mean, gain.error);
        }
        std::printf("\n");
        std::fflush(stdout);
    }
}

void probe_late(const Level& level, const GuessSettings& settings, const Collector& collector,
                int games, std::int64_t layouts) {
    GuessSettings fast = settings;  // the playouts of `deep`
    fast.layouts = 100;
    fast.endgame_work = 20'000;
    fast.reach = 0.90;
    fast.inner_reach = 0.95;
    fast.margin = 0.015;
    fast.finalists = 2;
    double sum = 0, variance = 0, large = 0;
    int count = 0, others = 0;
    for (const auto& [shown, times] : collector.found) {
        const Contest contest(level, shown, settings);
        if (contest.candidates().empty()) continue;
        ++count;
        PlayoutRun run;
        run.seed = static_cast<std::uint64_t>(count);
        PlayoutThreads threads(contest.position(), fast, run, Clock::now() + std::chrono::hours(24));
        if (contest.candidates().size() < 2) continue;
        const std::size_t best = best_of(contest, contest.play(threads, all_of(contest), layouts));
        if (best == 0) continue;
        const Difference gain = difference(contest.play(threads, {0, best}, 3 * layouts), 1, 0);
        sum += gain.mean;
        variance += gain.error * gain.error;
        if (gain.mean < 0.012 || gain.mean < 3 * gain.error) continue;
        large += gain.mean;
        ++others;
    }
    std::printf("%d positions, %.3f per game: %+.5f (se %.5f) per position, %+.5f per game; "
                "%d gain over 0.012 and three errors, %.0f %% of all\n",
                count, static_cast<double>(count) / games, sum / count, std::sqrt(variance) / count,
                sum / games, others, 100 * large / sum);
}

std::shared_ptr<const Evaluation> read_evaluation(const char* file) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<std::uint8_t> data(std::istreambuf_iterator<char>(in), {});
    return std::make_shared<const Evaluation>(data);
}

}  // namespace

int main(int count, char** arguments) {
    const Level* level = nullptr;
    for (const Level& each : levels)
        if (count == 7 && std::strcmp(each.name, arguments[2]) == 0) level = &each;
    const bool is_early = level != nullptr && std::strcmp(arguments[1], "early") == 0;
    if (level == nullptr || (!is_early && std::strcmp(arguments[1], "late") != 0)) {
        std::fprintf(stderr,
                     "usage: %s early|late expert|intermediate EVALUATION GAMES POSITIONS LAYOUTS\n",
                     arguments[0]);
        return 2;
    }
    GuessSettings settings;
    settings.evaluation = read_evaluation(arguments[3]);
    const int games = std::atoi(arguments[4]);
    Collector collector(settings, is_early);
    const Grid grid(level->rows, level->columns);
    for (int game = 0; game < games; ++game) {
        const auto board = deal(grid, level->mines, Start::safe, 0,
                                first_seed + static_cast<std::uint64_t>(game));
        collector.play(grid, level->mines, board.data(), 0);
    }
    std::printf("%d games, %.2f guesses per game\n", games, static_cast<double>(collector.guesses) / games);
    if (is_early)
        probe_early(*level, settings, collector, games, std::atoi(arguments[5]), std::atoll(arguments[6]));
    else
        probe_late(*level, settings, collector, games, std::atoll(arguments[6]));
    return 0;
}
