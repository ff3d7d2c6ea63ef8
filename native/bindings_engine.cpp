// The exact engine for Python. Results cross the border as flat bytes.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "exact_terms.hpp"
#include "posterior.hpp"
#include "text.hpp"

namespace mineproof {
namespace {

// What is larger does not leave its memory behind.
constexpr int kept_cells = 10'000;
constexpr std::int64_t kept_nodes = 20'000;

ClueKind clues_named(const std::string& name) {
    if (name == "exact" || name == "withheld") return ClueKind::exact;
    if (name == "optimistic") return ClueKind::optimistic;
    if (name == "cautious") return ClueKind::cautious;
    throw std::invalid_argument("expected clues exact, withheld, optimistic or cautious, got " +
                                name);
}

// A solver of the thread's own that keeps its memory from call to call. While it is in use (a
// signal handler may call the engine again) or for a large board, another one serves.
class Lease {
public:
    explicit Lease(const Grid& grid)
        : kept_(!mine().is_lent && grid.cells() <= kept_cells),
          solver_(kept_ && mine().solver ? std::move(mine().solver) : std::make_unique<Solver>()) {
        if (kept_) mine().is_lent = true;
    }
    ~Lease() {
        if (kept_) mine().is_lent = false;
        if (is_fit_) mine().solver = std::move(solver_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Solver& operator*() { return *solver_; }
    // All went well, and it took little memory: the solver may be used again.
    void give_back(std::int64_t nodes) { is_fit_ = kept_ && nodes <= kept_nodes; }

private:
    struct Mine {
        std::unique_ptr<Solver> solver;
        bool is_lent = false;
    };
    static Mine& mine() {
        static thread_local Mine of_thread;
        return of_thread;
    }
    bool kept_;
    bool is_fit_ = false;
    std::unique_ptr<Solver> solver_;
};

enum Status { solved = 0, contradiction = 1, limit = 2 };

// (status, risk as doubles, verdicts, nodes); the middle two are empty if it is not solved.
using Answer = std::tuple<int, nb::bytes, nb::bytes, std::int64_t>;

Answer answer(const Grid& grid, ClueKind kind, const std::uint8_t* shown, const Prior& prior,
              std::int64_t nodes, const Poll& poll) {
    Lease solver(grid);
    Budget budget(nodes, poll);
    Status status = solved;
    try {
        nb::gil_scoped_release unlocked;
        if (!solve(*solver, grid, kind, shown, prior, budget)) status = contradiction;
    } catch (const WorkLimit&) {
        status = limit;
    }
    const std::size_t cells = status == solved ? static_cast<std::size_t>(grid.cells()) : 0;
    nb::bytes risk = blank_bytes(cells * sizeof(double)), verdict = blank_bytes(cells);
    if (status == solved)
        write_results(*solver, reinterpret_cast<double*>(inside(risk)),
                      reinterpret_cast<Verdict*>(inside(verdict)));
    if (status != limit) solver.give_back(budget.used());
    return {status, std::move(risk), std::move(verdict), budget.used()};
}

Answer solve_position(int rows, int columns, const nb::bytes& shown, const std::string& clues,
                      const std::string& prior, double low, double high, std::int64_t nodes,
                      std::optional<double> seconds) {
    const Grid grid = checked_grid(rows, columns);
    return answer(grid, clues_named(clues), checked_codes(grid, shown),
                  checked_prior(prior, low, high), checked_nodes(nodes), Patience(seconds));
}

// None if the text is not a plain position; else (rows, columns, mines, shown, *answer).
nb::object solve_text(const nb::str& text, std::int64_t nodes) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {  // lone surrogates
        PyErr_Clear();
        return nb::none();
    }
    static thread_local PlainPosition kept;
    if (!read_plain_position({data, static_cast<std::size_t>(size)}, kept)) return nb::none();
    const PlainPosition& position = kept;
    const Grid grid(position.rows, position.columns);
    nb::bytes shown(reinterpret_cast<const char*>(position.shown.data()), position.shown.size());
    const int mines = position.mines;
    const auto* codes = reinterpret_cast<const std::uint8_t*>(shown.c_str());
    auto [status, risk, verdict, used] = answer(grid, ClueKind::exact, codes, Prior::known(mines),
                                                checked_nodes(nodes), Patience());
    return nb::make_tuple(grid.rows, grid.columns, mines, shown, status, risk, verdict, used);
}

// CPU seconds that reading and solving a plain position takes inside the core.
double time_text(const nb::str& text, std::int64_t nodes, int repeats) {
    const std::string data = nb::cast<std::string>(text);
    if (repeats < 1 || repeats > 1'000'000)
        throw std::invalid_argument("expected 1 to 1000000 repeats");
    const Poll poll = Patience();
    nb::gil_scoped_release unlocked;
    Solver solver;
    PlainPosition position;
    std::vector<double> risk;
    std::vector<Verdict> verdict;
    const auto once = [&] {
        if (!read_plain_position(data, position))
            throw std::invalid_argument("expected a plain position");
        const Grid grid(position.rows, position.columns);
        Budget budget(checked_nodes(nodes), poll);
        if (!solve(solver, grid, ClueKind::exact, position.shown.data(),
                   Prior::known(position.mines), budget))
            throw std::invalid_argument("expected a position that has layouts");
        risk.resize(position.shown.size());
        verdict.resize(position.shown.size());
        write_results(solver, risk.data(), verdict.data());
    };
    once();  // memory is taken here
    const double before = cpu_seconds();
    for (int i = 0; i < repeats; ++i) {
        if (i % 1024 == 0) poll();
        once();
    }
    return (cpu_seconds() - before) / repeats;
}

nb::object to_integer(const std::uint64_t* words, int count) {
    const nb::bytes data(reinterpret_cast<const char*>(words), static_cast<std::size_t>(count) * 8);
    return nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)).attr("from_bytes")(data, "little");
}

// One (least mines, [layouts, ..]) for each component, in exact integers.
nb::list polynomials(const Posterior& posterior) {
    nb::list all;
    for (int number = 0; number < posterior.solver().component_count(); ++number) {
        const ExactTerms terms = exact_terms(posterior.solver().component(number));
        nb::list counts;
        for (int i = 0; i < terms.count; ++i)
            counts.append(to_integer(&terms.words[static_cast<std::size_t>(i) * terms.limbs],
                                     terms.limbs));
        all.append(nb::make_tuple(terms.low, counts));
    }
    return all;
}

void make_posterior(Posterior* place, int rows, int columns, const nb::bytes& shown,
                    const std::string& clues, const std::string& prior, double low, double high,
                    std::int64_t nodes, std::optional<double> seconds) {
    const Grid grid = checked_grid(rows, columns);
    const ClueKind kind = clues_named(clues);
    const std::uint8_t* codes = checked_codes(grid, shown);
    const Prior weights = checked_prior(prior, low, high);
    const Poll poll = Patience(seconds);
    Budget budget(checked_nodes(nodes), poll);
    nb::gil_scoped_release unlocked;
    auto* made = new (place) Posterior(grid, kind, codes, weights, checked_nodes(nodes), budget);
    if (made->possible()) return;
    made->~Posterior();
    throw std::invalid_argument("expected a position that has layouts");
}

int checked_cell(const Posterior& posterior, int cell) {
    const Field& field = posterior.solver().field;
    if (cell < 0 || cell >= field.grid().cells() ||
        field.code[field.grid().place(cell)] != unopened)
        throw std::invalid_argument("expected an unopened cell");
    return cell;
}

nb::tuple values(Posterior& posterior, int cell) {
    const auto [a, b, c, d, e, f, g, h, i] = posterior.values(checked_cell(posterior, cell));
    return nb::make_tuple(a, b, c, d, e, f, g, h, i);
}

nb::object suppose(Posterior& posterior, const std::vector<std::pair<int, int>>& clues) {
    std::vector<Posterior::Shown> shown;
    std::set<int> cells;
    for (const auto& [cell, clue] : clues) {
        if (clue < 0 || clue > 8) throw std::invalid_argument("expected clues from 0 to 8");
        if (!cells.insert(cell).second) throw std::invalid_argument("expected distinct cells");
        shown.push_back({checked_cell(posterior, cell), static_cast<std::uint8_t>(clue)});
    }
    const auto size = static_cast<std::size_t>(posterior.solver().field.grid().cells());
    nb::bytes risk = blank_bytes(size * sizeof(double)), verdict = blank_bytes(size);
    if (!posterior.suppose(shown, reinterpret_cast<double*>(inside(risk)),
                           reinterpret_cast<Verdict*>(inside(verdict))))
        return nb::none();
    return nb::make_tuple(risk, verdict);
}

nb::bytes sample(Posterior& posterior, std::uint64_t seed) {
    nb::bytes mined =
        blank_bytes(static_cast<std::size_t>(posterior.solver().field.grid().cells()));
    posterior.sample(seed, reinterpret_cast<std::uint8_t*>(inside(mined)));
    return mined;
}

}  // namespace

void bind_engine(nb::module_& module) {
    nb::exception<WorkLimit>(module, "WorkLimit", PyExc_RuntimeError);
    module.def("solve_text", &solve_text, nb::arg("text"), nb::arg("nodes"),
               "Read and solve one plain position: None if it is not plain, else (rows, columns, "
               "mines, shown, status, risks, verdicts, nodes).");
    module.def("time_text", &time_text, nb::arg("text"), nb::arg("nodes"), nb::arg("repeats"),
               "Give the CPU seconds that reading and solving a plain position takes in the core.");
    module.def("solve", &solve_position, nb::arg("rows"), nb::arg("columns"), nb::arg("shown"),
               nb::arg("clues"), nb::arg("prior"), nb::arg("low"), nb::arg("high"),
               nb::arg("nodes"), nb::arg("seconds").none(),
               "Solve a position: (status, risks, verdicts, nodes). Status 0 solved, 1 no layout, "
               "2 work limit. Risks are doubles, verdicts 0 open, 1 safe, 2 mined; one a cell.");
    nb::class_<Posterior>(module, "Posterior", "The layouts of a position that has some.")
        .def("__init__", &make_posterior, nb::arg("rows"), nb::arg("columns"), nb::arg("shown"),
             nb::arg("clues"), nb::arg("prior"), nb::arg("low"), nb::arg("high"),
             nb::arg("nodes"), nb::arg("seconds").none(),
             "Solve a position. Raises ValueError if it has no layout, WorkLimit past the limits.")
        .def("polynomials", &polynomials,
             "Give (least mines, [exact number of layouts by mines]) for each component.")
        .def_prop_ro(
            "fixed", [](const Posterior& self) { return self.solver().field.known_mines; },
            "The mines that are shown or proved by single clues.")
        .def_prop_ro(
            "interior", [](const Posterior& self) { return self.solver().field.interior_cells; },
            "The unopened cells next to no clue that are not proved by single clues.")
        .def("values", &values, nb::arg("cell"),
             "Give the chances that a cell is safe and has 0, 1, .. 8 mined neighbours.")
        .def("suppose", &suppose, nb::arg("clues"),
             "Give (risks, verdicts) if unopened cells showed clues, given as (cell, clue); None "
             "if they cannot.")
        .def("sample", &sample, nb::arg("seed"), "Draw a layout by weight: one byte a cell.");
}

}  // namespace mineproof
