#include "solved_position.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "sample.hpp"

namespace mineproof {
namespace {

// Used solvers keep their memory for the next position, unless it is large.
constexpr std::size_t kept_solvers = 4;
constexpr int kept_cells = 10'000;
constexpr std::int64_t kept_nodes = 20'000;
constexpr int max_listed = 20'000;  // a chart of this many layouts takes 50 MB

Held<std::unique_ptr<Solver>>& spare_solvers() {
    static thread_local Held<std::unique_ptr<Solver>> spare;
    return spare;
}

std::unique_ptr<Solver> take_solver(const Grid& grid) {
    auto& spare = spare_solvers();
    if (spare.empty() || grid.cells() > kept_cells) return std::make_unique<Solver>();
    std::unique_ptr<Solver> solver = std::move(spare.back());
    spare.pop_back();
    return solver;
}

// Checks that no clue exceeds its number of neighbours. Other clue rules notice this themselves,
// but a cautious clue only limits its mines from above.
bool clues_fit(const Field& field) {
    const Grid& grid = field.grid();
    for (int cell = 0; cell < grid.cells(); ++cell) {
        const int place = grid.place(cell);
        if (field.is_clue(place) && field.code[place] > grid.degree(place)) return false;
    }
    return true;
}

void write_results(const Solver& solver, Held<double>& risk, Held<Verdict>& verdict) {
    const Field& field = solver.field;
    const Grid& grid = field.grid();
    const auto cells = static_cast<std::size_t>(grid.cells());
    const double inside = solver.interior_risk();
    risk.assign(cells, std::numeric_limits<double>::quiet_NaN());
    verdict.assign(cells, Verdict::open);
    for (int row = 0, cell = 0; row < grid.rows; ++row) {
        const int first = grid.first_place(row);
        for (int column = 0; column < grid.columns; ++column, ++cell) {
            const int place = first + column;
            if (field.code[place] != unopened) continue;
            if (field.known[place] == Known::unknown) {  // the frontier is overwritten below
                risk[cell] = inside;
                verdict[cell] = solver.interior_verdict();
            } else {
                const bool mine = field.known[place] == Known::mine;
                risk[cell] = mine ? 1.0 : 0.0;
                verdict[cell] = mine ? Verdict::mined : Verdict::safe;
            }
        }
    }
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (int box = 0; box < component.problem.box_count(); ++box)
            for (int place : component.places.cells_of(box)) {
                const int cell = grid.cell(place);
                risk[cell] = component.risk[box];
                verdict[cell] = component.verdict[box];
            }
    }
}

}  // namespace

SolvedPosition::SolvedPosition(Position position, Budget& budget)
    : position_(std::move(position)), solver_(take_solver(position_.grid)) {
    try {
        if (!solve(budget)) status_ = Status::contradiction;
        if (status_ == Status::solved) write_results(*solver_, risk_, verdict_);
    } catch (const WorkLimit& limit) {
        status_ = Status::limit;
        bound_ = limit.bound;
    }
    nodes_ = budget.used();
    if (status_ == Status::limit) solver_ = nullptr;  // frees memory that is no longer needed
    if (status_ != Status::solved) return;
    for (std::size_t cell = 0; cell < verdict_.size() && !proves_mines_; ++cell)
        proves_mines_ = verdict_[cell] == Verdict::mined &&
                        solver_->field.is_unknown(position_.grid.place(static_cast<int>(cell)));
}

SolvedPosition::~SolvedPosition() {
    const HeldScope unbounded;
    const bool is_small = position_.grid.cells() <= kept_cells && nodes_ <= kept_nodes;
    const bool is_fit = state_ != State::broken || status_ == Status::contradiction;
    if (is_fit && is_small && spare_solvers().size() < kept_solvers)
        spare_solvers().push_back(std::move(solver_));
}

bool SolvedPosition::solve(Budget& budget) {
    state_ = State::broken;
    solver_->field.load(position_.grid, position_.clues, position_.shown.data());
    solver_->begin();
    if (position_.clues == ClueKind::cautious && !clues_fit(solver_->field)) return false;
    if (!solver_->update(budget) || !solver_->weigh(position_.prior, budget)) return false;
    state_ = State::weighed;
    return true;
}

void SolvedPosition::forget() {
    const HeldScope unbounded;  // must not fail when the memory limit is reached
    solver_ = std::make_unique<Solver>();
    state_ = State::broken;
}

// Brings the solver into a state. It counts as broken until the caller sets the new state, so that
// a question that ends with an exception leaves nothing that others would trust.
void SolvedPosition::settle(State wanted, Budget& budget) {
    const State before = std::exchange(state_, State::broken);
    if (before == State::with_mines && (wanted == before || !proves_mines_)) {
        if (wanted != State::counted) solver_->weigh(position_.prior, budget);
        return;
    }
    Budget as_before;  // it was solved before, so solving again takes no more work
    if (before == State::broken || before == State::with_mines)
        solve(as_before);
    else if (before == State::counted && wanted != State::counted)
        solver_->weigh(position_.prior, budget);
    state_ = State::broken;
    if (wanted != State::with_mines || !proves_mines_) return;
    solver_->take_verdicts();
    solver_->update(budget);
    solver_->weigh(position_.prior, budget);
}

void SolvedPosition::check_solved() const {
    if (status_ != Status::solved)
        throw std::invalid_argument("expected a position that has layouts");
}

void SolvedPosition::check_unopened(int cell) const {
    if (cell < 0 || cell >= position_.grid.cells() || position_.shown[cell] != unopened)
        throw std::invalid_argument("expected an unopened cell");
}

void SolvedPosition::check_endgame() const {
    if (position_.clues != ClueKind::exact || position_.prior.kind != Prior::Kind::known)
        throw std::invalid_argument("expected exact clues and a known number of mines");
}

void SolvedPosition::check_guess() const {
    if (position_.clues != ClueKind::exact) throw std::invalid_argument("expected exact clues");
    if (std::find(verdict_.begin(), verdict_.end(), Verdict::safe) != verdict_.end())
        throw std::invalid_argument("expected a position in which no cell is proved safe");
}

SolvedPosition::Layouts SolvedPosition::layouts(Budget& budget) {
    settle(State::counted, budget);
    Layouts all{{}, solver_->field.known_mines, solver_->field.interior_cells};
    for (int number = 0; number < solver_->component_count(); ++number)
        all.components.push_back(solver_->component(number).exact_terms(budget));
    state_ = State::counted;
    return all;
}

// Opens the cell with its clue left open. The remaining layouts are those in which it is safe,
// classified by the clue.
std::array<double, 9> SolvedPosition::values(int cell, Budget& budget) {
    check_unopened(cell);
    std::array<double, 9> values{};
    const double safety = 1 - risk_[cell];
    if (safety <= 0) return values;
    settle(State::counted, budget);
    const Field& field = solver_->field;
    const int place = field.grid().place(cell);
    const int known = field.mines(place);
    if (field.unknown(place) == 0) {
        values[known] = safety;
    } else {
        Retracting retracting(*solver_);
        retracting.add();
        const int number = solver_->ask(place, budget);
        if (solver_->weigh(position_.prior, budget)) {
            const Component& component = solver_->component(number);
            const auto weights = component.answer_weights(solver_->mixture(), number);
            Scaled all;
            for (const Scaled& weight : weights) all += weight;
            for (std::size_t i = 0; i < weights.size(); ++i)
                values[known + component.lattice.answers[i]] =
                    (weights[i] / all).value() * safety;
        }
    }
    state_ = State::counted;
    return values;
}

std::optional<SolvedPosition::Results> SolvedPosition::suppose(std::span<const Shown> clues,
                                                               Budget& budget) {
    std::set<int> cells;
    for (const auto [cell, clue] : clues) {
        check_unopened(cell);
        if (clue < 0 || clue > 8) throw std::invalid_argument("expected clues from 0 to 8");
        if (!cells.insert(cell).second) throw std::invalid_argument("expected distinct cells");
    }
    settle(State::counted, budget);
    std::optional<Results> results(std::in_place);
    {
        Retracting retracting(*solver_);
        const Field& field = solver_->field;
        for (const auto [cell, clue] : clues) {
            const int place = field.grid().place(cell);
            const bool can_be = field.known[place] != Known::mine &&
                                clue <= field.grid().degree(place);
            if (can_be) retracting.add();
            if (!can_be || !solver_->suppose(place, static_cast<std::uint8_t>(clue), budget)) {
                results.reset();
                break;
            }
        }
        if (results && !solver_->weigh(position_.prior, budget)) results.reset();
        if (results) write_results(*solver_, results->risk, results->verdict);
    }
    state_ = State::counted;
    return results;
}

Held<std::uint8_t> SolvedPosition::sample(std::uint64_t seed, Budget& budget) {
    settle(State::weighed, budget);
    Held<std::uint8_t> mined(position_.shown.size());
    Stream stream(seed, Purpose::sample);
    draw_layout(*solver_, stream, mined.data());
    state_ = State::weighed;
    return mined;
}

Winning SolvedPosition::win_chances(int layouts, bool moves, Budget& budget) {
    check_endgame();
    if (layouts < 1 || layouts > max_listed)
        throw std::invalid_argument("expected 1 to 20000 layouts");
    Budget as_before;
    settle(State::weighed, as_before);
    const int left = position_.prior.low - solver_->field.known_mines;
    const Winning found = BestPlay().solve(*solver_, left, layouts, moves, budget);
    state_ = State::weighed;
    return found;
}

Held<double> SolvedPosition::wins_by_cell(const Winning& winning) const {
    Held<double> wins(position_.shown.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Winning::Move& move : winning.moves)
        wins[position_.grid.cell(move.place)] = move.win;
    return wins;
}

SolvedPosition::Chosen SolvedPosition::guess(const GuessSettings& settings, Budget& budget) {
    check_guess();
    settle(State::with_mines, budget);
    Guesser guesser(settings);
    const Guess guess = guesser.choose(*solver_, position_.prior, budget);
    state_ = State::with_mines;
    return {guess, guesser.candidates()};
}

// Each thread has its own solver, which needs the proved mines.
Position SolvedPosition::with_proved_mines() const {
    Position with_mines = position_;
    for (std::size_t cell = 0; cell < verdict_.size(); ++cell)
        if (verdict_[cell] == Verdict::mined) with_mines.shown[cell] = exploded;
    return with_mines;
}

DeepGuess SolvedPosition::guess_deep(const DeepSettings& settings, const PlayoutRun& run,
                                     Budget& budget) {
    check_endgame();
    check_guess();
    settings.check();
    run.check();
    const Clock::time_point start = Clock::now();
    settle(State::with_mines, budget);
    DeepGuess found = choose_deep(*solver_, with_proved_mines(), settings, run, start, budget);
    state_ = State::with_mines;
    return found;
}

Held<Held<double>> SolvedPosition::play_layouts(std::span<const int> cells,
                                                              const GuessSettings& policy,
                                                              const PlayoutRun& run) const {
    check_endgame();
    run.check();
    Held<PlayoutThreads::Entry> entries;
    for (int cell : cells) {
        check_unopened(cell);
        if (verdict_[cell] == Verdict::mined)
            throw std::invalid_argument("expected unopened cells that can be safe");
        entries.push_back({position_.grid.place(cell), 1 - risk_[cell]});
    }
    const Clock::time_point deadline = after(Clock::now(), run.seconds);
    const Position with_mines = with_proved_mines();
    PlayoutThreads threads(with_mines, policy, run, deadline);
    Held<Held<double>> all;
    for (PlayoutThreads::Row& row : threads.play(entries, run.playouts))
        all.push_back(std::move(row.results));
    return all;
}

}  // namespace mineproof
