// Whole games of the agent `champion`, inside the core.
#pragma once

#include "guesser.hpp"
#include "player.hpp"

namespace mineproof {

class ChampionPlayer : public Player {
public:
    ChampionPlayer(const GuessSettings& settings, std::int64_t nodes, Poll poll = {})
        : Player(nodes, std::move(poll)), guesser_(settings) {}

protected:
    int guess(const Prior& prior, Budget& budget) override {
        return guesser_.choose(solver_, prior, budget).place;
    }
    Guesser guesser_;
};

}  // namespace mineproof
