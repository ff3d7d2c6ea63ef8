// Shared code of all questions: kept objects, limits and settings.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "../deep.hpp"
#include "../no_guess.hpp"
#include "../shared_position.hpp"
#include "flat.hpp"

// Called regularly during playouts. JavaScript decides whether to continue.
extern "C" __attribute__((import_module("mineproof"), import_name("goes_on"))) int goes_on();

namespace mineproof {

// Objects kept for the host have numbers, which are never reused.
inline std::uint32_t last_number = 0;

template <class Thing>
class Shelf {
public:
    std::uint32_t keep(std::shared_ptr<Thing> thing) {
        things_.emplace(++last_number, std::move(thing));
        return last_number;
    }
    const std::shared_ptr<Thing>& at(std::uint32_t number) const {
        const auto found = things_.find(number);
        if (found == things_.end()) throw std::invalid_argument("expected the number of a kept object");
        return found->second;
    }
    void drop(std::uint32_t number) { things_.erase(number); }

private:
    std::map<std::uint32_t, std::shared_ptr<Thing>> things_;
};

struct KeptDealer {
    KeptDealer(const Grid& board, int mines, std::int64_t first, const Limits& limits)
        : grid(board), dealer(board, mines, first, limits.nodes, {}) {}

    Grid grid;
    NoGuessDealer dealer;
};

inline Shelf<SharedPosition> positions;
inline Shelf<const Evaluation> evaluations;
inline Shelf<KeptDealer> dealers;

inline Limits read_limits(Reader& in) {
    const auto nodes = in.read<std::int64_t>();
    const bool has_seconds = in.yes();
    const auto seconds = in.read<double>();
    const bool has_bytes = in.yes();
    const auto bytes = in.read<std::int64_t>();
    return Limits::checked(nodes, has_seconds ? std::optional(seconds) : std::nullopt,
                           has_bytes ? std::optional(bytes) : std::nullopt);
}

inline GuessSettings read_settings(Reader& in) {
    GuessSettings settings;
    settings.endgame_layouts = in.read<double>();
    settings.endgame_cells = in.read<std::int32_t>();
    settings.layouts = in.read<std::int32_t>();
    settings.endgame_work = in.read<std::int64_t>();
    settings.look_work = in.read<std::int64_t>();
    settings.reach = in.read<double>();
    settings.inner_reach = in.read<double>();
    settings.margin = in.read<double>();
    settings.finalists = in.read<std::int32_t>();
    const auto evaluation = in.read<std::uint32_t>();
    if (evaluation != 0) settings.evaluation = evaluations.at(evaluation);
    settings.check();
    return settings;
}

inline GuessSettings read_settings_or_safest(Reader& in) {
    return in.yes() ? read_settings(in) : GuessSettings::safest();
}

inline DeepSettings read_deep_settings(Reader& in) {
    DeepSettings settings;
    for (GuessSettings* each :
         {&settings.fast, &settings.wide, &settings.endgame, &settings.playout})
        *each = read_settings(in);
    settings.candidates = in.read<std::int32_t>();
    settings.doubt = in.read<double>();
    settings.check();
    return settings;
}

// There is only one thread. Results do not depend on the number of cores.
inline PlayoutRun read_run(Reader& in) {
    PlayoutRun run;
    run.playouts = in.read<std::int64_t>();
    run.seconds = in.read<double>();
    run.seed = in.read<std::uint64_t>();
    run.cores = in.read<std::int32_t>();
    if (in.yes()) run.goes_on = [] { return goes_on() != 0; };
    run.check();
    run.cores = 1;
    return run;
}

inline std::shared_ptr<SharedPosition> read_position(Reader& in) {
    return positions.at(in.read<std::uint32_t>());
}

}  // namespace mineproof
