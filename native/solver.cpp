#include "solver.hpp"

#include <algorithm>

namespace mineproof {

void Solver::begin() {
    for (int id : live_) free_.push_back(id);
    live_.clear();
    loose_.clear();
    depth_ = 0;
    owner_.assign(field.grid().places(), -1);
}

bool Solver::update(Budget& budget) {
    if (!field.deduce()) return false;
    for (int clue : field.changed) {
        field.unmark(clue);
        if (owner_[clue] >= 0)
            release(owner_[clue]);
        else
            loose_.push_back(clue);
    }
    field.changed.clear();
    for (int clue : loose_)
        if (owner_[clue] < 0 && field.unknown(clue) > 0 && !make(clue, budget)) return false;
    loose_.clear();
    return true;
}

// The lists of components and assumptions are small, and must never be half written. They are
// exempt from the memory limit, so that every assumption can be undone.

int Solver::acquire() {
    if (free_.empty()) {
        const HeldScope unbounded;
        free_.push_back(static_cast<int>(pool_.size()));
        pool_.push_back(std::make_unique<Component>());
        position_.push_back(0);
    }
    return free_.back();
}

void Solver::admit(int id) {
    const HeldScope unbounded;
    for (int clue : pool_[id]->places.clues) owner_[clue] = id;
    position_[id] = component_count();
    live_.push_back(id);
}

void Solver::withdraw(int id) {
    for (int clue : pool_[id]->places.clues) owner_[clue] = -1;
    const int last = live_.back();
    live_[position_[id]] = last;
    position_[last] = position_[id];
    live_.pop_back();
}

// Undoes `withdraw`. Everything done after it must already be undone.
void Solver::readmit(int id) {
    for (int clue : pool_[id]->places.clues) owner_[clue] = id;
    const int place = position_[id];
    live_.push_back(id);
    if (place + 1 == component_count()) return;
    std::swap(live_[place], live_.back());
    position_[live_.back()] = component_count() - 1;
}

void Solver::release(int id) {
    loose_.insert(loose_.end(), pool_[id]->places.clues.begin(), pool_[id]->places.clues.end());
    withdraw(id);
    free_.push_back(id);
}

bool Solver::make(int clue, Budget& budget) {
    const int id = acquire();
    if (!pool_[id]->make(field, clue, tools_, budget)) return false;
    free_.pop_back();
    for (int place : pool_[id]->places.clues)
        if (owner_[place] >= 0) {  // the new component includes an old one
            const int joined = owner_[place];
            withdraw(joined);
            free_.push_back(joined);
        }
    admit(id);
    return true;
}

// Returns whether the total rules out a number of mines that a component could hold on its own, or
// decides the interior. Every component can hold its minimum and its maximum, and an interior as
// large as the widest component fills all gaps in between.
bool Solver::count_can_matter(const Prior& prior) const {
    if (prior.kind != Prior::Kind::known) return true;
    int least = 0, most = 0, widest = 1;
    for (int id : live_) {
        least += pool_[id]->low();
        most += pool_[id]->low() + pool_[id]->span();
        widest = std::max(widest, pool_[id]->span());
    }
    const int left = prior.low - field.known_mines;
    const int interior = field.interior_cells;
    return interior < widest || left - least < widest || most + interior - left < widest;
}

bool Solver::prove(const Prior& prior, Budget& budget) {
    interior_verdict_ = Verdict::open;
    if (count_can_matter(prior))
        weigh(prior, budget);
    else
        for (int id : live_) pool_[id]->prove(tools_);
    bool proved = interior_verdict_ != Verdict::open;
    for (int id : live_)
        proved |= std::any_of(pool_[id]->verdict.begin(), pool_[id]->verdict.end(),
                              [](Verdict verdict) { return verdict != Verdict::open; });
    return proved;
}

bool Solver::mix(const Prior& prior, Budget& budget) {
    interior_ = Interior(prior, field.interior_cells, field.known_mines, field.grid().cells());
    mixture_.clear();
    for (int id : live_) {
        pool_[id]->count(budget);
        mixture_.add(pool_[id]->factor());
    }
    if (!mixture_.combine(interior_)) return false;
    mixture_.spread();
    return true;
}

bool Solver::weigh(const Prior& prior, Budget& budget) {
    if (!mix(prior, budget)) return false;
    for (int number = 0; number < component_count(); ++number) {
        component(number).weigh(mixture_, number, tools_, budget);
    }
    const Mixture::Share& share = mixture_.interior_share();
    interior_verdict_ = interior_.cells() == 0 ? Verdict::open
                        : !share.mined         ? Verdict::safe
                        : !share.free          ? Verdict::mined
                                               : Verdict::open;
    interior_risk_ = interior_verdict_ == Verdict::open   ? keep_open(share.risk)
                     : interior_verdict_ == Verdict::safe ? 0.0
                                                          : 1.0;
    return true;
}

void Solver::take_verdicts() {
    const auto take = [&](int place, Verdict verdict) {
        if (verdict == Verdict::safe) field.prove_safe(place);
        if (verdict == Verdict::mined) field.prove_mine(place);
    };
    if (interior_verdict_ != Verdict::open)
        for (int place = 0; place < static_cast<int>(field.code.size()); ++place)
            if (field.is_interior(place)) take(place, interior_verdict_);
    for (int id : live_) {
        const Component& component = *pool_[id];
        for (int box = 0; box < component.problem.box_count(); ++box)
            for (int place : component.places.cells_of(box)) take(place, component.verdict[box]);
    }
}

void Solver::set_aside(int clue, Supposition& supposition) {
    const int id = owner_[clue];
    if (id < 0) return;
    const HeldScope unbounded;
    withdraw(id);
    supposition.aside.push_back(id);
}

// Finds the component of a clue, unless it has none or it is already found.
bool Solver::cover(int clue, Supposition& supposition, Budget& budget) {
    if (field.unknown(clue) == 0) {
        const Need need = field.need(clue);
        return clue == field.asked || (need.low <= 0 && need.high >= 0);
    }
    if (owner_[clue] >= 0) return true;
    const int id = acquire();
    if (!pool_[id]->make(field, clue, tools_, budget)) return false;
    const HeldScope unbounded;
    free_.pop_back();
    admit(id);
    supposition.made.push_back(id);
    return true;
}

bool Solver::suppose(int place, std::uint8_t clue, Budget& budget) {
    if (depth_ == supposed_.size()) {
        const HeldScope unbounded;
        supposed_.emplace_back();
    }
    Supposition& now = supposed_[depth_++];
    now.place = place;
    now.before = field.known[place];
    now.aside.clear();
    now.made.clear();
    const auto& steps = field.grid().steps;
    for (int step : steps) {
        const int near = place + step;
        if (field.is_clue(near)) set_aside(near, now);
        if (!field.is_unknown(near)) continue;
        for (int further : steps)
            if (field.is_clue(near + further)) set_aside(near + further, now);
    }
    field.suppose(place, clue);
    if (!cover(place, now, budget)) return false;
    for (int id : now.aside)
        for (int other : pool_[id]->places.clues)
            if (!cover(other, now, budget)) return false;
    return true;
}

int Solver::ask(int place, Budget& budget) {
    field.asked = place;
    suppose(place, 0, budget);
    return position_[owner_[place]];
}

void Solver::retract() {
    // In reverse order, so that the components are in the same order as before.
    const Supposition& last = supposed_[--depth_];
    for (std::size_t i = last.made.size(); i-- > 0;) {
        withdraw(last.made[i]);
        free_.push_back(last.made[i]);
    }
    field.retract(last.place, last.before);
    for (std::size_t i = last.aside.size(); i-- > 0;) readmit(last.aside[i]);
}

}  // namespace mineproof
