#include "lookahead.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mineproof {
namespace {

// Takes the supposition back whatever happens.
class Retracting {
public:
    explicit Retracting(Solver& solver) : solver_(solver) {}
    ~Retracting() {
        const HeldScope unbounded;
        solver_.retract();
    }
    Retracting(const Retracting&) = delete;
    Retracting& operator=(const Retracting&) = delete;

private:
    Solver& solver_;
};

// A cell and all that its clue could decide soon.
class Region {
public:
    Region(const Grid& grid, int place, const Held<int>& component_of)
        : grid_(grid), place_(place), component_of_(component_of), home_(component_of[place]) {}

    bool has(int place) const {
        if (home_ >= 0 && component_of_[place] == home_) return true;
        return grid_.is_near(place, place_);
    }

private:
    const Grid& grid_;
    int place_;
    const Held<int>& component_of_;
    int home_;
};

// Tells, value by value, what is left to decide after a cell was opened.
class Aftermath {
public:
    // The cell is supposed to be open, or asked for.
    Aftermath(const Solver& solver, int place, const Region& region) : solver_(solver) {
        for (int number = 0; number < solver.component_count(); ++number) {
            const Component& component = solver.component(number);
            for (int box = 0; box < component.problem.box_count(); ++box)
                boxes_.push_back({number, box, component.problem.sizes[box],
                                  region.has(component.places.cells_of(box).front())});
        }
        find_around(place);
    }

    // Of a weighed position.
    Reply reply(int value, double chance) const {
        Reply reply;
        reply.value = value;
        reply.chance = chance;
        const Field& field = solver_.field;
        if (field.unknown_cells == 0) reply.best = reply.second = 1;
        if (field.interior_cells > 0) add(reply, solver_.interior_risk(), field.interior_cells);
        bool is_empty = true;
        for (const Box& box : boxes_) {
            const Component& component = solver_.component(box.component);
            const double risk = component.risk[box.number];
            add(reply, risk, box.cells);
            const double doubt = box.cells * risk * (1 - risk);
            reply.doubt += doubt;
            if (!box.is_local) continue;
            is_empty = false;
            reply.local = std::max(reply.local, 1 - risk);
            reply.local_doubt += doubt;
            reply.is_resolved &= component.verdict[box.number] != Verdict::open;
        }
        if (is_empty) reply.local = 1;
        for (const Near& near : around_)
            reply.risk[near.cell] = static_cast<float>(
                near.component < 0 ? solver_.interior_risk()
                                   : solver_.component(near.component).risk[near.box]);
        return reply;
    }

private:
    struct Box {
        int component;
        int number;
        int cells;
        bool is_local;
    };
    // An unknown cell beside the opened one, and where its risk is to be found.
    struct Near {
        int cell;
        int component;  // -1: the interior
        int box;
    };

    // The cell of the pattern that a place is; -1: none.
    static int cell_around(const Grid& grid, int centre, int place) {
        if (std::abs(place - centre) > Reply::reach * (grid.stride + 1)) return -1;
        const int row = grid.row(place) - grid.row(centre) + Reply::reach;
        const int column = grid.column(place) - grid.column(centre) + Reply::reach;
        const bool is_inside = row >= 0 && row < Reply::side && column >= 0 && column < Reply::side;
        return is_inside ? row * Reply::side + column : -1;
    }

    void find_around(int place) {
        const Grid& grid = solver_.field.grid();
        for (const Box& box : boxes_)
            for (int other : solver_.component(box.component).places.cells_of(box.number)) {
                const int cell = cell_around(grid, place, other);
                if (cell >= 0) around_.push_back({cell, box.component, box.number});
            }
        grid.each_around(place, Reply::reach, [&](int cell, int other) {
            if (solver_.field.is_interior(other)) around_.push_back({cell, -1, -1});
        });
    }

    static void add(Reply& reply, double risk, int cells) {
        const double safety = 1 - risk;
        if (safety > reply.best) {
            reply.second = reply.best;
            reply.best = safety;
        } else {
            reply.second = std::max(reply.second, safety);
        }
        if (risk == 0) reply.proved += cells;
    }

    const Solver& solver_;
    Held<Box> boxes_;
    Held<Near> around_;
};

// A value that an asked clue can have, by its number in the lattice.
struct Answer {
    int number;
    double chance;
};

Held<Answer> likeliest_first(const Held<Scaled>& weights) {
    Scaled all;
    for (const Scaled& weight : weights) all += weight;
    Held<Answer> answers;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (const double chance = (weights[i] / all).value(); chance > 0)
            answers.push_back({static_cast<int>(i), chance});
    std::stable_sort(answers.begin(), answers.end(),
                     [](const Answer& a, const Answer& b) { return a.chance > b.chance; });
    return answers;
}

void add_reply(Outlook& outlook, const Reply& reply) {
    const double chance = reply.chance;
    outlook.next += chance * reply.best;
    outlook.second += chance * reply.second;
    if (reply.best == 1) outlook.progress += chance;
    outlook.proved += chance * std::min<double>(reply.proved, Outlook::proved_cap);
    outlook.doubt += chance * reply.doubt;
    outlook.local += chance * reply.local;
    outlook.local_doubt += chance * reply.local_doubt;
    if (reply.is_resolved) outlook.resolved += chance;
    if (reply.value == 0) outlook.zero = chance;
    outlook.likeliest = std::max(outlook.likeliest, chance);
    if (chance > 0) outlook.entropy -= chance * std::log(chance);
    ++outlook.values;
    outlook.replies.push_back(reply);
}

}  // namespace

Outlook look_ahead(Solver& solver, const Prior& prior, int place,
                   const Held<int>& component_of, double least, Budget& budget) {
    Outlook outlook;
    const Region region(solver.field.grid(), place, component_of);
    const int known = solver.field.mines(place);
    const Retracting retracting(solver);
    if (solver.field.unknown(place) == 0) {  // it shows what is known already
        if (solver.suppose(place, static_cast<std::uint8_t>(known), budget) &&
            solver.weigh(prior, budget))
            add_reply(outlook, Aftermath(solver, place, region).reply(known, 1));
        return outlook;
    }
    const int number = solver.ask(place, budget);
    if (!solver.mix(prior, budget)) return outlook;
    Component& asked = solver.component(number);
    const Held<Answer> answers = likeliest_first(asked.answer_weights(solver.mixture(), number));
    const Aftermath aftermath(solver, place, region);
    outlook.replies.reserve(answers.size());
    double most = 1;  // that `next` can be
    for (const Answer& answer : answers) {
        outlook.is_cut = most < least;
        if (outlook.is_cut) return outlook;
        asked.select(answer.number);
        if (!solver.weigh(prior, budget)) continue;
        add_reply(outlook, aftermath.reply(known + asked.lattice.answers[answer.number], answer.chance));
        most -= answer.chance * (1 - outlook.replies.back().best);
    }
    std::sort(outlook.replies.begin(), outlook.replies.end(),
              [](const Reply& a, const Reply& b) { return a.value < b.value; });
    return outlook;
}

}  // namespace mineproof
