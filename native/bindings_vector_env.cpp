// Python bindings of the vectorised environment. Arrays are passed as buffers (for example from
// numpy) and stay referenced.
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "position.hpp"
#include "vector_env.hpp"

namespace mineproof {
namespace {

// A Python buffer, referenced while it is in use.
class Buffer {
public:
    Buffer(nb::handle owner, std::int64_t bytes, bool written) {
        const int flags = PyBUF_C_CONTIGUOUS | (written ? PyBUF_WRITABLE : 0);
        const bool held = PyObject_GetBuffer(owner.ptr(), &view_, flags) == 0;
        if (held && view_.len == bytes) return;
        if (held) PyBuffer_Release(&view_);
        PyErr_Clear();
        throw std::invalid_argument("expected arrays of the right size and type");
    }
    ~Buffer() { PyBuffer_Release(&view_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class Number>
    Number* as() const {
        return static_cast<Number*>(view_.buf);
    }

private:
    Py_buffer view_;
};

// The buffers of all arrays, in the order of `VectorArrays`.
struct Held {
    Held(const nb::tuple& arrays, std::int64_t boards, std::int64_t cells)
        : shown(arrays[0], boards * cells, true),
          mask(arrays[1], boards * cells, true),
          rewards(arrays[2], boards * 8, true),
          terminated(arrays[3], boards, true),
          truncated(arrays[4], boards, true),
          won(arrays[5], boards, true),
          seeds(arrays[6], boards * 8, true) {}

    VectorArrays pointers() const {
        return {shown.as<std::int8_t>(),        mask.as<std::int8_t>(),
                rewards.as<double>(),           terminated.as<std::uint8_t>(),
                truncated.as<std::uint8_t>(),   won.as<std::uint8_t>(),
                seeds.as<std::uint64_t>()};
    }

    Buffer shown, mask, rewards, terminated, truncated, won, seeds;
};

struct HeldVectorEnv {
    HeldVectorEnv(const VectorRules& rules, std::int64_t boards, const nb::tuple& arrays)
        : held(arrays, boards, rules.grid.cells()),
          env(rules, boards, held.pointers()) {}

    Held held;
    VectorEnv env;
};

void make(HeldVectorEnv* place, int rows, int columns, int mines, const std::string& start,
          int given, std::int64_t boards, const nb::tuple& arrays) {
    if (arrays.size() != 7) throw std::invalid_argument("expected seven arrays");
    const Grid grid = Grid::checked(rows, columns);
    if (boards < 1 || boards > (std::int64_t{1} << 31))
        throw std::invalid_argument("expected at least one board and at most 2^31 cells");
    new (place) HeldVectorEnv({grid, mines, start_named(start), given}, boards, arrays);
}

void step(HeldVectorEnv& all, nb::object cells) {
    const Buffer given(cells, all.env.boards() * 8, false);
    nb::gil_scoped_release unlocked;
    all.env.step(given.as<const std::int64_t>());
}

nb::object writable_bytes(void* start, std::size_t size) {
    return nb::steal(PyMemoryView_FromMemory(static_cast<char*>(start),
                                             static_cast<Py_ssize_t>(size), PyBUF_WRITE));
}

nb::tuple memory(HeldVectorEnv& all) {
    auto& states = all.env.states();
    auto& truth = all.env.truth();
    return nb::make_tuple(writable_bytes(states.data(), states.size() * sizeof(states[0])),
                          writable_bytes(truth.data(), truth.size()));
}

}  // namespace

void bind_vector_env(nb::module_& module) {
    nb::class_<HeldVectorEnv>(module, "VectorEnv", "Many boards that are played in parallel.")
        .def("__init__", &make, nb::arg("rows"), nb::arg("columns"), nb::arg("mines"),
             nb::arg("start"), nb::arg("given"), nb::arg("boards"), nb::arg("arrays"),
             "Start with seed 0 on all boards.")
        .def(
            "reset",
            [](HeldVectorEnv& all, std::int64_t board, std::uint64_t seed) {
                all.env.reset(board, seed);
            },
            nb::arg("board"), nb::arg("seed"), "Start episode 0 of a seed on a board.")
        .def(
            "next_episode",
            [](HeldVectorEnv& all, std::int64_t board) { all.env.next_episode(board); },
            nb::arg("board"), "Start the next episode on a board.")
        .def("step", &step, nb::arg("cells"),
             "Open a cell on each board. If its game is over, start the next episode instead.")
        .def("memory", &memory,
             "Return the states and the boards as writable bytes, valid as long as this object.");
}

}  // namespace mineproof
