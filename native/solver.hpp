// The exact engine for a whole position: components that follow a field as it changes.
#pragma once

#include <cstdint>
#include <memory>

#include "budget.hpp"
#include "component.hpp"
#include "field.hpp"
#include "held.hpp"
#include "mixture.hpp"

namespace mineproof {

// Maintains the components of a field. Components that no change touches are kept with their
// lattices and counts, so the cost of a step depends on what changed.
//
// Usage: set up or change `field`, then call `update`, then `prove` or `weigh`.
class Solver {
public:
    Solver() = default;
    Solver(const Solver&) = delete;  // its mixture points into its components
    Solver& operator=(const Solver&) = delete;

    Field field;

    // Drops all components, after the field was set up again.
    void begin();

    // Applies the one-clue rule, then finds the components again if something changed. Returns
    // false if no layout fits the clues.
    bool update(Budget& budget);

    // Finds verdicts from the components, and from the number of mines if it can matter. They are
    // complete for a known number of mines. Returns true if something is proved.
    bool prove(const Prior& prior, Budget& budget);

    // Combines components, interior and the number of mines, with the result in `mixture`. Returns
    // false if no layout has a valid number of mines.
    bool mix(const Prior& prior, Budget& budget);
    // The same, then computes all risks and verdicts.
    bool weigh(const Prior& prior, Budget& budget);

    // Passes the proved verdicts to the field. Call `update` afterwards.
    void take_verdicts();

    // The results of `prove` (verdicts) and `weigh` (both).
    int component_count() const { return static_cast<int>(live_.size()); }
    const Component& component(int number) const { return *pool_[live_[number]]; }
    Component& component(int number) { return *pool_[live_[number]]; }
    double interior_risk() const { return interior_risk_; }
    Verdict interior_verdict() const { return interior_verdict_; }
    const Mixture& mixture() const { return mixture_; }
    const Interior& interior() const { return interior_; }

    // Assumes that an unopened cell, which is not a known mine, shows a clue. New components
    // replace those that the cell touches; the others stay as they are. Assumptions can be nested;
    // `retract` undoes the last one. Call this between `update` and the next change of the field.
    // It must be retracted even if it returns false (no layout fits) or throws `WorkLimit`.
    bool suppose(int place, std::uint8_t clue, Budget& budget);
    // The same with the clue left open, for a cell with unknown neighbours: one component then
    // classifies its layouts by the clue (`Component::select`). Returns the index of this
    // component. Only one clue can be left open at a time, and no assumption may follow it.
    int ask(int place, Budget& budget);
    void retract();

private:
    struct Supposition {
        int place;
        Known before;
        Held<int> aside;  // components that were replaced
        Held<int> made;
    };

    int acquire();
    void admit(int id);
    void release(int id);
    void withdraw(int id);
    void readmit(int id);
    bool make(int clue, Budget& budget);
    bool count_can_matter(const Prior& prior) const;
    void set_aside(int clue, Supposition& supposition);
    bool cover(int clue, Supposition& supposition, Budget& budget);

    Component::Tools tools_;
    Held<std::unique_ptr<Component>> pool_;
    Held<int> free_;
    Held<int> live_;      // ids of the current components
    Held<int> position_;  // by id: its index in `live_`
    Held<int> owner_;     // by place of a clue: the id of its component, or -1
    Held<int> loose_;     // clues whose component must be found again

    Mixture mixture_;
    Interior interior_;
    double interior_risk_ = 0;
    Verdict interior_verdict_ = Verdict::open;
    Held<Supposition> supposed_;
    std::size_t depth_ = 0;  // number of assumptions in force; the rest is spare memory
};

// Undoes assumptions, even after an exception.
class Retracting {
public:
    explicit Retracting(Solver& solver) : solver_(solver) {}
    ~Retracting() {
        const HeldScope unbounded;
        for (; count_ > 0; --count_) solver_.retract();
    }
    Retracting(const Retracting&) = delete;
    Retracting& operator=(const Retracting&) = delete;

    void add() { ++count_; }  // call before each assumption, which may throw

private:
    Solver& solver_;
    int count_ = 0;
};

}  // namespace mineproof
