// Positions as `.mine` text, the plain ones.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mineproof {

struct PlainPosition {
    int rows = 0;
    int columns = 0;
    int mines = 0;
    std::vector<std::uint8_t> shown;  // one code a cell in row order
};

// Reads a text that holds one position with a known number of mines, as
// src/mineproof/notation/position.py does. False where anything is unusual or wrong: that
// module then reads the text again and says what it thinks of it.
bool read_plain_position(std::string_view text, PlainPosition& position);

}  // namespace mineproof
