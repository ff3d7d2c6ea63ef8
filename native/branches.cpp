#include "branches.hpp"

#include <algorithm>

#include "lookahead.hpp"

namespace mineproof {
namespace {

constexpr std::uint32_t max_numbers = 100'000;  // per lattice; larger ones take too much memory

// Calls visit(adjacent, factor) for each number of mines that an edge can place next to the opened
// cell. The box has `size` cells, `near` of them next to that cell; it had `whole` cells before.
template <class Visit>
void share_out(const Lattice::Edge& edge, int whole, int size, int near, Visit visit) {
    if (size == whole && near == 0) return visit(0, edge.factor);
    const int mines = static_cast<int>(edge.mines), rest = size - near;
    const double weight = edge.factor / choose[whole][mines];
    for (int adjacent = std::max(0, mines - rest); adjacent <= std::min(near, mines); ++adjacent)
        visit(adjacent, weight * choose[near][adjacent] * choose[rest][mines - adjacent]);
}

// Adds a multiple of one polynomial to another. Lanes above the last value are empty, so a shift by
// lanes is a shift by numbers. The target needs that much extra space at its end.
template <int Width>
void add_multiple(const double* __restrict source, double factor, int length,
                  double* __restrict target) {
    for (int i = 0; i < length; ++i)
        for (int lane = 0; lane < Width; ++lane)
            target[i * Width + lane] += factor * source[i * Width + lane];
}

// Sums the products of the polynomials before and after an edge over the numbers of mines. Both
// have lanes from 0 to their last one, and lanes are added.
template <int Width>
void add_mass(const double* before, int stride, int last_before, const double* after,
              int last_after, int length, double factor, double* __restrict mass) {
    if (last_before == 0 || last_after == 0) {
        const double* one = last_before == 0 ? before : after;
        const double* many = last_before == 0 ? after : before;
        const int step = last_before == 0 ? stride : Width;
        double sums[Width] = {};
        for (int i = 0; i < length; ++i)
            for (int lane = 0; lane < Width; ++lane)
                sums[lane] += one[i * step] * many[i * Width + lane];
        for (int lane = 0; lane < Width; ++lane) mass[lane] += factor * sums[lane];
        return;
    }
    for (int i = 0; i < length; ++i)
        for (int first = 0; first <= last_before; ++first) {
            const double weight = factor * before[i * Width + first];
            for (int lane = 0; lane < Width; ++lane)
                mass[first + lane] += weight * after[i * Width + lane];
        }
}

double risk_of(double mined, double free) {
    return mined == 0 ? 0.0 : free == 0 ? 1.0 : keep_open(mined / (mined + free));
}

double dot(const double* a, const double* b, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

double Branches::Sums::risk(std::size_t at) const { return risk_of(mined[at], free[at]); }

bool Branches::begin(const Solver& solver, const Prior& prior) {
    solver_ = &solver;
    prior_ = prior;
    if (!solver.mixture().is_plain() || !solver.interior().is_known()) return false;
    box_of_.assign(solver.field.code.size(), -1);
    boxes_.clear();
    first_box_.clear();
    split_.clear();
    span_ = low_ = 0;
    for (int number = 0; number < solver.component_count(); ++number) {
        const Component& component = solver.component(number);
        if (component.lattice.numbers > max_numbers) return false;
        first_box_.push_back(static_cast<int>(boxes_.size()));
        span_ += component.span();
        low_ += component.low();
        for (int box = 0; box < component.problem.box_count(); ++box) {
            for (int place : component.places.cells_of(box))
                box_of_[place] = static_cast<int>(boxes_.size());
            boxes_.push_back({component.problem.sizes[box], false});
        }
    }
    first_box_.push_back(static_cast<int>(boxes_.size()));
    adjacent_.assign(boxes_.size(), 0);
    tables_.resize(first_box_.size());
    for (Table& table : tables_) table.length = 0;
    return true;
}

int Branches::component_of(int box) const {
    const auto next = std::upper_bound(first_box_.begin(), first_box_.end(), box);
    return static_cast<int>(next - first_box_.begin()) - 1;
}

// Returns the index of a box among the split boxes, or their number if it is not one of them.
int Branches::split_number(int box) const {
    return static_cast<int>(std::find(split_.begin(), split_.end(), box) - split_.begin());
}

// Returns the first layer whose box contains the opened cell or one of its neighbours.
std::size_t Branches::first_split(int number) const {
    const Lattice& lattice = solver_->component(number).lattice;
    std::size_t layer = 0;
    while (layer < lattice.boxes.size()) {
        const int box = first_box_[number] + lattice.boxes[layer];
        if (adjacent_[box] > 0 || box == own_box_) break;
        ++layer;
    }
    return layer;
}

// Finds the components and boxes that a cell touches.
void Branches::touch(int place) {
    const Field& field = solver_->field;
    for (int box : split_) adjacent_[box] = 0;
    split_.clear();
    inside_ = 0;
    own_box_ = box_of_[place];
    leaf_of_.assign(first_box_.size(), 0);
    if (own_box_ >= 0) leaf_of_[component_of(own_box_)] = -1;
    for (int step : field.grid().steps) {
        const int near = place + step;
        if (!field.is_unknown(near)) continue;
        const int box = box_of_[near];
        inside_ += box < 0;
        if (box < 0 || adjacent_[box]++ > 0) continue;
        split_.push_back(box);
        leaf_of_[component_of(box)] = -1;
    }
    touched_.clear();
    tree_.clear();
    int leaves = 0;
    for (int number = 0; number < solver_->component_count(); ++number) {
        if (leaf_of_[number] < 0) {
            touched_.push_back(number);
        } else {
            leaf_of_[number] = leaves++;
            tree_.add(solver_->component(number).factor().terms);
        }
    }
    tree_.multiply(0);
}

bool Branches::open(int place, Budget& budget) {
    const Field& field = solver_->field;
    touch(place);
    const int values = field.unknown(place) + 1;
    opened_.unknown = field.unknown_cells - 1;
    opened_.interior = field.interior_cells - inside_ - (own_box_ < 0);
    if (!weigh_interior()) return false;
    for (int number = 0; number < solver_->component_count(); ++number)
        if (leaf_of_[number] >= 0 && tables_[number].length == 0) make_table(number, budget);
    if (values <= 4)
        run<4>(budget);
    else if (values <= 6)
        run<6>(budget);
    else if (values <= 8)
        run<8>(budget);
    else
        run<10>(budget);
    weights_.assign(values, 0.0);
    for (int k = 0; k * width_ < static_cast<int>(all_.size()); ++k)
        for (int lane = 0; lane < values; ++lane)
            weights_[lane] += all_[k * width_ + lane] * around_[k];
    list_boxes(place);
    return true;
}

// Computes the weights of the interior by the mines outside it, and for what the opened cell
// touches, the weight of everything else.
bool Branches::weigh_interior() {
    const Field& field = solver_->field;
    const int count = span_ + inside_ + 1, cells = opened_.interior;
    double bits = 0;
    const Interior interior(prior_, cells, field.known_mines, field.grid().cells());
    if (!interior.weigh(low_, count, ways_, bits)) return false;
    mined_.resize(count);
    free_.resize(count);
    for (int i = 0; i < count; ++i) {
        const int mines = prior_.low - field.known_mines - low_ - i;
        mined_[i] = ways_[i] * mines;
        free_[i] = ways_[i] * (cells - mines);
    }
    const auto product = tree_.product();
    const std::size_t most = count - product.size() + 1;  // lengths of the touched polynomials
    around_.resize(most);
    mined_around_.resize(most);
    free_around_.resize(most);
    for (std::size_t k = 0; k < most; ++k) {
        around_[k] = dot(product.data(), &ways_[k], product.size());
        mined_around_[k] = dot(product.data(), &mined_[k], product.size());
        free_around_[k] = dot(product.data(), &free_[k], product.size());
    }
    return true;
}

void Branches::multiply(const Terms& a, const Terms& b, Terms& product) const {
    product.assign(a.size() + b.size(), 0.0);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != 0)
            for (std::size_t k = 0; k < b.size(); ++k) product[i + k] += a[i] * b[k];
    product.resize(a.size() + b.size() - width_);
}

template <int Width>
void Branches::run(Budget& budget) {
    width_ = Width;
    const std::size_t count = touched_.size();
    if (terms_.size() < count + 1) terms_.resize(count + 1);
    if (forward_.size() < count) forward_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        run_forward<Width>(touched_[i], forward_[i], terms_[i], budget);
    Terms& inside = terms_[count];
    inside.assign((inside_ + 1) * Width, 0.0);
    for (int mines = 0; mines <= inside_; ++mines)
        inside[mines * Width + mines] = choose[inside_][mines];
    rest_.assign(boxes_.size(), Width);
    near_.assign(split_.size(), Width);
    all_ = inside;
    for (std::size_t i = 0; i < count; ++i) {
        multiply(all_, terms_[i], scratch_);
        all_.swap(scratch_);
    }
    inside_sums_.assign(1, Width);
    for (std::size_t i = 0; i <= count; ++i) {
        others_.assign(Width, 0.0);
        others_[0] = 1;
        for (std::size_t other = 0; other <= count; ++other) {
            if (other == i) continue;
            multiply(others_, terms_[other], scratch_);
            others_.swap(scratch_);
        }
        const std::size_t length = terms_[i].size() / Width;
        seeds_.assign(length * Width, 0.0);
        for (std::size_t k = 0; k < length; ++k)
            for (std::size_t other = 0; other * Width < others_.size(); ++other)
                for (int lane = 0; lane < Width; ++lane)
                    seeds_[k * Width + lane] += others_[other * Width + lane] * around_[k + other];
        if (i == count) continue;
        int outside = inside_;  // neighbours of the cell outside this component
        for (int box : split_) outside += component_of(box) == touched_[i] ? 0 : adjacent_[box];
        run_backward<Width>(touched_[i], forward_[i], outside, budget);
    }
    for (int mines = 0; mines <= inside_; ++mines)
        for (int lane = 0; mines + lane < Width; ++lane) {
            const double mass = inside[mines * Width + mines] * seeds_[mines * Width + lane];
            inside_sums_.mined[mines + lane] += mass * mines;
            inside_sums_.free[mines + lane] += mass * (inside_ - mines);
        }
}

// Computes the polynomials of all states from the first split box on, and of the whole component.
template <int Width>
void Branches::run_forward(int number, Terms& values, Terms& terms, Budget& budget) {
    const Component& component = solver_->component(number);
    const Lattice& lattice = component.lattice;
    const std::size_t split = first_split(number);
    const std::uint32_t base = lattice.states[lattice.layers[split]].offset;
    values.assign((lattice.numbers - base + 1) * Width, 0.0);
    for (std::uint32_t at = base; at < lattice.states[lattice.layers[split + 1]].offset; ++at)
        values[(at - base) * Width] = component.forward()[at];
    for (std::size_t layer = split; layer < lattice.boxes.size(); ++layer) {
        const int box = lattice.boxes[layer], whole = component.problem.sizes[box];
        const int near = adjacent_[first_box_[number] + box];
        const int size = whole - (first_box_[number] + box == own_box_);
        for (std::uint32_t from = lattice.layers[layer]; from < lattice.layers[layer + 1]; ++from) {
            const Lattice::State& here = lattice.states[from];
            const double* source = &values[(here.offset - base) * Width];
            budget.tick(here.length);
            for (std::uint32_t e = here.edges; e < lattice.states[from + 1].edges; ++e) {
                const Lattice::Edge& edge = lattice.edges[e];
                const Lattice::State& there = lattice.states[edge.to];
                const std::uint32_t shift = here.low + edge.mines - there.low;
                double* target = &values[(there.offset - base + shift) * Width];
                share_out(edge, whole, size, near, [&](int adjacent, double factor) {
                    add_multiple<Width>(source, factor, here.length, target + adjacent);
                });
            }
        }
    }
    terms.assign(values.end() - (lattice.last(0).length + 1) * Width, values.end() - Width);
}

// Computes the sums of all boxes from the weights outside the component, in `seeds_`. The lanes
// after a box are the mines next to the opened cell that are not placed yet.
template <int Width>
void Branches::run_backward(int number, const Terms& forward, int outside, Budget& budget) {
    const Component& component = solver_->component(number);
    const Lattice& lattice = component.lattice;
    const std::size_t split = first_split(number);
    const std::uint32_t base = lattice.states[lattice.layers[split]].offset;
    int before = 0, after = outside;  // index of the last lane
    for (int box = first_box_[number]; box < first_box_[number + 1]; ++box)
        before += adjacent_[box];
    std::uint32_t next_base = lattice.last(0).offset;
    next_ = seeds_;
    for (std::size_t layer = lattice.boxes.size(); layer-- > 0;) {
        const int box = lattice.boxes[layer], whole = component.problem.sizes[box];
        const int number_of = first_box_[number] + box, near = adjacent_[number_of];
        const int size = whole - (number_of == own_box_);
        before -= near;
        const std::uint32_t here_base = lattice.states[lattice.layers[layer]].offset;
        here_.assign((next_base - here_base + 1) * Width, 0.0);
        mass_.assign((whole + 1) * (near + 1) * Width + Width, 0.0);
        for (std::uint32_t from = lattice.layers[layer]; from < lattice.layers[layer + 1]; ++from) {
            const Lattice::State& here = lattice.states[from];
            budget.tick(here.length);
            const bool is_split = layer >= split;
            const double* past = is_split ? &forward[(here.offset - base) * Width]
                                          : &component.forward()[here.offset];
            double* target = &here_[(here.offset - here_base) * Width];
            for (std::uint32_t e = here.edges; e < lattice.states[from + 1].edges; ++e) {
                const Lattice::Edge& edge = lattice.edges[e];
                const Lattice::State& there = lattice.states[edge.to];
                const std::uint32_t shift = here.low + edge.mines - there.low;
                const double* source = &next_[(there.offset - next_base + shift) * Width];
                share_out(edge, whole, size, near, [&](int adjacent, double factor) {
                    add_multiple<Width>(source, factor, here.length, target + adjacent);
                    add_mass<Width>(past, is_split ? Width : 1, before, source, after, here.length,
                                    factor, &mass_[(edge.mines * (near + 1) + adjacent) * Width]);
                });
            }
        }
        const int split_box = split_number(number_of);
        for (int mines = 0; mines <= whole; ++mines)
            for (int adjacent = 0; adjacent <= std::min(near, mines); ++adjacent) {
                const double* mass = &mass_[(mines * (near + 1) + adjacent) * Width];
                rest_.add<Width>(number_of, adjacent, mass, mines - adjacent,
                                 size - near - mines + adjacent);
                if (near > 0)
                    near_.add<Width>(split_box, adjacent, mass, adjacent, near - adjacent);
            }
        after += near;
        here_.swap(next_);
        next_base = here_base;
    }
}

// Computes the weight of each box by the mines of the component, which take the place of the lanes.
void Branches::make_table(int number, Budget& budget) {
    constexpr int lanes = 8;
    Table& table = tables_[number];
    const int boxes = first_box_[number + 1] - first_box_[number];
    table.length = solver_->component(number).span() + 1;
    table.mined.assign(boxes * table.length, 0.0);
    table.free.assign(boxes * table.length, 0.0);
    for (int begin = 0; begin < table.length; begin += lanes) {
        const int count = std::min(lanes, table.length - begin);
        seeds_.assign(table.length * lanes, 0.0);
        for (int lane = 0; lane < count; ++lane) seeds_[(begin + lane) * lanes + lane] = 1;
        rest_.assign(boxes_.size(), lanes);
        run_backward<lanes>(number, {}, 0, budget);
        for (int box = 0; box < boxes; ++box)
            for (int lane = 0; lane < count; ++lane) {
                const int from = (first_box_[number] + box) * lanes + lane;
                table.mined[box * table.length + begin + lane] = rest_.mined[from];
                table.free[box * table.length + begin + lane] = rest_.free[from];
            }
    }
}

// Lists the boxes without the neighbours of the opened cell, then these neighbours and the
// interior.
void Branches::list_boxes(int place) {
    const Field& field = solver_->field;
    opened_.boxes = boxes_;
    if (own_box_ >= 0) {
        const int home = component_of(own_box_);
        for (int box = first_box_[home]; box < first_box_[home + 1]; ++box)
            opened_.boxes[box].is_local = true;
        --opened_.boxes[own_box_].cells;
    }
    for (int box : split_) {
        opened_.boxes[box].cells -= adjacent_[box];
        opened_.boxes.push_back({adjacent_[box], true});
    }
    opened_.boxes.push_back({inside_, true});
    opened_.around.clear();
    field.grid().each_around(place, Reply::reach, [&](int cell, int other) {
        if (other == place || !field.is_unknown(other)) return;
        int box = box_of_[other];
        if (field.grid().is_near(place, other))
            box = static_cast<int>(boxes_.size()) + split_number(box);
        opened_.around.push_back({cell, box});
    });
}

const OpenedPosition& Branches::show(int mines) {
    const auto product = tree_.product();
    root_.assign(product.size(), 0.0);
    double mined = 0, free = 0;
    for (std::size_t k = 0; k * width_ < all_.size(); ++k) {
        const double weight = all_[k * width_ + mines];
        if (weight == 0) continue;
        mined += weight * mined_around_[k];
        free += weight * free_around_[k];
        for (std::size_t i = 0; i < product.size(); ++i) root_[i] += weight * ways_[k + i];
    }
    opened_.interior_risk = risk_of(mined, free);
    tree_.spread(root_);
    for (int number = 0; number < solver_->component_count(); ++number) {
        const Table& table = tables_[number];
        const auto length = static_cast<std::size_t>(table.length);
        const int first = first_box_[number];
        for (int box = first; box < first_box_[number + 1]; ++box) {
            const std::size_t at = (box - first) * length;
            double& risk = opened_.boxes[box].risk;
            if (leaf_of_[number] < 0) {
                risk = rest_.risk(box * width_ + mines);
            } else {
                const double* outer = tree_.outer(leaf_of_[number]).data();
                risk = risk_of(dot(outer, &table.mined[at], length),
                               dot(outer, &table.free[at], length));
            }
        }
    }
    for (std::size_t i = 0; i < split_.size(); ++i)
        opened_.boxes[boxes_.size() + i].risk = near_.risk(i * width_ + mines);
    opened_.boxes.back().risk = inside_sums_.risk(mines);
    return opened_;
}

}  // namespace mineproof
