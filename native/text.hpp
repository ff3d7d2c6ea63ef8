// Positions as `.mine` text, the plain ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "budget.hpp"
#include "position.hpp"

namespace mineproof {

// Reads a text that holds one position with a known number of mines, as
// src/mineproof/notation/position_text.py does. Nothing where anything is unusual or wrong: that
// module then reads the text again and says what it thinks of it.
std::optional<Position> read_plain_position(std::string_view text);

// CPU seconds that reading and solving a plain position takes. Throws std::invalid_argument
// where it is not plain, or has no layouts.
double time_plain_position(std::string_view text, std::int64_t nodes, int repeats,
                           const Poll& poll);

}  // namespace mineproof
