// The input of the evaluation of a guess.
#pragma once

#include <array>
#include <cstdint>

#include "held.hpp"
#include "lookahead.hpp"
#include "solver.hpp"

namespace mineproof {

// Features of the whole position.
struct Situation {
    double best = 0;  // the safety of the safest cell
    int unknown = 0;
    int left = 0;  // mines among the unknown cells
    int interior = 0;
    double interior_risk = 0;
    double log_layouts = 0;
    int components = 0;
    int frontier = 0;
    double doubt = 0;  // the sum of risk x safety over the frontier

    struct ComponentView {
        int cells = 0;
        double doubt = 0;
        double best = 0;  // the safety of its safest cell
        int border = 0;   // pairs of one of its cells and an adjacent interior cell
    };
    Held<ComponentView> views;  // by component
    Held<int> component_of;     // by place; -1 outside the frontier
    Held<int> box_size;         // by place; 0 outside the frontier

    Situation() = default;
    // Reads a weighed solver; `mines` is the number of mines on the board.
    Situation(const Solver& solver, int mines);

private:
    ComponentView describe(const Field& field, const Component& component, int number);
};

// Numbers about a candidate and its position, and the pattern of cells around it.
struct Features {
    static constexpr int scalars = 35;
    static constexpr int reach = 4;
    static constexpr int side = 2 * reach + 1;
    static constexpr int cells = side * side;
    static constexpr int kinds = 11;  // off the board, mine, clues 0..6, frontier, interior

    // The position that follows if the candidate shows a certain value.
    struct Shown {
        static constexpr int scalars = 9;
        static constexpr int cells = Reply::cells;

        std::size_t value;
        float survival;  // its chance x the safety of the best move after it
        std::array<float, scalars> scalar;
        std::array<float, cells> risk;
    };

    double safety;
    std::array<float, scalars> scalar;
    std::array<std::uint8_t, cells> kind;
    std::array<float, cells> risk;
    Held<Shown> shown;

    // `safeties` is indexed by place, with -1 for cells that are not unknown.
    Features(const Solver& solver, const Situation& situation, const Held<double>& safeties,
             int place, const Outlook& outlook, double best_survival);

private:
    void look_after(const Situation& situation, const Outlook& outlook, double home_doubt);
    void look_around(const Field& field, const Held<double>& safeties, int place);
};

}  // namespace mineproof
