// What the bindings of guesses and of whole games share, whoever plays them.
#pragma once

#include <string>

#include "bindings.hpp"
#include "guesser.hpp"
#include "player.hpp"

namespace mineproof {

constexpr std::int64_t default_nodes = 1'000'000;  // for one decision

// Settings with an evaluation, which crosses the border by itself and may be missing.
inline GuessSettings joined(GuessSettings settings, const Evaluation* evaluation) {
    settings.evaluation = evaluation;
    return settings;
}

// A chance as Python sees it; less than 0 stands for none.
inline nb::object or_none(double value) {
    return value < 0 ? nb::object(nb::none()) : nb::float_(value);
}

// The games of boards that stand one after the other, one byte a cell: a list of (result,
// guesses, moves, milliseconds). It is empty if some decision takes too much work.
nb::list play_boards(Player& player, int rows, int columns, int mines, const nb::bytes& boards,
                     std::int64_t first);

// Boards that consecutive seeds deal, checked.
class Deals {
public:
    Deals(int rows, int columns, int mines, const std::string& start, std::int64_t first,
          std::uint64_t seed, std::int64_t games);

    std::int64_t games() const { return games_; }
    GameResult play(Player& player, std::int64_t number) const;

private:
    Grid grid_;
    int mines_;
    Start start_;
    int first_;
    std::uint64_t seed_;
    std::int64_t games_;
};

}  // namespace mineproof
