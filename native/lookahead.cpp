#include "lookahead.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mineproof {
namespace {

// Summarises the position that follows when a cell was opened.
Reply reply_to(const OpenedPosition& opened, int value, double chance) {
    Reply reply;
    reply.value = value;
    reply.chance = chance;
    const auto add = [&](double risk, int cells) {
        const double safety = 1 - risk;
        if (safety > reply.best) {
            reply.second = reply.best;
            reply.best = safety;
        } else {
            reply.second = std::max(reply.second, safety);
        }
        if (risk == 0) reply.proved += cells;
    };
    if (opened.unknown == 0) reply.best = reply.second = 1;
    if (opened.interior > 0) add(opened.interior_risk, opened.interior);
    bool is_empty = true;
    for (const OpenedPosition::Box& box : opened.boxes) {
        if (box.cells == 0) continue;
        add(box.risk, box.cells);
        const double doubt = box.cells * box.risk * (1 - box.risk);
        reply.doubt += doubt;
        if (!box.is_local) continue;
        is_empty = false;
        reply.local = std::max(reply.local, 1 - box.risk);
        reply.local_doubt += doubt;
        reply.is_resolved &= box.risk == 0 || box.risk == 1;
    }
    if (is_empty) reply.local = 1;
    for (const auto [cell, box] : opened.around)
        reply.risk[cell] =
            static_cast<float>(box < 0 ? opened.interior_risk : opened.boxes[box].risk);
    return reply;
}

// Lists the boxes of a solver in which a cell is assumed to be open, or asked about.
OpenedPosition list_boxes(const Solver& solver, int place, const Held<int>& component_of) {
    const Field& field = solver.field;
    const Grid& grid = field.grid();
    OpenedPosition opened;
    opened.unknown = field.unknown_cells;
    opened.interior = field.interior_cells;
    Held<int> box_of(field.code.size(), -1);
    const int home = component_of[place];
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        for (int box = 0; box < component.problem.box_count(); ++box) {
            const auto cells = component.places.cells_of(box);
            for (int other : cells) box_of[other] = static_cast<int>(opened.boxes.size());
            const bool is_home = home >= 0 && component_of[cells.front()] == home;
            opened.boxes.push_back(
                {component.problem.sizes[box], is_home || grid.is_near(place, cells.front())});
        }
    }
    grid.each_around(place, Reply::reach, [&](int cell, int other) {
        if (field.is_unknown(other)) opened.around.push_back({cell, box_of[other]});
    });
    return opened;
}

// Copies the weighed risks.
void read_risks(const Solver& solver, OpenedPosition& opened) {
    opened.interior_risk = solver.interior_risk();
    auto box = opened.boxes.begin();
    for (int number = 0; number < solver.component_count(); ++number)
        for (double risk : solver.component(number).risk) (box++)->risk = risk;
}

// A possible value of an asked clue, by its index in the lattice.
struct Answer {
    int number;
    double chance;
};

template <class Weights>
Held<Answer> likeliest_first(const Weights& weights) {
    auto all = weights[0];
    for (std::size_t i = 1; i < weights.size(); ++i) all += weights[i];
    Held<Answer> answers;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (const double chance = to_double(weights[i] / all); chance > 0)
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

// Goes through the values of a cell, the likeliest first, until `next` can no longer reach `least`.
// show(number, chance) returns the reply, or nothing if that value is impossible.
template <class Show>
Outlook look_at_answers(const Held<Answer>& answers, double least, Show show) {
    Outlook outlook;
    outlook.replies.reserve(answers.size());
    double most = 1;  // upper bound on `next`
    for (const Answer& answer : answers) {
        outlook.is_cut = most < least;
        if (outlook.is_cut) return outlook;
        const std::optional<Reply> reply = show(answer.number, answer.chance);
        if (!reply) continue;
        add_reply(outlook, *reply);
        most -= answer.chance * (1 - reply->best);
    }
    std::sort(outlook.replies.begin(), outlook.replies.end(),
              [](const Reply& a, const Reply& b) { return a.value < b.value; });
    return outlook;
}

}  // namespace

void LookAhead::begin(Solver& solver, const Prior& prior, const Held<int>& component_of) {
    solver_ = &solver;
    prior_ = prior;
    component_of_ = &component_of;
    has_branches_ = branches_.begin(solver, prior);
}

Outlook LookAhead::look(int place, double least, Budget& budget) {
    if (!has_branches_ || !branches_.open(place, budget))
        return look_by_asking(place, least, budget);
    const int known = solver_->field.mines(place);
    return look_at_answers(likeliest_first(branches_.weights()), least,
                           [&](int mines, double chance) -> std::optional<Reply> {
                               return reply_to(branches_.show(mines), known + mines, chance);
                           });
}

// For positions whose weights need more than doubles: leaves the clue open, or assumes it if only
// one is possible. Afterwards, the solver's weights are those of the last value.
Outlook LookAhead::look_by_asking(int place, double least, Budget& budget) {
    Solver& solver = *solver_;
    const int known = solver.field.mines(place);
    const bool is_certain = solver.field.unknown(place) == 0;
    Retracting retracting(solver);
    retracting.add();
    int number = -1;
    if (!is_certain)
        number = solver.ask(place, budget);
    else if (!solver.suppose(place, static_cast<std::uint8_t>(known), budget))
        return {};
    if (!solver.mix(prior_, budget)) return {};
    OpenedPosition opened = list_boxes(solver, place, *component_of_);
    Component* const asked = is_certain ? nullptr : &solver.component(number);
    const Held<Answer> answers =
        is_certain ? Held<Answer>{{0, 1.0}}
                   : likeliest_first(asked->answer_weights(solver.mixture(), number));
    return look_at_answers(answers, least, [&](int answer, double chance) -> std::optional<Reply> {
        if (asked) asked->select(answer);
        if (!solver.weigh(prior_, budget)) return {};
        read_risks(solver, opened);
        return reply_to(opened, known + (asked ? asked->lattice.answers[answer] : 0), chance);
    });
}

}  // namespace mineproof
