#include "text.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "games.hpp"
#include "grid.hpp"
#include "solved_position.hpp"

namespace mineproof {
namespace {

constexpr std::uint8_t no_cell = 255;

struct PlainPosition {
    int rows = 0;
    int columns = 0;
    int mines = 0;
    Held<std::uint8_t> shown;  // one code per cell, in row order
};

constexpr std::array<std::uint8_t, 256> make_codes() {
    std::array<std::uint8_t, 256> codes{};
    codes.fill(no_cell);
    for (unsigned clue = 0; clue <= 8; ++clue) codes['0' + clue] = static_cast<std::uint8_t>(clue);
    codes['H'] = codes['.'] = codes['F'] = unopened;
    codes['M'] = codes['?'] = exploded;
    codes['-'] = withheld;
    return codes;
}
constexpr auto codes = make_codes();

// Removes the next line from the text and returns it without surrounding blanks.
std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    return line;
}

// Removes a number of one to nine digits from a line and returns it; -1 if there is none.
int next_number(std::string_view& line) {
    int value = 0;
    std::size_t digits = 0;
    while (digits < std::min<std::size_t>(line.size(), 9) && line[digits] >= '0' &&
           line[digits] <= '9')
        value = value * 10 + (line[digits++] - '0');
    line.remove_prefix(digits);
    return digits == 0 ? -1 : value;
}

bool next_cross(std::string_view& line) {
    if (line.empty() || line.front() != 'x') return false;
    line.remove_prefix(1);
    return true;
}

bool read_header(std::string_view line, PlainPosition& position) {
    position.columns = next_number(line);
    if (!next_cross(line)) return false;
    position.rows = next_number(line);
    if (!next_cross(line)) return false;
    position.mines = next_number(line);
    const auto is_side = [](int side) { return side >= 1 && side <= max_side; };
    return line.empty() && is_side(position.rows) && is_side(position.columns) &&
           position.mines >= 0;
}

// Checks that no clue exceeds its number of neighbours, and that the mines fit.
bool is_possible(const PlainPosition& position) {
    const Grid grid(position.rows, position.columns);
    const auto& shown = position.shown;
    int known = 0, most = 0;
    for (std::uint8_t code : shown) {
        known += code == exploded;
        most += code == exploded || code == unopened;
    }
    if (position.mines < known || position.mines > most) return false;
    const auto fits = [&](int cell) {
        return shown[cell] >= unopened || shown[cell] <= grid.degree(grid.place(cell));
    };
    const int last = (grid.rows - 1) * grid.columns;
    for (int column = 0; column < grid.columns; ++column)
        if (!fits(column) || !fits(last + column)) return false;
    for (int row = 0; row < grid.rows; ++row)
        if (!fits(row * grid.columns) || !fits((row + 1) * grid.columns - 1)) return false;
    return true;
}

}  // namespace

std::optional<Position> read_plain_position(std::string_view text) {
    PlainPosition position;
    std::string_view line;
    while (line.empty() && !text.empty()) line = next_line(text);
    if (!read_header(line, position)) return {};
    for (int row = 0; row < position.rows; ++row) {
        line = next_line(text);
        if (line.size() != static_cast<std::size_t>(position.columns)) return {};
        for (char letter : line) {
            const std::uint8_t code = codes[static_cast<unsigned char>(letter)];
            if (code == no_cell) return {};
            position.shown.push_back(code);
        }
    }
    while (!text.empty())
        if (!next_line(text).empty()) return {};
    if (!is_possible(position)) return {};
    return Position{Grid(position.rows, position.columns), ClueKind::exact,
                    Prior::known(position.mines), std::move(position.shown)};
}

double time_plain_position(std::string_view text, std::int64_t nodes, int repeats,
                           const Poll& poll) {
    if (repeats < 1 || repeats > 1'000'000)
        throw std::invalid_argument("expected 1 to 1000000 repeats");
    const Limits limits = Limits::checked(nodes);
    const auto once = [&] {
        auto position = read_plain_position(text);
        if (!position) throw std::invalid_argument("expected a plain position");
        Budget budget(limits, poll);
        SolvedPosition(std::move(*position), budget).check_solved();
    };
    once();  // allocates the memory
    const double before = cpu_seconds();
    for (int i = 0; i < repeats; ++i) {
        if (i % 1024 == 0 && poll) poll();
        once();
    }
    return (cpu_seconds() - before) / repeats;
}

}  // namespace mineproof
