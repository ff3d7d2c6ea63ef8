// The Python module mineproof._native: dealing here, engine and games in the files beside.
#include "bindings.hpp"

#include <nanobind/stl/string.h>

#include <vector>

using namespace mineproof;

NB_MODULE(_native, module) {
    module.doc() = "The native core of Mineproof.";
    nb::set_leak_warnings(false);  // an agent kept for the next game may outlive the interpreter
    module.def(
        "deal",
        [](int rows, int columns, int mines, const std::string& start, std::int64_t first,
           std::uint64_t seed) {
            const std::vector<std::uint8_t> mined =
                deal(rows, columns, mines, start_named(start), first, seed);
            return nb::bytes(reinterpret_cast<const char*>(mined.data()), mined.size());
        },
        nb::arg("rows"), nb::arg("columns"), nb::arg("mines"), nb::arg("start"), nb::arg("first"),
        nb::arg("seed"), "Deal a board as mineproof.core.board.deal does: one byte a cell.");
    bind_engine(module);
    bind_play(module);
    bind_endgame(module);
    bind_champion(module);
    bind_deep(module);
}
