// The agent `champion` for Python: single guesses and whole games.
#include <nanobind/stl/string.h>

#include <vector>

#include "bindings_play.hpp"
#include "champion.hpp"
#include "posterior.hpp"

namespace mineproof {
namespace {

constexpr int max_layouts = 100'000;
constexpr int max_listed = 100'000'000;  // layouts x cells, in bytes
constexpr std::int64_t max_simulated = 2'000'000;

void make_settings(GuessSettings* place, double endgame_layouts, int endgame_cells, int layouts,
                   std::int64_t endgame_work, std::int64_t look_work, double reach,
                   double inner_reach, double margin, int finalists) {
    if (!(endgame_layouts >= 0 && endgame_layouts <= 1e300))
        throw std::invalid_argument("expected a number of layouts from 0 on");
    if (layouts < 0 || layouts > max_layouts || endgame_cells < 0 ||
        std::int64_t{layouts} * endgame_cells > max_listed)
        throw std::invalid_argument(
            "expected 0 to 100000 layouts, and at most 100000000 layouts x cells");
    if (endgame_work < 0 || look_work < 0)
        throw std::invalid_argument("expected an amount of work from 0 on");
    if (!(reach >= 0 && reach <= 1 && inner_reach >= 0 && inner_reach <= 1))
        throw std::invalid_argument("expected a reach from 0 to 1");
    if (!(margin >= 0 && margin <= 1)) throw std::invalid_argument("expected a margin from 0 to 1");
    if (finalists < 0) throw std::invalid_argument("expected a number of finalists from 0 on");
    new (place) GuessSettings{endgame_layouts, endgame_cells, layouts, endgame_work, look_work,
                              reach,           inner_reach,   margin,  finalists,    nullptr};
}

void make_evaluation(Evaluation* place, const nb::bytes& data) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(data.c_str());
    new (place) Evaluation(std::span(bytes, data.size()));
}

nb::list play_champion(int rows, int columns, int mines, const nb::bytes& boards,
                       std::int64_t first, const GuessSettings& settings,
                       const Evaluation* evaluation, std::int64_t nodes) {
    ChampionPlayer player(joined(settings, evaluation), checked_nodes(nodes), Patience());
    return play_boards(player, rows, columns, mines, boards, first);
}

// What is kept of a simulated game, as it crosses the border.
struct GameTrace {
    std::uint32_t result;
    std::uint32_t guesses;
    std::uint32_t moves;
    std::uint32_t hidden;  // unopened cells at the last guess, then its layouts and safety
    float log_layouts;
    float safety;
    float milliseconds;
    float slowest;  // guess, in milliseconds
};
static_assert(sizeof(GameTrace) == 32);

class WatchedChampion final : public ChampionPlayer {
public:
    using ChampionPlayer::ChampionPlayer;

    GameTrace watch(const Deals& deals, std::int64_t number) {
        trace_ = {};
        const double before = cpu_seconds();
        const GameResult game = deals.play(*this, number);
        trace_.milliseconds = static_cast<float>((cpu_seconds() - before) * 1e3);
        trace_.result = static_cast<std::uint32_t>(game.result);
        trace_.guesses = static_cast<std::uint32_t>(game.guesses);
        trace_.moves = static_cast<std::uint32_t>(game.moves);
        return trace_;
    }

private:
    int guess(const Prior& prior, Budget& budget) override {
        const Field& field = solver_.field;
        trace_.hidden = static_cast<std::uint32_t>(field.unknown_cells + field.known_mines);
        trace_.log_layouts = static_cast<float>(solver_.mixture().log_layouts());
        const double before = cpu_seconds();
        const Guesser::Choice choice = guesser_.choose(solver_, prior, budget);
        const double took = (cpu_seconds() - before) * 1e3;
        trace_.slowest = std::max(trace_.slowest, static_cast<float>(took));
        trace_.safety = static_cast<float>(choice.safety);
        return choice.place;
    }

    GameTrace trace_{};
};

nb::bytes simulate_champion(int rows, int columns, int mines, const std::string& start,
                            std::int64_t first, std::uint64_t seed, std::int64_t games,
                            const GuessSettings& settings, const Evaluation* evaluation,
                            std::int64_t nodes) {
    if (games > max_simulated) throw std::invalid_argument("expected 0 to 2000000 games");
    const Deals deals(rows, columns, mines, start, first, seed, games);
    WatchedChampion player(joined(settings, evaluation), checked_nodes(nodes), Patience());
    std::vector<GameTrace> traces;
    {
        nb::gil_scoped_release unlocked;
        for (std::int64_t i = 0; i < games; ++i) traces.push_back(player.watch(deals, i));
    }
    return nb::bytes(reinterpret_cast<const char*>(traces.data()),
                     traces.size() * sizeof(GameTrace));
}

// (cell, win, exact, [(cell, safety, next safety, survival, win), ..]), or None: no cell is left.
nb::object to_answer(const Grid& grid, const Guesser::Choice& choice,
                     const std::vector<GuessCandidate>& candidates) {
    if (choice.place < 0) return nb::none();
    nb::list found;
    for (const GuessCandidate& each : candidates)
        found.append(nb::make_tuple(grid.cell(each.place), each.safety, each.outlook.next,
                                    each.survival, or_none(each.win)));
    return nb::make_tuple(grid.cell(choice.place), or_none(choice.win), choice.exact, found);
}

nb::object guess(int rows, int columns, const nb::bytes& shown, const std::string& prior,
                 double low, double high, const GuessSettings& settings,
                 const Evaluation* evaluation, std::int64_t nodes) {
    const Grid grid = checked_grid(rows, columns);
    const std::uint8_t* codes = checked_codes(grid, shown);
    const Prior weights = checked_prior(prior, low, high);
    const Poll poll = Patience();
    Budget budget(checked_nodes(nodes), poll);
    Solver solver;
    Guesser guesser(joined(settings, evaluation));
    Guesser::Choice choice;
    {
        nb::gil_scoped_release unlocked;
        if (!solve(solver, grid, ClueKind::exact, codes, weights, budget))
            throw std::invalid_argument("expected a position that has layouts");
        solver.take_verdicts();
        if (!solver.field.proved_safe.empty())
            throw std::invalid_argument("expected a position in which no cell is proved safe");
        solver.update(budget);
        solver.weigh(weights, budget);
        choice = guesser.choose(solver, weights, budget);
    }
    return to_answer(grid, choice, guesser.candidates());
}

void bind_settings(nb::module_& module) {
    const GuessSettings usual;
    nb::class_<GuessSettings>(module, "GuessSettings", "How a guess is chosen.")
        .def("__init__", &make_settings, nb::arg("endgame_layouts") = usual.endgame_layouts,
             nb::arg("endgame_cells") = usual.endgame_cells, nb::arg("layouts") = usual.layouts,
             nb::arg("endgame_work") = usual.endgame_work, nb::arg("look_work") = usual.look_work,
             nb::arg("reach") = usual.reach, nb::arg("inner_reach") = usual.inner_reach,
             nb::arg("margin") = usual.margin, nb::arg("finalists") = usual.finalists,
             "Check and keep the settings.")
        .def_ro("endgame_layouts", &GuessSettings::endgame_layouts)
        .def_ro("endgame_cells", &GuessSettings::endgame_cells)
        .def_ro("layouts", &GuessSettings::layouts)
        .def_ro("endgame_work", &GuessSettings::endgame_work)
        .def_ro("look_work", &GuessSettings::look_work)
        .def_ro("reach", &GuessSettings::reach)
        .def_ro("inner_reach", &GuessSettings::inner_reach)
        .def_ro("margin", &GuessSettings::margin)
        .def_ro("finalists", &GuessSettings::finalists);
    nb::class_<Evaluation>(module, "Evaluation", "A trained estimate of the chance to win.")
        .def("__init__", &make_evaluation, nb::arg("data"), "Read the weights.");
}

}  // namespace

void bind_champion(nb::module_& module) {
    bind_settings(module);
    module.def("play_champion", &play_champion, nb::arg("rows"), nb::arg("columns"),
               nb::arg("mines"), nb::arg("boards"), nb::arg("first"), nb::arg("settings"),
               nb::arg("evaluation").none() = nb::none(), nb::arg("nodes") = default_nodes,
               "Play boards as the agent champion does: (result, guesses, moves, milliseconds) "
               "for each. Empty if some decision needs more nodes.");
    module.def("simulate_champion", &simulate_champion, nb::arg("rows"), nb::arg("columns"),
               nb::arg("mines"), nb::arg("start"), nb::arg("first"), nb::arg("seed"),
               nb::arg("games"), nb::arg("settings"), nb::arg("evaluation").none() = nb::none(),
               nb::arg("nodes") = default_nodes,
               "Deal and play the boards of consecutive seeds; 32 bytes a game.");
    module.def("guess", &guess, nb::arg("rows"), nb::arg("columns"), nb::arg("shown"),
               nb::arg("prior"), nb::arg("low"), nb::arg("high"), nb::arg("settings"),
               nb::arg("evaluation").none() = nb::none(), nb::arg("nodes") = default_nodes,
               "Choose a guess where nothing is proved safe: (cell, win, exact, candidates).");
}

}  // namespace mineproof
