#include "games.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>

#include "position.hpp"

namespace mineproof {
namespace {

constexpr std::int64_t max_games = 10'000'000;  // per call; takes some minutes
constexpr std::int64_t max_traced = 2'000'000;
constexpr const char* first_expected = "expected a first cell on the board";

void check_board(std::span<const std::uint8_t> mined, int mines) {
    int found = 0;
    for (std::uint8_t byte : mined) {
        if (byte > 1) throw std::invalid_argument("expected bytes 0 and 1 in a board");
        found += byte;
    }
    if (found != mines) throw std::invalid_argument("expected as many mines as stated");
}

void check(const Deals& deals) {
    checked_cell(deals.grid, deals.first, first_expected);
    if (deals.games < 0 || deals.games > max_games)
        throw std::invalid_argument("expected 0 to 10000000 games");
}

BoardDealer dealer_of(const Deals& deals) {
    return {deals.grid, deals.mines, deals.start, deals.first};
}

GameResult play(Player& player, const Deals& deals, BoardDealer& dealer, std::int64_t number) {
    const auto& board = dealer.deal(deals.seed + static_cast<std::uint64_t>(number), 0);
    return player.play(deals.grid, deals.mines, board.data(), static_cast<int>(deals.first));
}

// Records facts about its last guess, and the time of its slowest one.
class WatchedPlayer final : public Player {
public:
    using Player::Player;

    GameTrace watch(const Deals& deals, BoardDealer& dealer, std::int64_t number) {
        trace_ = {};
        const double before = cpu_seconds();
        const GameResult game = mineproof::play(*this, deals, dealer, number);
        trace_.milliseconds = static_cast<float>((cpu_seconds() - before) * 1e3);
        trace_.result = static_cast<std::uint32_t>(game.result);
        trace_.guesses = static_cast<std::uint32_t>(game.guesses);
        trace_.moves = static_cast<std::uint32_t>(game.moves);
        return trace_;
    }

private:
    Decision decide() override {
        const Field& field = solver_.field;
        trace_.hidden = static_cast<std::uint32_t>(field.unknown_cells + field.known_mines);
        const double before = cpu_seconds();
        const Decision decision = Player::decide();
        const double took = (cpu_seconds() - before) * 1e3;
        trace_.slowest = std::max(trace_.slowest, static_cast<float>(took));
        trace_.log_layouts = static_cast<float>(decision.log_layouts);
        trace_.safety = static_cast<float>(decision.guess.safety);
        return decision;
    }

    GameTrace trace_{};
};

}  // namespace

double cpu_seconds() {
#ifdef __wasm__  // has only wall-clock time
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
#elif defined(CLOCK_THREAD_CPUTIME_ID)
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
#else
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

bool play_boards(const Grid& grid, int mines, std::span<const std::uint8_t> boards,
                 std::int64_t first, const GuessSettings& settings, std::int64_t nodes,
                 const Poll& poll, Held<PlayedGame>& games) {
    Limits::checked(nodes);
    const int cell = checked_cell(grid, first, first_expected);
    const auto cells = static_cast<std::size_t>(grid.cells());
    if (boards.size() % cells != 0) throw std::invalid_argument("expected whole boards");
    for (std::size_t at = 0; at < boards.size(); at += cells)
        check_board(boards.subspan(at, cells), mines);
    const HeldScope bound(Limits().memory);
    Player player(settings, nodes, poll);
    try {
        double before = cpu_seconds() * 1e3;
        for (std::size_t at = 0; at < boards.size(); at += cells) {
            const GameResult game = player.play(grid, mines, &boards[at], cell);
            const double after = cpu_seconds() * 1e3;
            games.push_back({game, after - before});
            before = after;
        }
    } catch (const WorkLimit&) {
        games.clear();
        return false;
    }
    return true;
}

Tally tally_games(const Deals& deals, const GuessSettings& settings, std::int64_t nodes,
                  const Poll& poll) {
    check(deals);
    Limits::checked(nodes);
    const HeldScope bound(Limits().memory);
    Player player(settings, nodes, poll);
    BoardDealer dealer = dealer_of(deals);
    Tally tally;
    for (std::int64_t i = 0; i < deals.games; ++i) {
        const GameResult game = play(player, deals, dealer, i);
        tally.won += game.result == Result::win;
        tally.lost += game.result == Result::loss;
        tally.stuck += game.result == Result::stuck;
        tally.guesses += game.guesses;
        tally.moves += game.moves;
        tally.opened += game.opened;
        tally.proofs += game.proofs;
        tally.false_proofs += game.false_proofs;
    }
    return tally;
}

Held<GameTrace> trace_games(const Deals& deals, const GuessSettings& settings,
                                   std::int64_t nodes, const Poll& poll) {
    check(deals);
    Limits::checked(nodes);
    if (deals.games > max_traced) throw std::invalid_argument("expected 0 to 2000000 games");
    const HeldScope bound(Limits().memory);
    WatchedPlayer player(settings, nodes, poll);
    BoardDealer dealer = dealer_of(deals);
    Held<GameTrace> traces;
    for (std::int64_t i = 0; i < deals.games; ++i)
        traces.push_back(player.watch(deals, dealer, i));
    return traces;
}

}  // namespace mineproof
