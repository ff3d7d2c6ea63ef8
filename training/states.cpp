// Makes training data: positions in which a guess is needed, with the value of each good candidate
// by playouts on shared layouts. Early positions are left to playouts.cu, with their layouts. Late
// ones are played out here. See README.md.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "deal.hpp"
#include "evaluation.hpp"
#include "player.hpp"
#include "playout.hpp"
#include "sample.hpp"
#include "states.hpp"

using namespace mineproof;

namespace {

constexpr int explorations = 4;  // one guess in four is a random candidate
constexpr int task_unknown = 80;  // a position with at least this many unknown cells is a task
constexpr int task_rows = 16, task_columns = 32;
constexpr std::size_t most = 8;   // maximum number of candidates per position
constexpr double margin = 0.08;   // maximum difference from the best survival
constexpr std::size_t late_layouts = 8;  // layouts per position that is played out here
constexpr std::size_t file_positions = 8192;
constexpr std::int64_t nodes = 100'000'000;

// The positions to keep, and where to play them out.
struct Recipe {
    const char* name;
    std::array<std::uint64_t, 6> shares;  // shares of the levels below, in percent
    bool has_tasks;                       // otherwise everything is played out here
    bool has_twins;                       // whether tasks are played out here, too
};
constexpr Recipe recipes[] = {
    {"tasks", {62, 12, 16, 4, 2, 4}, true, false},
    {"check", {70, 10, 20, 0, 0, 0}, true, true},
    {"policy", {66, 12, 14, 3, 2, 3}, false, false},
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
    const int rows = 6 + static_cast<int>(stream.below(task_rows - 5));
    const int columns = 6 + static_cast<int>(stream.below(task_columns - 5));
    const int cells = rows * columns;
    const int mines = std::max(1, static_cast<int>(cells * (0.1 + 0.14 * stream.fraction())));
    const int first = static_cast<int>(stream.below(static_cast<std::uint64_t>(cells)));
    return {4, rows, columns, mines, Start::safe, first};
}

// Returns N if one position in N is kept. Positions with few known cells are similar, and late ones
// take long to play out.
std::uint64_t rarity(const Recipe& recipe, const Field& field) {
    if (recipe.has_tasks && field.unknown_cells < task_unknown) return 2;
    const double share = static_cast<double>(field.unknown_cells) / field.grid().cells();
    return share > 0.995 ? 12 : share > 0.97 ? 3 : 1;
}

GuessSettings playing(const std::shared_ptr<const Evaluation>& evaluation) {
    GuessSettings settings;
    settings.evaluation = evaluation;
    settings.margin = margin;
    return settings;
}

// The policy of playouts: the best survival or, to compare with tasks, the safest cell.
GuessSettings fast(const Recipe& recipe) {
    GuessSettings settings;
    settings.endgame_layouts = settings.layouts = 100;
    settings.endgame_work = 20'000;
    settings.reach = 0.90;
    settings.inner_reach = 0.95;
    settings.margin = 0;
    if (recipe.has_tasks) settings.look_work = 0;
    return settings;
}

// Plays by look-ahead and writes the guesses to files.
class StateMaker final : public Player {
public:
    StateMaker(const Recipe& recipe, const std::shared_ptr<const Evaluation>& evaluation,
               std::uint64_t seed, std::size_t layouts)
        : Player(playing(evaluation), nodes),
          recipe_(recipe),
          stream_(seed, Purpose::agent),
          playout_(fast(recipe), nodes),
          layouts_(layouts) {}

    void play_level(const Level& level, std::uint64_t seed) {
        level_ = level.number;
        game_ = static_cast<std::uint32_t>(seed);
        const Grid grid(level.rows, level.columns);
        const auto board = mineproof::deal(grid, level.mines, level.start, level.first, seed);
        play(grid, level.mines, board.data(), level.first);
    }
    StateFiles files;

protected:
    Decision decide() override {
        Decision decision;
        solver_.update(budget_);
        solver_.weigh(prior_, budget_);
        if (guesser_.solve(solver_, prior_, decision.guess)) return {};  // nothing is left to learn
        const bool is_kept = stream_.below(rarity(recipe_, solver_.field)) == 0;
        guesser_.survey(solver_, prior_);
        layout_seed_ = stream_.next();
        if (is_kept)
            for (auto& layout : layouts_) draw(layout);
        guesser_.look(solver_, prior_, budget_);
        const auto candidates = finalists();
        if (candidates.size() > 1 && is_kept) {
            solver_.weigh(prior_, budget_);
            write(candidates);
        }
        guesser_.rank(solver_);
        const std::size_t any = stream_.below(candidates.size());
        decision.guess.place = stream_.below(explorations) == 0
                                   ? candidates[any].place
                                   : guesser_.candidates().front().place;
        return decision;
    }

private:
    Held<Candidate> finalists() const {
        Held<Candidate> found;
        const Candidate& first = guesser_.candidates().front();
        for (const Candidate& candidate : guesser_.candidates())
            if (found.empty() || (candidate.survival >= first.survival - margin &&
                                  candidate.is_dead() == first.is_dead() && found.size() < most))
                found.push_back(candidate);
        return found;
    }

    void draw(Held<std::uint8_t>& layout) {
        layout.resize(solver_.field.grid().cells());
        draw_layout(solver_, stream_, layout.data());
    }

    void write(const Held<Candidate>& candidates) {
        const Field& field = solver_.field;
        const bool is_task = recipe_.has_tasks && field.unknown_cells >= task_unknown;
        if (recipe_.has_twins && !is_task) return;
        shown_.resize(field.grid().cells());
        for (int cell = 0; cell < field.grid().cells(); ++cell) {
            const int place = field.grid().place(cell);
            shown_[cell] = field.known[place] == Known::mine ? exploded : field.code[place];
        }
        playout_.begin(grid_, prior_.low, shown_.data());
        files.add({static_cast<std::uint8_t>(candidates.size()), level_, is_task, 0, game_});
        if (is_task) files.add_task(task_position());
        for (const Candidate& candidate : candidates) {
            if (is_task) write_task(candidate);
            files.add(guesser_.features(solver_, candidate), worth(candidate, is_task));
        }
    }

    TaskPosition task_position() const {
        const Grid& grid = solver_.field.grid();
        TaskPosition position{};
        position.rows = static_cast<std::uint32_t>(grid.rows);
        position.columns = static_cast<std::uint32_t>(grid.columns);
        for (int cell = 0; cell < grid.cells(); ++cell)
            if (shown_[cell] < unopened)
                position.open[cell / grid.columns] |= 1U << cell % grid.columns;
        return position;
    }

    void write_task(const Candidate& candidate) {
        const Grid& grid = solver_.field.grid();
        std::vector<TaskLayout> masks;
        for (std::size_t i = 0; i < layouts_.size(); ++i) {
            make_safe(candidate, i);
            TaskLayout& mask = masks.emplace_back();
            mask = {};
            for (int cell = 0; cell < grid.cells(); ++cell)
                if (layout_[cell]) mask[cell / grid.columns] |= 1U << cell % grid.columns;
        }
        files.add_task({0, static_cast<std::uint32_t>(grid.row(candidate.place)),
                        static_cast<std::uint32_t>(grid.column(candidate.place)),
                        static_cast<float>(candidate.safety)},
                       masks);
    }

    // Returns a layout in which the candidate is safe, as similar as possible to the shared one.
    bool make_safe(const Candidate& candidate, std::size_t number) {
        layout_ = layouts_[number];
        Stream changes(layout_seed_, Purpose::clue, number);
        return layout_[solver_.field.grid().cell(candidate.place)] == 0 ||
               redraw_.make_safe(solver_, candidate.place, changes, layout_);
    }

    std::array<float, 2> worth(const Candidate& candidate, bool is_task) {
        std::array<float, 2> sums{};
        if (is_task && !recipe_.has_twins) return sums;
        const std::size_t own = recipe_.has_tasks && !is_task ? late_layouts : layouts_.size();
        const std::size_t count = std::min(own, layouts_.size());
        for (std::size_t i = 0; i < count; ++i)
            sums[i % 2] += static_cast<float>(play_out(candidate, i));
        for (float& sum : sums) sum /= static_cast<float>(count) / 2;
        return sums;
    }

    // If the candidate is a mine, change the layout and multiply the value by its safety instead.
    double play_out(const Candidate& candidate, std::size_t number) {
        if (!make_safe(candidate, number)) return 0;
        Stream playing(layout_seed_, Purpose::sample, number);
        return candidate.safety * playout_.play(layout_.data(), candidate.place, playing);
    }

    const Recipe& recipe_;
    Stream stream_;
    std::uint64_t layout_seed_ = 0;
    std::uint32_t game_ = 0;
    std::uint8_t level_ = 0;
    Playout playout_;
    Redraw redraw_;
    Held<Held<std::uint8_t>> layouts_;
    Held<std::uint8_t> layout_, shown_;
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
    if (count < 6 || count > 7 || recipe == std::end(recipes)) {
        std::fprintf(stderr, "usage: %s tasks|check|policy NAME SEED SECONDS LAYOUTS [EVALUATION]\n",
                     arguments[0]);
        return 2;
    }
    const std::string name = arguments[2];
    const std::uint64_t seed = std::strtoull(arguments[3], nullptr, 10);
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration<double>(std::atof(arguments[4]));
    const auto evaluation = count == 7 ? read_evaluation(arguments[6]) : nullptr;
    StateMaker maker(*recipe, evaluation, seed, std::strtoul(arguments[5], nullptr, 10));
    Stream lots(seed, Purpose::given);
    std::size_t file = 0, positions = 0;
    const auto write = [&] {
        positions += maker.files.positions();
        maker.files.write(name + "-" + std::to_string(file++));
    };
    std::uint64_t game = 0;
    for (; std::chrono::steady_clock::now() < end; ++game) {
        maker.play_level(draw_level(*recipe, lots), seed * 100'000'000 + game);
        if (maker.files.positions() >= file_positions) write();
    }
    write();
    std::fprintf(stderr, "%s: %zu positions of %llu games\n", name.c_str(), positions,
                 static_cast<unsigned long long>(game));
    return 0;
}
