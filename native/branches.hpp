// What would follow if a cell were opened, for all the values that it can show at once.
#pragma once

#include <cstdint>
#include <span>

#include "budget.hpp"
#include "held.hpp"
#include "interior.hpp"
#include "product_tree.hpp"
#include "solver.hpp"

namespace mineproof {

// The unknown cells of a position in which one more cell is open: boxes of equal risk.
struct OpenedPosition {
    struct Box {
        int cells;
        bool is_local;    // in the region of the opened cell
        double risk = 0;  // exactly 0 or 1 just if it is proved
    };
    struct Near {  // an unknown cell of the pattern around the opened one
        int cell;
        int box;  // -1: the interior
    };

    Held<Box> boxes;  // some may have no cells
    Held<Near> around;
    int unknown = 0, interior = 0;  // cells
    double interior_risk = 0;
};

// Works on the lattices that a solver has, and builds none. Layouts are told apart by the mines
// among the neighbours of the cell: that is one more index of every polynomial, a *lane*, and
// all values of the cell come out of one pass over the components that it touches. The others
// follow from tables, made once per position: the weight of each box by the component's mines.
class Branches {
public:
    // Turns to a position that was weighed. False: its weights do not fit plain doubles, or it
    // is too large. The solver must stay as it is.
    bool begin(const Solver& solver, const Prior& prior);

    // Opens a cell that is unknown, for the sake of argument. False: as above.
    bool open(int place, Budget& budget);
    // By the number of mines among its unknown neighbours: the weight of the layouts.
    std::span<const double> weights() const { return weights_; }
    // What the position is if that many are mined.
    const OpenedPosition& show(int mines);

private:
    struct Sums {  // the weight of mined cells and that of free ones, by box and lane
        Held<double> mined, free;

        void assign(std::size_t boxes, int width) {
            mined.assign(boxes * width, 0.0);
            free.assign(boxes * width, 0.0);
        }
        template <int Width>
        void add(std::size_t box, int shift, const double* mass, int mined_cells, int free_cells) {
            for (int lane = 0; lane < Width - shift; ++lane) {
                mined[box * Width + shift + lane] += mass[lane] * mined_cells;
                free[box * Width + shift + lane] += mass[lane] * free_cells;
            }
        }
        double risk(std::size_t at) const;
    };
    struct Table {  // the same by box and mines of the component; a length of 0: not made yet
        int length = 0;
        Held<double> mined, free;
    };
    // Polynomials in mines and lanes: so many numbers for each number of mines.
    using Terms = Held<double>;

    int component_of(int box) const;
    int split_number(int box) const;
    std::size_t first_split(int number) const;
    void touch(int place);
    bool weigh_interior();
    void multiply(const Terms& a, const Terms& b, Terms& product) const;
    template <int Width>
    void run(Budget& budget);
    template <int Width>
    void run_forward(int number, Terms& values, Terms& terms, Budget& budget);
    template <int Width>
    void run_backward(int number, const Terms& forward, int outside, Budget& budget);
    void make_table(int number, Budget& budget);
    void list_boxes(int place);

    const Solver* solver_ = nullptr;
    Prior prior_;
    int span_ = 0, low_ = 0;           // of the mines in all components
    Held<int> first_box_;              // by component: the number of its first box; and the end
    Held<int> box_of_;                 // by place; -1 outside the frontier
    Held<OpenedPosition::Box> boxes_;  // of all components, before anything is opened
    Held<Table> tables_;               // by component

    // Of the cell that is opened:
    int own_box_ = -1;                 // -1: it is in the interior
    int inside_ = 0;                   // its neighbours in the interior
    Held<std::uint8_t> beside_;        // by box: how many of its cells are beside the cell
    Held<int> split_;                  // boxes that have any
    Held<int> touched_, leaf_of_;      // components; by component its leaf in the tree, or -1
    ProductTree tree_;                 // of the components that are not touched
    Held<double> ways_, mined_, free_;                       // of the interior, by mines used
    Held<double> around_, mined_around_, free_around_, root_;  // the tree multiplied in
    int width_ = 1;
    Held<Terms> terms_, forward_;  // by touched component; the last terms are of `inside_`
    Terms all_, others_, seeds_, scratch_, here_, next_, mass_;
    Sums rest_, near_, inside_sums_;  // by box; by split box
    Held<double> weights_;
    OpenedPosition opened_;
};

}  // namespace mineproof
