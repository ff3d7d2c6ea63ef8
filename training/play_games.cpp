// Plays games with an evaluation and writes one byte per game: 1 for a win. play_games.py compares
// two files with the same seeds. See README.md.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "evaluation.hpp"
#include "games.hpp"

using namespace mineproof;

namespace {

struct Level {
    const char* name;
    int rows, columns, mines;
    Start start;
    int first;
};
constexpr Level levels[] = {
    {"expert", 16, 30, 99, Start::safe, 0},       {"opening", 16, 30, 99, Start::opening, 93},
    {"intermediate", 16, 16, 40, Start::safe, 0}, {"beginner", 9, 9, 10, Start::safe, 0},
};
constexpr std::int64_t nodes = 100'000'000, at_once = 10'000;

std::shared_ptr<const Evaluation> read_evaluation(const char* file) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<std::uint8_t> data(std::istreambuf_iterator<char>(in), {});
    return std::make_shared<const Evaluation>(data);
}

}  // namespace

int main(int count, char** arguments) {
    const Level* level = nullptr;
    for (const Level& each : levels)
        if (count == 6 && std::strcmp(each.name, arguments[1]) == 0) level = &each;
    std::FILE* out = level != nullptr ? std::fopen(arguments[5], "wb") : nullptr;
    if (out == nullptr) {
        std::fprintf(stderr, "usage: %s expert|opening|intermediate|beginner EVALUATION SEED GAMES OUT\n",
                     arguments[0]);
        return 2;
    }
    GuessSettings settings;
    settings.evaluation = read_evaluation(arguments[2]);
    const std::uint64_t seed = std::strtoull(arguments[3], nullptr, 10);
    const std::int64_t games = std::atoll(arguments[4]);
    const double before = cpu_seconds();
    std::int64_t won = 0, guesses = 0;
    for (std::int64_t begin = 0; begin < games; begin += at_once) {
        const Deals deals{Grid(level->rows, level->columns), level->mines, level->start,
                          level->first, seed + static_cast<std::uint64_t>(begin),
                          std::min(at_once, games - begin)};
        for (const GameTrace& trace : trace_games(deals, settings, nodes, {})) {
            const bool is_won = trace.result == static_cast<std::uint32_t>(Result::win);
            won += is_won;
            guesses += trace.guesses;
            std::fputc(is_won, out);
        }
        std::fflush(out);
    }
    std::printf("%s %s: %lld games, %.3f %% won, %.2f guesses, %.4f ms of CPU per game\n", level->name,
                arguments[2], static_cast<long long>(games), 100.0 * won / games,
                static_cast<double>(guesses) / games, (cpu_seconds() - before) * 1e3 / games);
    return std::fclose(out) == 0 ? 0 : 1;
}
