#include "gather.hpp"

#include <array>
#include <bit>

namespace mineproof {
namespace {

// For each set of neighbours, the same set relative to its first member: a pattern of three rows
// and five columns. Two cells touch the same clues if and only if their first clues are the same
// place and their patterns are equal.
constexpr std::array<std::uint16_t, 256> make_shapes() {
    std::array<std::uint16_t, 256> shapes{};
    for (unsigned set = 1; set < 256; ++set) {
        const Grid::Direction first = Grid::directions[std::countr_zero(set)];
        for (unsigned rest = set; rest != 0; rest &= rest - 1) {
            const Grid::Direction other = Grid::directions[std::countr_zero(rest)];
            const int bit = (other.down - first.down) * 5 + other.right - first.right + 2;
            shapes[set] = static_cast<std::uint16_t>(shapes[set] | 1u << bit);
        }
    }
    return shapes;
}
constexpr auto shapes = make_shapes();

}  // namespace

void Gatherer::gather(const Field& field, int clue, Problem& problem, Places& places) {
    const std::size_t size = field.grid().places();
    if (clue_number_.size() != size) {
        clue_number_.assign(size, -1);
        seen_.assign(size, 0);
    }
    problem.clear();
    places.clues.clear();
    first_box_.clear();
    next_box_.clear();
    shape_.clear();
    found_.clear();
    box_of_.clear();
    number(field, clue, problem, places);
    for (std::size_t next = 0; next < places.clues.size(); ++next) {
        const int here = places.clues[next];
        for (int step : field.grid().steps) {
            const int place = here + step;
            if (!field.is_unknown(place) || seen_[place]) continue;
            seen_[place] = 1;
            found_.push_back(place);
            box_of_.push_back(box(field, place, problem, places));
            ++problem.sizes[box_of_.back()];
        }
    }
    problem.cells = static_cast<int>(found_.size());
    sort_cells(problem, places);
    for (int place : places.clues) clue_number_[place] = -1;
    for (int place : found_) seen_[place] = 0;
}

void Gatherer::sort_cells(const Problem& problem, Places& places) const {
    places.begin.assign(1, 0);
    for (std::uint8_t size : problem.sizes) places.begin.push_back(places.begin.back() + size);
    places.cells.resize(found_.size());
    for (std::size_t i = found_.size(); i-- > 0;)
        places.cells[--places.begin[box_of_[i] + 1]] = found_[i];
    // Each end has moved down to the start of its box. Restore the ends.
    for (std::size_t box = 0; box < problem.sizes.size(); ++box)
        places.begin[box + 1] = places.begin[box] + problem.sizes[box];
}

// Returns the index of a clue, a new one if it is met for the first time.
int Gatherer::number(const Field& field, int place, Problem& problem, Places& places) {
    int& known = clue_number_[place];
    if (known >= 0) return known;
    known = problem.clue_count();
    const Need need = field.need(place);
    const int cells = field.unknown(place);
    Clue clue{need.low, need.high, cells};
    if (place == field.asked) {
        clue = {0, cells, cells, -1, true};
    } else if (field.kind() != ClueKind::exact) {
        clue.weights = static_cast<int>(problem.weights.size());
        for (int count = 0; count < 9; ++count)
            problem.weights.push_back(field.weight(place, count));
    }
    problem.clues.push_back(clue);
    places.clues.push_back(place);
    first_box_.push_back(-1);
    return known;
}

// Returns the box of a cell, a new one if no earlier cell touches the same clues.
int Gatherer::box(const Field& field, int place, Problem& problem, Places& places) {
    const auto& steps = field.grid().steps;
    unsigned set = 0;
    for (unsigned i = 0; i < 8; ++i) set |= unsigned(field.is_clue(place + steps[i])) << i;
    const int first = number(field, place + steps[std::countr_zero(set)], problem, places);
    const std::uint16_t shape = shapes[set];
    for (int box = first_box_[first]; box >= 0; box = next_box_[box])
        if (shape_[box] == shape) return box;
    const int made = problem.box_count();
    shape_.push_back(shape);
    next_box_.push_back(first_box_[first]);
    first_box_[first] = made;
    problem.sizes.push_back(0);
    for (unsigned rest = set; rest != 0; rest &= rest - 1) {
        const int clue = number(field, place + steps[std::countr_zero(rest)], problem, places);
        problem.box_clues.push_back(clue);
        ++problem.clues[clue].boxes;
    }
    problem.box_begin.push_back(static_cast<int>(problem.box_clues.size()));
    return made;
}

}  // namespace mineproof
