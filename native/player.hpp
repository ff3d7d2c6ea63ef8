// Whole games inside the core.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "guesser.hpp"
#include "held.hpp"
#include "random.hpp"
#include "solver.hpp"

namespace mineproof {

enum class Result : std::uint8_t { win, loss, stuck };

struct GameResult {
    Result result;
    int guesses;
    int moves;
    int opened;  // safe cells opened, including those by flood
    int proofs;  // cells called proved, each checked against the board
    int false_proofs;
};

struct Decision {
    Guess guess;
    double log_layouts = 0;  // of all layouts that fit the position
};

// A cache of decisions at the start of games, where the same positions come up again and again.
class Decisions {
public:
    void clear() { known_.clear(); }

    // Switches to the position with these cells open, in addition to those that are open in all
    // positions. Returns the stored decision, or nullptr.
    const Decision* find(const Field& field, const Held<int>& opened) {
        key_.clear();
        if (opened.size() > most_cells) return nullptr;
        for (int place : opened) key_.push_back(place * values + field.code[place]);
        std::sort(key_.begin(), key_.end());
        const auto found = known_.find(key_);
        return found == known_.end() ? nullptr : &found->second;
    }

    // Stores the decision for that position, unless it has too many open cells to come up again.
    void keep(const Decision& decision) {
        if (!key_.empty() && known_.size() < most_known) known_.emplace(key_, decision);
    }

private:
    static constexpr int values = 16;  // more than the number of codes for open cells
    static constexpr std::size_t most_cells = 40;  // with more cells, positions hardly repeat
    static constexpr std::size_t most_known = 20'000;  // about 0.2 kB each

    using Key = Held<int>;
    struct Hash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t value = 0;
            for (int part : key) value = mix(value + golden + static_cast<std::uint64_t>(part));
            return static_cast<std::size_t>(value);
        }
    };
    std::unordered_map<Key, Decision, Hash, std::equal_to<>,
                       HeldAllocator<std::pair<const Key, Decision>>>
        known_;
    Key key_;
};

// Plays games move by move, as the agents `exact` and `champion` do. It opens proved cells in row
// order, reads clues again only when none is left, and guesses only if then nothing is proved.
class Player {
public:
    // `nodes` limits the work of one decision. `poll` is called regularly.
    Player(const GuessSettings& settings, std::int64_t nodes, Poll poll = {})
        : guesser_(settings), nodes_(nodes), poll_(std::move(poll)) {}
    virtual ~Player() = default;
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    // `mined` has one byte per cell. The first cell is opened for the player.
    GameResult play(const Grid& grid, int mines, const std::uint8_t* mined, int first);
    // Returns whether the game is won without a guess. It stops when a guess is needed.
    bool proves(const Grid& grid, int mines, const std::uint8_t* mined, int first);
    // Returns what the last game shows: one code per cell, in row order.
    Held<std::uint8_t> shown() const { return solver_.field.grid().unpad(solver_.field.code); }

protected:
    // Chooses a guess when nothing is proved, from the cache if it was decided before.
    virtual Decision decide();

    // Loads the mines of a board.
    void deal(const std::uint8_t* mined);
    // Opens everything that is proved, repeatedly. Returns true if a guess is needed, false if
    // every safe cell is open or a proof was false.
    bool exhaust();
    // Opens a cell, and by flood the neighbours of a 0. Returns false if it is a mine.
    bool open(int place);
    bool is_mined(int place) const { return mined_[place] != 0; }

    Grid grid_;
    Prior prior_ = Prior::known(0);
    Solver solver_;
    Guesser guesser_;
    Decisions decisions_;  // for this grid, number of mines, and cells open at the start
    Held<int> opened_;     // places, since the start
    Budget budget_;        // of the current decision
    int safe_left_ = 0;
    bool any_order_ = false;  // proved cells may be opened in any order

private:
    Result run();
    // Opens the cells proved safe. Returns false if one was a mine, which ends the game.
    bool open_proved();
    // Checks the cells that were called mines, at the end of a game.
    void check_mines();
    // Loads a board and opens the first cell. Returns false if it is a mine.
    bool begin(const Grid& grid, int mines, const std::uint8_t* mined, int first);

    std::int64_t nodes_;
    Poll poll_;
    std::int64_t steps_ = 0;
    Held<std::uint8_t> mined_, truth_, scratch_;  // by place: the board, its clues
    Held<int> batch_, flood_;
    int guesses_ = 0;
    int moves_ = 0;
    int proofs_ = 0;
    int false_proofs_ = 0;
};

}  // namespace mineproof
