// Makes training data: positions in which a guess is needed, with what each good candidate is
// worth by playouts on common layouts. See README.md.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "deal.hpp"
#include "evaluation.hpp"
#include "features.hpp"
#include "guesser.hpp"
#include "player.hpp"
#include "playout.hpp"
#include "sample.hpp"

using namespace mineproof;

namespace {

constexpr std::size_t layouts = 2;  // playouts of each candidate
constexpr int explorations = 4;     // one guess in so many is any of the candidates
constexpr std::int64_t nodes = 100'000'000;

// Which positions are kept, and how many candidates of each.
struct Recipe {
    const char* name;
    std::array<std::uint64_t, 6> shares;  // of the levels below, in per cent
    std::size_t most;                     // candidates of a position
    double margin;                        // of survival, below the best
    double early;      // positions with more than this share unknown are much alike:
    int early_share;   // one in so many of them is kept
    double end;        // a game is left when less than this share is unknown
};
constexpr Recipe recipes[] = {
    {"all", {75, 10, 10, 3, 0, 2}, 6, 0.05, 0.97, 12, 0},
    {"levels", {0, 0, 60, 15, 15, 10}, 10, 0.10, 0.99, 4, 0},
    {"opening", {95, 5, 0, 0, 0, 0}, 10, 0.10, 0.9975, 20, 0.85},
    {"policy", {82, 8, 6, 0, 2, 2}, 8, 0.08, 0.9975, 10, 0},
};

struct Level {
    std::uint8_t number;
    int rows, columns, mines;
    Start start;
    int first;
};
constexpr Level levels[] = {
    {0, 16, 30, 99, Start::safe, 0}, {1, 16, 30, 99, Start::opening, 93},
    {2, 16, 16, 40, Start::safe, 0}, {3, 9, 9, 10, Start::safe, 0},
    {5, 8, 8, 10, Start::safe, 0},
};

Level draw_level(const Recipe& recipe, Stream& stream) {
    std::uint64_t lot = stream.below(100);
    for (std::size_t i = 0; i < std::size(levels); ++i) {
        if (lot < recipe.shares[i]) return levels[i];
        lot -= recipe.shares[i];
    }
    const int rows = 6 + static_cast<int>(stream.below(20));
    const int columns = 6 + static_cast<int>(stream.below(30));
    const int cells = rows * columns;
    const int mines = std::max(1, static_cast<int>(cells * (0.1 + 0.14 * stream.fraction())));
    const int first = static_cast<int>(stream.below(static_cast<std::uint64_t>(cells)));
    return {4, rows, columns, mines, Start::safe, first};
}

GuessSettings wide(double margin) {
    GuessSettings settings;
    settings.reach = 0.85;
    settings.inner_reach = 0.90;
    settings.margin = margin;
    return settings;
}

// The policy of playouts: the safest cell, or that of an evaluation.
GuessSettings fast(const std::shared_ptr<const Evaluation>& evaluation) {
    GuessSettings settings;
    settings.endgame_layouts = settings.layouts = 100;
    settings.endgame_work = 20'000;
    settings.evaluation = evaluation;
    settings.margin = 0.06;
    if (!evaluation) settings.look_work = 0;
    return settings;
}

// Plays by look-ahead, and writes down the guesses that it meets.
class StateMaker final : public Player {
public:
    StateMaker(std::FILE* out, const Recipe& recipe,
               const std::shared_ptr<const Evaluation>& evaluation, std::uint64_t seed)
        : Player(wide(recipe.margin), nodes),
          out_(out),
          recipe_(recipe),
          stream_(seed, Purpose::agent),
          playout_(fast(evaluation), nodes) {}

    void play_level(const Level& level, std::uint64_t seed) {
        level_ = level.number;
        const auto board = mineproof::deal(level.rows, level.columns, level.mines, level.start,
                                           level.first, seed);
        play(Grid(level.rows, level.columns), level.mines, board.data(), level.first);
    }
    long states = 0;

protected:
    int guess(const Prior& prior, Budget& budget) override {
        const double unknown = solver_.field.unknown_cells;
        const double share = unknown / solver_.field.grid().cells();
        Guess choice;
        if (guesser_.solve(solver_, prior, choice)) return choice.place;
        if (share < recipe_.end) return -1;
        guesser_.survey(solver_, prior);
        layout_seed_ = stream_.next();
        for (auto& layout : layouts_) draw(layout);
        guesser_.look(solver_, prior, budget);
        solver_.weigh(prior, budget);
        const auto candidates = finalists();
        const bool is_kept = share < recipe_.early ||
                             stream_.below(static_cast<std::uint64_t>(recipe_.early_share)) == 0;
        if (candidates.size() > 1 && is_kept) write(prior, candidates);
        const std::size_t any = stream_.below(candidates.size());
        return candidates[stream_.below(explorations) == 0 ? any : 0].place;
    }

private:
    std::vector<Candidate> finalists() const {
        std::vector<Candidate> found;
        const double least = guesser_.candidates().front().survival - recipe_.margin;
        for (const Candidate& candidate : guesser_.candidates())
            if (found.empty() || (candidate.survival >= least && found.size() < recipe_.most))
                found.push_back(candidate);
        return found;
    }

    void draw(std::vector<std::uint8_t>& layout) {
        layout.resize(solver_.field.grid().cells());
        draw_layout(solver_, stream_, layout.data());
    }

    void write(const Prior& prior, const std::vector<Candidate>& candidates) {
        const Field& field = solver_.field;
        shown_.resize(field.grid().cells());
        for (int cell = 0; cell < field.grid().cells(); ++cell) {
            const int place = field.grid().place(cell);
            shown_[cell] = field.known[place] == Known::mine ? exploded : field.code[place];
        }
        const std::uint8_t head[2] = {static_cast<std::uint8_t>(candidates.size()), level_};
        std::fwrite(head, 1, 2, out_);
        for (const Candidate& candidate : candidates) {
            write(guesser_.features(solver_, candidate));
            for (std::size_t i = 0; i < layouts; ++i) {
                const float worth = static_cast<float>(play_out(prior, candidate, i));
                std::fwrite(&worth, 4, 1, out_);
            }
        }
        ++states;
    }

    void write(const Features& features) {
        std::array<std::uint8_t, Features::cells> risk;
        for (std::size_t i = 0; i < risk.size(); ++i)
            risk[i] = static_cast<std::uint8_t>(std::lround(features.risk[i] * 255));
        std::fwrite(features.scalar.data(), 4, features.scalar.size(), out_);
        std::fwrite(features.kind.data(), 1, features.kind.size(), out_);
        std::fwrite(risk.data(), 1, risk.size(), out_);
    }

    // A layout that has the candidate mined is changed: its safety is multiplied in instead.
    double play_out(const Prior& prior, const Candidate& candidate, std::size_t number) {
        const Grid& grid = solver_.field.grid();
        layout_ = layouts_[number];
        Stream changes(layout_seed_, Purpose::clue, number);
        Stream playing(layout_seed_, Purpose::sample, number);
        if (layout_[grid.cell(candidate.place)] &&
            !redraw_.make_safe(solver_, candidate.place, changes, layout_))
            return 0;
        return candidate.safety * playout_.play(grid, prior.low, shown_.data(), layout_.data(),
                                                candidate.place, playing);
    }

    std::FILE* out_;
    const Recipe& recipe_;
    Stream stream_;
    std::uint64_t layout_seed_ = 0;
    std::uint8_t level_ = 0;
    Playout playout_;
    Redraw redraw_;
    std::array<std::vector<std::uint8_t>, layouts> layouts_;
    std::vector<std::uint8_t> layout_, shown_;
};

std::shared_ptr<const Evaluation> read_evaluation(const char* file) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<std::uint8_t> data(std::istreambuf_iterator<char>(in), {});
    return std::make_shared<const Evaluation>(data);
}

}  // namespace

int main(int count, char** arguments) {
    const auto recipe = std::find_if(std::begin(recipes), std::end(recipes), [&](const Recipe& r) {
        return count > 1 && std::strcmp(r.name, arguments[1]) == 0;
    });
    if (count < 5 || count > 6 || recipe == std::end(recipes)) {
        std::fprintf(stderr, "usage: %s all|levels|opening|policy FILE SEED MINUTES [EVALUATION]\n",
                     arguments[0]);
        return 2;
    }
    std::FILE* out = std::fopen(arguments[2], "wb");
    if (out == nullptr) {
        std::perror(arguments[2]);
        return 2;
    }
    const auto evaluation = count == 6 ? read_evaluation(arguments[5]) : nullptr;
    const std::uint64_t seed = std::strtoull(arguments[3], nullptr, 10);
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration<double, std::ratio<60>>(std::atof(arguments[4]));
    StateMaker maker(out, *recipe, evaluation, seed);
    Stream lots(seed, Purpose::given);
    for (std::uint64_t game = 0; std::chrono::steady_clock::now() < end; ++game) {
        maker.play_level(draw_level(*recipe, lots), seed * 100'000'000 + game);
        if (game % 5000 == 4999)
            std::fprintf(stderr, "%s: %ld states\n", arguments[2], maker.states);
    }
    return std::fclose(out) == 0 ? 0 : 1;
}
