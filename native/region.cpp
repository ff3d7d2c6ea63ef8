#include "region.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace mineproof {
namespace {

void multiply(Held<double>& ways, std::span<const double> factor) {
    Held<double> product(ways.size() + factor.size() - 1, 0.0);
    for (std::size_t i = 0; i < ways.size(); ++i)
        for (std::size_t k = 0; k < factor.size(); ++k) product[i + k] += ways[i] * factor[k];
    ways.swap(product);
}

// Makes a region with too many layouts to list, for any number of mines.
void make_endless(Region& region) {
    region.ways.assign(2, std::numeric_limits<double>::infinity());
}

void count_ways(const Solver& solver, Region& region) {
    region.low = 0;
    region.ways.assign(1, 1.0);
    double bits = static_cast<double>(region.inside.size());
    for (int number : region.components) bits += solver.component(number).problem.bits();
    if (bits > Mixture::max_bits) return make_endless(region);
    for (int number : region.components) {
        const Factor factor = solver.component(number).factor();
        region.low += factor.low;
        multiply(region.ways, factor.terms);
    }
    constexpr double cell[] = {1, 1};
    for (std::size_t i = 0; i < region.inside.size(); ++i) multiply(region.ways, cell);
    region.trim();
}

template <class T>
void append(Held<T>& to, const Held<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

double Region::layouts() const { return std::accumulate(ways.begin(), ways.end(), 0.0); }

void Region::trim() {
    while (ways.size() > 1 && ways.back() == 0) ways.pop_back();
    std::size_t empty = 0;
    while (empty + 1 < ways.size() && ways[empty] == 0) ++empty;
    ways.erase(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(empty));
    low += static_cast<int>(empty);
}

Region join(const Region& a, const Region& b) {
    Region both = a;
    append(both.places, b.places);
    std::sort(both.places.begin(), both.places.end());
    append(both.components, b.components);
    append(both.inside, b.inside);
    both.low += b.low;
    multiply(both.ways, b.ways);
    return both;
}

int RegionFinder::root(int place) {
    while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
    return place;
}

// Keeps the lower root, because it is the first place of its region.
void RegionFinder::link(int a, int b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
}

void RegionFinder::find(const Solver& solver, Held<Region>& regions) {
    const Field& field = solver.field;
    parent_.resize(field.code.size());
    number_.resize(field.code.size());
    places_.clear();
    for (int place = 0; place < static_cast<int>(field.code.size()); ++place) {
        parent_[place] = place;
        if (field.is_unknown(place) ||
            (field.known[place] == Known::safe && field.code[place] == unopened))
            places_.push_back(place);
    }
    for (int place : places_)
        for (int step : field.grid().steps)
            if (field.is_unknown(place + step)) link(place, place + step);
    for (int number = 0; number < solver.component_count(); ++number)
        for (int place : solver.component(number).places.cells)
            link(place, solver.component(number).places.cells[0]);
    regions.clear();
    for (int place : places_) {
        if (root(place) == place) {
            number_[place] = static_cast<int>(regions.size());
            regions.emplace_back();
        }
        Region& region = regions[number_[root(place)]];
        region.places.push_back(place);
        if (field.is_interior(place)) region.inside.push_back(place);
    }
    for (int number = 0; number < solver.component_count(); ++number)
        regions[number_[root(solver.component(number).places.cells[0])]].components.push_back(
            number);
    for (Region& region : regions) count_ways(solver, region);
}

}  // namespace mineproof
