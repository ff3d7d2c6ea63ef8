// The core as WebAssembly: the twin of bindings.cpp, with flat bytes instead of Python objects.
//
// Write a question to `room(size)`, then call the function of its name with the size. It returns a
// status and leaves `answer_size()` bytes at `answer()`: the answer, or an error message if the
// status is not `done`. Malformed questions return an error and never cause a trap.
// src/mineproof/wasm writes and reads these bytes.
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "../games.hpp"
#include "../shared_position.hpp"
#include "../text.hpp"
#include "flat.hpp"
#include "questions.hpp"

namespace mineproof {
namespace {

enum class Outcome { done, refused, work_limit, memory, failed };

const Poll no_signals;
std::vector<std::uint8_t> question_bytes, answer_bytes;

Outcome say(Outcome outcome, std::string_view message) noexcept {
    try {
        answer_bytes.assign(message.begin(), message.end());
    } catch (const std::exception&) {
        answer_bytes.clear();
    }
    return outcome;
}

// A question may call the host, which may then ask another one, so each question owns its bytes.
template <class Question>
Outcome answer(std::uint32_t size, Question question) noexcept {
    try {
        const std::vector<std::uint8_t> bytes = std::exchange(question_bytes, {});
        if (size > bytes.size()) throw std::invalid_argument("the question does not fit");
        Reader in({bytes.data(), size});
        Writer out;
        question(in, out);
        in.end();
        answer_bytes = std::move(out.bytes);
        return Outcome::done;
    } catch (const WorkLimit& error) {
        return say(Outcome::work_limit, error.what());
    } catch (const std::invalid_argument& error) {
        return say(Outcome::refused, error.what());
    } catch (const std::bad_alloc&) {
        return say(Outcome::memory, "expected more memory");
    } catch (const std::length_error&) {
        return say(Outcome::memory, "expected more memory");
    } catch (const std::exception& error) {
        return say(Outcome::failed, error.what());
    } catch (...) {
        return say(Outcome::failed, "the core failed");
    }
}

template <class Question>
auto ask(SharedPosition& position, const Limits& limits, Question question) {
    return position.ask(limits, no_signals, question);
}

// Writes everything that Python may need from a position.
void solve_and_keep(Position position, const Limits& limits, Writer& out) {
    const HeldScope bound(limits.memory);
    Budget budget(limits, no_signals);
    const auto solved = std::make_shared<SharedPosition>(std::move(position), budget);
    const Position& asked = (*solved)->position();
    const bool has_results = (*solved)->status() == Status::solved;
    out.bytes.reserve(64 + 10 * asked.shown.size());
    out.write(positions.keep(solved));
    out.write<std::int32_t>(asked.grid.rows);
    out.write<std::int32_t>(asked.grid.columns);
    out.write<std::int32_t>(asked.prior.low);
    out.write(static_cast<std::int32_t>((*solved)->status()));
    out.write(static_cast<std::int32_t>((*solved)->bound()));
    out.write<std::int64_t>((*solved)->nodes());
    out.yes(has_results);
    out.all(asked.shown);
    if (!has_results) return;
    out.all((*solved)->risks());
    out.all((*solved)->verdicts());
}

void solve(Reader& in, Writer& out) {
    const auto rows = in.read<std::int32_t>(), columns = in.read<std::int32_t>();
    const auto low = in.read<double>(), high = in.read<double>();
    const Limits limits = read_limits(in);
    const auto prior = prior_named(in.text(), low, high);
    const auto clues = in.text();
    solve_and_keep(checked_position(rows, columns, in.bytes(), clues, prior), limits, out);
}

// Writes nothing if the text is not a plain position.
void solve_text(Reader& in, Writer& out) {
    const Limits limits = read_limits(in);
    if (auto position = read_plain_position(in.text()))
        solve_and_keep(std::move(*position), limits, out);
}

void time_text(Reader& in, Writer& out) {
    const auto nodes = in.read<std::int64_t>();
    const auto repeats = in.read<std::int32_t>();
    out.write(time_plain_position(in.text(), nodes, repeats, no_signals));
}

void layouts(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const auto all = ask(*position, read_limits(in),
                         [](auto& asked, Budget& budget) { return asked.layouts(budget); });
    out.write<std::int32_t>(all.fixed);
    out.write<std::int32_t>(all.interior);
    out.count(all.components.size());
    for (const ExactTerms& terms : all.components) {
        out.write<std::int32_t>(terms.low);
        out.write<std::int32_t>(terms.count);
        out.write<std::int32_t>(terms.limbs);
        const auto words = static_cast<std::size_t>(terms.count) * terms.limbs;
        out.all(std::span(terms.words).first(words));
    }
}

void values(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const auto cell = in.read<std::int32_t>();
    out.all(ask(*position, read_limits(in),
                [&](auto& asked, Budget& budget) { return asked.values(cell, budget); }));
}

// Writes nothing if the cells cannot show these clues.
void suppose(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const Limits limits = read_limits(in);
    std::vector<SolvedPosition::Shown> clues(in.count(8));
    for (auto& [cell, clue] : clues) {
        cell = in.read<std::int32_t>();
        clue = in.read<std::int32_t>();
    }
    const auto found = ask(*position, limits, [&](auto& asked, Budget& budget) {
        return asked.suppose(clues, budget);
    });
    if (!found) return;
    out.all(found->risk);
    out.all(found->verdict);
}

void sample(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const auto seed = in.read<std::uint64_t>();
    out.all(ask(*position, {},
                [&](auto& asked, Budget& budget) { return asked.sample(seed, budget); }));
}

void win_chances(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const auto layouts = in.read<std::int32_t>();
    const bool moves = in.yes();
    std::int64_t steps = 0;
    const Winning found = ask(*position, read_limits(in), [&](auto& asked, Budget& budget) {
        Winning winning = asked.win_chances(layouts, moves, budget);
        steps = budget.used();
        return winning;
    });
    out.yes(found.win.has_value());
    out.write(found.win.value_or(0));
    out.yes(found.exact);
    const Grid& grid = (*position)->position().grid;
    out.write<std::int32_t>(found.place < 0 ? -1 : grid.cell(found.place));
    out.write(steps);
    out.all((*position)->wins_by_cell(found));
}

void write_candidates(const Grid& grid, const Held<Candidate>& candidates, Writer& out) {
    for (const Candidate& each : candidates) {
        out.write<std::int32_t>(grid.cell(each.place));
        out.write(each.outlook.next);
        out.write(each.win);
        out.write(each.played);
        out.write(each.error);
        out.write<std::int32_t>(each.playouts);
    }
}

// Writes nothing if no cell is left. A negative number means that a chance is unknown.
void guess(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const GuessSettings settings = read_settings(in);
    const auto [guess, candidates] =
        ask(*position, read_limits(in),
            [&](auto& asked, Budget& budget) { return asked.guess(settings, budget); });
    if (guess.place < 0) return;
    const Grid& grid = (*position)->position().grid;
    out.write<std::int32_t>(grid.cell(guess.place));
    out.yes(guess.exact);
    out.write(guess.win);
    write_candidates(grid, candidates, out);
}

void guess_deep(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const DeepSettings settings = read_deep_settings(in);
    const PlayoutRun run = read_run(in);
    const DeepGuess found = ask(*position, read_limits(in), [&](auto& asked, Budget& budget) {
        return asked.guess_deep(settings, run, budget);
    });
    if (found.candidates.empty()) return;
    const Grid& grid = (*position)->position().grid;
    out.write<std::int32_t>(grid.cell(found.fast));
    out.yes(found.exact);
    write_candidates(grid, found.candidates, out);
}

void play_layouts(Reader& in, Writer& out) {
    const auto position = read_position(in);
    const GuessSettings policy = read_settings(in);
    const PlayoutRun run = read_run(in);
    std::vector<int> cells(in.count(4));
    for (int& cell : cells) cell = in.read<std::int32_t>();
    const auto rows = ask(*position, {}, [&](auto& asked, Budget&) {
        return asked.play_layouts(cells, policy, run);
    });
    out.count(rows.size());
    for (const Held<double>& row : rows) out.all(row);
}

void deal_board(Reader& in, Writer& out) {
    const auto rows = in.read<std::int32_t>(), columns = in.read<std::int32_t>();
    const auto mines = in.read<std::int32_t>();
    const auto first = in.read<std::int64_t>();
    const auto seed = in.read<std::uint64_t>();
    out.all(deal(Grid::checked(rows, columns), mines, start_named(in.text()), first, seed));
}

void keep_dealer(Reader& in, Writer& out) {
    const auto rows = in.read<std::int32_t>(), columns = in.read<std::int32_t>();
    const auto mines = in.read<std::int32_t>();
    const auto first = in.read<std::int64_t>(), nodes = in.read<std::int64_t>();
    out.write(dealers.keep(std::make_shared<KeptDealer>(Grid::checked(rows, columns), mines, first,
                                                        Limits::checked(nodes))));
}

// Writes the board only if one was found.
void find_no_guess(Reader& in, Writer& out) {
    const auto kept = dealers.at(in.read<std::uint32_t>());
    const auto seed = in.read<std::uint64_t>(), begin = in.read<std::uint64_t>();
    const auto end = in.read<std::uint64_t>();
    const std::uint64_t attempt = kept->dealer.find(seed, begin, end);
    out.write(attempt);
    if (attempt < end) out.all(kept->dealer.board());
}

std::span<const std::uint8_t> read_board(Reader& in, const KeptDealer& kept) {
    const auto mined = in.bytes();
    if (mined.size() != static_cast<std::size_t>(kept.grid.cells()))
        throw std::invalid_argument("expected one byte per cell");
    return mined;
}

void is_no_guess(Reader& in, Writer& out) {
    const auto kept = dealers.at(in.read<std::uint32_t>());
    out.yes(kept->dealer.is_no_guess(read_board(in, *kept).data()));
}

void solve_by_proofs(Reader& in, Writer& out) {
    const auto kept = dealers.at(in.read<std::uint32_t>());
    out.all(kept->dealer.solve(read_board(in, *kept).data()));
}

void play_games(Reader& in, Writer& out) {
    const auto rows = in.read<std::int32_t>(), columns = in.read<std::int32_t>();
    const auto mines = in.read<std::int32_t>();
    const auto first = in.read<std::int64_t>(), nodes = in.read<std::int64_t>();
    const GuessSettings settings = read_settings_or_safest(in);
    Held<PlayedGame> games;
    play_boards(Grid::checked(rows, columns), mines, in.bytes(), first, settings, nodes,
                no_signals, games);
    for (const auto& [game, milliseconds] : games) {
        out.write(static_cast<std::int32_t>(game.result));
        out.write<std::int64_t>(game.guesses);
        out.write<std::int64_t>(game.moves);
        out.write(milliseconds);
        out.write<std::int64_t>(game.false_proofs);
    }
}

struct Dealt {
    Deals deals;
    GuessSettings settings;
    std::int64_t nodes;
};

Dealt read_deals(Reader& in) {
    const auto rows = in.read<std::int32_t>(), columns = in.read<std::int32_t>();
    const auto mines = in.read<std::int32_t>();
    const auto first = in.read<std::int64_t>(), nodes = in.read<std::int64_t>();
    const auto seed = in.read<std::uint64_t>();
    const auto games = in.read<std::int64_t>();
    GuessSettings settings = read_settings_or_safest(in);
    return {{Grid::checked(rows, columns), mines, start_named(in.text()), first, seed, games},
            std::move(settings),
            nodes};
}

void tally(Reader& in, Writer& out) {
    const auto [deals, settings, nodes] = read_deals(in);
    const Tally all = tally_games(deals, settings, nodes, no_signals);
    for (std::int64_t number :
         {all.won, all.lost, all.stuck, all.guesses, all.moves, all.opened, all.proofs,
          all.false_proofs})
        out.write(number);
}

void trace(Reader& in, Writer& out) {
    const auto [deals, settings, nodes] = read_deals(in);
    out.all(trace_games(deals, settings, nodes, no_signals));
}

void keep_evaluation(Reader& in, Writer& out) {
    out.write(evaluations.keep(std::make_shared<const Evaluation>(in.bytes())));
}

void check_limits(Reader& in, Writer&) { read_limits(in); }
void check_settings(Reader& in, Writer&) { read_settings(in); }
void check_deep_settings(Reader& in, Writer&) { read_deep_settings(in); }

}  // namespace
}  // namespace mineproof

#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))
#define QUESTION(name, function)                                                     \
    EXPORTED(name) int ask_##name(std::uint32_t size) {                              \
        return static_cast<int>(mineproof::answer(size, mineproof::function));       \
    }

QUESTION(solve, solve)
QUESTION(solve_text, solve_text)
QUESTION(time_text, time_text)
QUESTION(layouts, layouts)
QUESTION(values, values)
QUESTION(suppose, suppose)
QUESTION(sample, sample)
QUESTION(win_chances, win_chances)
QUESTION(guess, guess)
QUESTION(guess_deep, guess_deep)
QUESTION(play_layouts, play_layouts)
QUESTION(deal, deal_board)
QUESTION(no_guess_dealer, keep_dealer)
QUESTION(find_no_guess, find_no_guess)
QUESTION(is_no_guess, is_no_guess)
QUESTION(solve_by_proofs, solve_by_proofs)
QUESTION(play_games, play_games)
QUESTION(tally_games, tally)
QUESTION(trace_games, trace)
QUESTION(evaluation, keep_evaluation)
QUESTION(check_limits, check_limits)
QUESTION(check_settings, check_settings)
QUESTION(check_deep_settings, check_deep_settings)

// Returns null if there is not enough memory.
EXPORTED(room) std::uint8_t* room(std::uint32_t size) {
    try {
        mineproof::question_bytes.resize(size > 0 ? size : 1);
        return mineproof::question_bytes.data();
    } catch (const std::exception&) {
        mineproof::answer_bytes.clear();
        return nullptr;
    }
}
EXPORTED(answer) const std::uint8_t* answer() { return mineproof::answer_bytes.data(); }
EXPORTED(answer_size) std::uint32_t answer_size() {
    return static_cast<std::uint32_t>(mineproof::answer_bytes.size());
}
EXPORTED(drop) void drop(std::uint32_t number) {
    mineproof::positions.drop(number);
    mineproof::evaluations.drop(number);
    mineproof::dealers.drop(number);
}
