// Reads positions from plain `.mine` text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "budget.hpp"
#include "position.hpp"

namespace mineproof {

// Reads text with one position and a known number of mines, like
// src/mineproof/notation/position_text.py. Returns nothing if anything is unusual or wrong: that
// module then reads the text again and reports the error.
std::optional<Position> read_plain_position(std::string_view text);

// Returns the CPU seconds for reading and solving a plain position. Throws std::invalid_argument if
// it is not plain, or if no layout fits.
double time_plain_position(std::string_view text, std::int64_t nodes, int repeats,
                           const Poll& poll);

}  // namespace mineproof
