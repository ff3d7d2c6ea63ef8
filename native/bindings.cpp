// The only file of the core that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "deal.hpp"

namespace nb = nanobind;
using namespace mineproof;

namespace {

Start start_named(const std::string& name) {
    if (name == "any" || name == "given") return Start::any;
    if (name == "safe") return Start::safe;
    if (name == "opening") return Start::opening;
    throw std::invalid_argument("expected a start any, safe, opening or given, got " + name);
}

nb::bytes to_bytes(const std::vector<std::uint8_t>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size());
}

}  // namespace

NB_MODULE(_native, module) {
    module.doc() = "The native core of Mineproof.";
    module.def(
        "deal",
        [](int rows, int columns, int mines, const std::string& start, std::int64_t first,
           std::uint64_t seed) {
            return to_bytes(deal(rows, columns, mines, start_named(start), first, seed));
        },
        nb::arg("rows"), nb::arg("columns"), nb::arg("mines"), nb::arg("start"), nb::arg("first"),
        nb::arg("seed"), "Deal a board as mineproof.core.board.deal does: one byte a cell.");
}
