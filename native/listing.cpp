#include "listing.hpp"

#include <algorithm>

namespace mineproof {
namespace {

constexpr std::uint8_t laid = 64;
constexpr std::size_t max_states = 1 << 20;  // in all lattices together
constexpr std::size_t max_cells = 2000;      // limits the depth of the recursion

// Adds a set of numbers, each increased by `shift`, which is less than 64.
void add_shifted(const Word* from, std::uint32_t shift, Word* to, std::size_t words) {
    for (std::size_t k = 0; k < words; ++k) {
        to[k] |= from[k] << shift;
        if (shift > 0 && k > 0) to[k] |= from[k - 1] >> (64 - shift);
    }
}

}  // namespace

bool Listing::list(const Solver& solver, const Region& region, int limit) {
    solver_ = &solver;
    limit_ = limit;
    count = 0;
    rows.clear();
    mines.clear();
    places = region.places;
    inside_ = region.inside;
    components_ = region.components;
    if (!prepare()) return false;
    for (int number = region.low; number <= region.high(); ++number)
        if (region.ways_with(number) > 0 && !list_with(number)) return false;
    return true;
}

// Sets up what the cells show before any mine is placed; the rest of the board does not matter.
// Computes all supports, so that the walk never reaches a dead end.
bool Listing::prepare() {
    shown_.resize(solver_->field.code.size());
    for (int place : places)
        shown_[place] = static_cast<std::uint8_t>(solver_->field.mines(place));
    std::size_t cells = inside_.size(), states = 1;
    first_.clear();
    for (int number : components_) {
        first_.push_back(states);
        cells += solver_->component(number).places.cells.size();
        states += solver_->component(number).lattice.states.size();
    }
    if (states > max_states || cells > max_cells) return false;
    words_ = cells / 64 + 1;
    supports_.assign(states * words_, 0);
    // The inside comes last and can hold any number of mines up to its size.
    for (std::size_t mines = 0; mines <= inside_.size(); ++mines)
        supports_[mines / 64] |= Word{1} << mines % 64;
    std::size_t after = 0;
    for (std::size_t i = components_.size(); i-- > 0;) {
        add_supports(solver_->component(components_[i]).lattice, first_[i], after);
        after = first_[i];
    }
    return true;
}

void Listing::add_supports(const Lattice& lattice, std::size_t first, std::size_t after) {
    const auto at = [&](std::size_t state) { return &supports_[(first + state) * words_]; };
    for (std::size_t state = lattice.last_layer() + 1; state-- > 0;) {
        Word* target = at(state);
        if (state == lattice.last_layer()) {
            std::copy_n(&supports_[after * words_], words_, target);
            continue;
        }
        const std::uint32_t end = lattice.states[state + 1].edges;
        for (std::uint32_t e = lattice.states[state].edges; e < end; ++e)
            add_shifted(at(lattice.edges[e].to), lattice.edges[e].mines, target, words_);
    }
}

bool Listing::can_lay(std::size_t support, int mines) const {
    const auto bit = static_cast<std::size_t>(mines);
    return mines >= 0 && bit / 64 < words_ &&
           (supports_[support * words_ + bit / 64] >> bit % 64 & 1) != 0;
}

bool Listing::list_with(int mines) {
    total_ = mines;
    return !can_lay(first_.empty() ? 0 : first_[0], mines) || walk(0, 0, 0, mines);
}

// Follows the edges of the lattices, one component after the other.
bool Listing::walk(std::size_t number, std::uint32_t state, std::size_t layer, int left) {
    if (number == components_.size()) return fill_inside(0, left);
    const Lattice& lattice = solver_->component(components_[number]).lattice;
    if (layer == lattice.boxes.size()) return walk(number + 1, 0, 0, left);
    for (std::uint32_t e = lattice.states[state].edges; e < lattice.states[state + 1].edges; ++e) {
        const Lattice::Edge& edge = lattice.edges[e];
        const int mines = static_cast<int>(edge.mines);
        if (can_lay(first_[number] + edge.to, left - mines) &&
            !fill(number, edge.to, layer, 0, mines, left - mines))
            return false;
    }
    return true;
}

// Places `mines` in the cells of the layer's box from `cell` on, in all ways.
bool Listing::fill(std::size_t number, std::uint32_t to, std::size_t layer, std::size_t cell,
                   int mines, int left) {
    const Component& component = solver_->component(components_[number]);
    const std::span<const int> cells = component.places.cells_of(component.lattice.boxes[layer]);
    if (cell == cells.size()) return walk(number, to, layer + 1, left);
    if (mines > 0) {
        lay(cells[cell], 1);
        const bool fits = fill(number, to, layer, cell + 1, mines - 1, left);
        lay(cells[cell], -1);
        if (!fits) return false;
    }
    return static_cast<int>(cells.size() - cell) == mines ||
           fill(number, to, layer, cell + 1, mines, left);
}

bool Listing::fill_inside(std::size_t next, int left) {
    const int rest = static_cast<int>(inside_.size() - next);
    if (rest == 0) return emit();
    if (left > 0) {
        lay(inside_[next], 1);
        const bool fits = fill_inside(next + 1, left - 1);
        lay(inside_[next], -1);
        if (!fits) return false;
    }
    return left == rest || fill_inside(next + 1, left);
}

void Listing::lay(int place, int change) {
    shown_[place] = static_cast<std::uint8_t>(shown_[place] + laid * change);
    for (int step : solver_->field.grid().steps)
        shown_[place + step] = static_cast<std::uint8_t>(shown_[place + step] + change);
}

bool Listing::emit() {
    if (++count > limit_) return false;
    mines.push_back(total_);
    const std::size_t begin = rows.size();
    rows.resize(begin + places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::uint8_t shown = shown_[places[i]];
        rows[begin + i] = shown < laid ? shown : LayoutRows::mine;
    }
    return true;
}

}  // namespace mineproof
