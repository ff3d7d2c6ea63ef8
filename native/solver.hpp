// The exact engine on a whole position: components that follow a field as it changes.
#pragma once

#include <cstdint>
#include <memory>

#include "budget.hpp"
#include "component.hpp"
#include "field.hpp"
#include "held.hpp"
#include "mixture.hpp"
#include "prior.hpp"

namespace mineproof {

// Keeps the components of a field. Those that nothing new touches are kept as they are, with
// their lattices and counts; so the cost of a step follows what changed.
//
// Usage: set up or change `field`, then `update`, then `prove` or `weigh`.
class Solver {
public:
    Solver() = default;
    Solver(const Solver&) = delete;  // its mixture points into its components
    Solver& operator=(const Solver&) = delete;

    Field field;

    // Forgets all components: the field was set up anew.
    void begin();

    // Lets single clues prove what they can, then finds the components again where something
    // changed. False: no layout agrees with the clues.
    bool update(Budget& budget);

    // Verdicts from the components, and from the number of mines where it can matter.
    // Verdicts are complete for a known number of mines. True if something is proved.
    bool prove(const Prior& prior, Budget& budget);

    // How components, interior and the number of mines go together: what `mixture` tells. False:
    // no layout has a right number of mines.
    bool mix(const Prior& prior, Budget& budget);
    // The same, then risks and verdicts of everything.
    bool weigh(const Prior& prior, Budget& budget);

    // Tells the field what the verdicts prove; to be followed by `update`.
    void take_verdicts();

    // The results of `prove` (verdicts) and `weigh` (both).
    int component_count() const { return static_cast<int>(live_.size()); }
    const Component& component(int number) const { return *pool_[live_[number]]; }
    Component& component(int number) { return *pool_[live_[number]]; }
    double interior_risk() const { return interior_risk_; }
    Verdict interior_verdict() const { return interior_verdict_; }
    const Mixture& mixture() const { return mixture_; }
    const Interior& interior() const { return interior_; }

    // An unopened cell shows a clue, for the sake of argument; it must not be a known mine.
    // The components it touches are put aside and new ones take their place, the others stay
    // as they are. Suppositions may follow each other; `retract` takes back the last one.
    // To be called between `update` and the next change of the field. Whether it is false (no
    // layout agrees) or the work limit is thrown, it has to be retracted.
    bool suppose(int place, std::uint8_t clue, Budget& budget);
    // The same with the clue left open, for a cell with unknown neighbours: one component
    // then tells its layouts apart by the clue (`Component::select`). Gives its number.
    // At most one clue is left open at a time, and none is supposed after it.
    int ask(int place, Budget& budget);
    void retract();

private:
    struct Supposition {
        int place;
        Known before;
        Held<int> aside;  // components that are replaced
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
    Held<int> live_;      // ids of the components there are
    Held<int> position_;  // by id: where it stands in `live_`
    Held<int> owner_;     // by place of a clue: the id of its component, or -1
    Held<int> loose_;     // clues whose component must be found again

    Mixture mixture_;
    Interior interior_;
    double interior_risk_ = 0;
    Verdict interior_verdict_ = Verdict::open;
    Held<Supposition> supposed_;
    std::size_t depth_ = 0;  // how many of them are in force; the rest is memory
};

}  // namespace mineproof
