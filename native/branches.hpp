// The positions that result from opening a cell, for all values that it can show in one pass.
#pragma once

#include <cstdint>
#include <span>

#include "budget.hpp"
#include "held.hpp"
#include "interior.hpp"
#include "product_tree.hpp"
#include "solver.hpp"

namespace mineproof {

// The unknown cells of a position after one more cell was opened, grouped into boxes of equal risk.
struct OpenedPosition {
    struct Box {
        int cells;
        bool is_local;    // whether it is in the region of the opened cell
        double risk = 0;  // exactly 0 or 1 if and only if it is proved
    };
    struct Near {  // an unknown cell in the pattern around the opened one
        int cell;
        int box;  // -1 for the interior
    };

    Held<Box> boxes;  // some may have no cells
    Held<Near> around;
    int unknown = 0, interior = 0;  // cells
    double interior_risk = 0;
};

// Uses the existing lattices of a solver and builds none. Layouts are classified by the number of
// mines next to the opened cell. This number is an additional index of every polynomial, called a
// *lane*, so one pass over the components that the cell touches gives the results for all values.
// Results for other components come from tables made once per position: the weight of each box for
// every number of mines in its component.
class Branches {
public:
    // Switches to a weighed position. Returns false if its weights do not fit into doubles, or if
    // it is too large. The solver must not change while it is used.
    bool begin(const Solver& solver, const Prior& prior);

    // Opens an unknown cell hypothetically. Returns false in the same cases as `begin`.
    bool open(int place, Budget& budget);
    // Returns the weight of the layouts, by the number of mines among the cell's unknown
    // neighbours.
    std::span<const double> weights() const { return weights_; }
    // Returns the position for that number of mines.
    const OpenedPosition& show(int mines);

private:
    struct Sums {  // the weights of mined cells and of free cells, by box and lane
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
    struct Table {  // such weights by box and mines of the component; length 0: not computed
        int length = 0;
        Held<double> mined, free;
    };
    // Polynomials in mines and lanes: `Width` numbers for each number of mines.
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
    int span_ = 0, low_ = 0;           // range of the mines in all components
    Held<int> first_box_;              // by component: index of its first box; then the end
    Held<int> box_of_;                 // by place; -1 outside the frontier
    Held<OpenedPosition::Box> boxes_;  // of all components, before the cell is opened
    Held<Table> tables_;               // by component

    // Values for the opened cell:
    int own_box_ = -1;                 // -1 if the cell is in the interior
    int inside_ = 0;                   // number of its neighbours in the interior
    Held<std::uint8_t> adjacent_;      // by box: how many of its cells touch the opened cell
    Held<int> split_;                  // boxes with such cells
    Held<int> touched_, leaf_of_;      // components; by component, its leaf in the tree or -1
    ProductTree tree_;                 // of the components that the cell does not touch
    Held<double> ways_, mined_, free_;                       // of the interior, by mines outside it
    Held<double> around_, mined_around_, free_around_, root_;  // multiplied by the tree
    int width_ = 1;
    Held<Terms> terms_, forward_;  // by touched component; the last terms are those of `inside_`
    Terms all_, others_, seeds_, scratch_, here_, next_, mass_;
    Sums rest_, near_, inside_sums_;  // by box; by split box
    Held<double> weights_;
    OpenedPosition opened_;
};

}  // namespace mineproof
