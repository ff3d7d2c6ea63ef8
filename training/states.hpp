// The files of training data. Each contains plain rows of one kind of record.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "features.hpp"
#include "guesser.hpp"

namespace mineproof {

// NAME.positions
struct PositionRecord {
    std::uint8_t candidates;
    std::uint8_t level;
    std::uint8_t is_task;  // whether the values of its candidates are in NAME.worth
    std::uint8_t spare = 0;
    std::uint32_t game;
};

// NAME.candidates, position after position
struct CandidateRecord {
    float scalar[Features::scalars];
    float safety;
    float worth[2];  // from layouts with even and odd numbers
    std::uint8_t kind[Features::cells];
    std::uint8_t risk[Features::cells];
    std::uint8_t shown;
    std::uint8_t spare = 0;
};

// NAME.shown, candidate after candidate
struct ShownRecord {
    float scalar[Features::Shown::scalars];
    std::uint8_t risk[Features::Shown::cells];
    std::uint8_t value;
    std::uint8_t spare[2] = {};
};

// NAME.tasks is for playouts.cu: this header, then positions, candidates, and for each candidate
// the layouts in which it is safe. A row of the board is a word, with the first column in its
// lowest bit.
struct TaskHead {
    std::uint32_t positions, candidates, layouts, spare = 0;
};
struct TaskPosition {
    std::uint32_t open[16];
    std::uint32_t rows, columns;
};
struct TaskCandidate {
    std::uint32_t position, row, column;
    float safety;
};
using TaskLayout = std::array<std::uint32_t, 16>;

// One chunk of the data, with all its files.
class StateFiles {
public:
    void add(const PositionRecord& position) { positions_.push_back(position); }
    void add(const Features& features, const std::array<float, 2>& worth);
    void add_task(const TaskPosition& position) { task_positions_.push_back(position); }
    void add_task(TaskCandidate candidate, const std::vector<TaskLayout>& layouts) {
        candidate.position = static_cast<std::uint32_t>(task_positions_.size()) - 1;
        task_candidates_.push_back(candidate);
        task_layouts_.insert(task_layouts_.end(), layouts.begin(), layouts.end());
    }
    std::size_t positions() const { return positions_.size(); }

    // Writes everything, NAME.tasks last, and starts a new chunk.
    void write(const std::string& name) {
        write_rows(name + ".positions", positions_);
        write_rows(name + ".candidates", candidates_);
        write_rows(name + ".shown", shown_);
        if (!task_positions_.empty()) write_tasks(name + ".tasks");
        *this = StateFiles();
    }

private:
    template <class Row>
    static void put(std::FILE* out, const std::vector<Row>& rows) {
        if (std::fwrite(rows.data(), sizeof(Row), rows.size(), out) != rows.size())
            throw std::runtime_error("cannot write");
    }
    template <class Row>
    static void write_rows(const std::string& file, const std::vector<Row>& rows) {
        std::FILE* out = std::fopen(file.c_str(), "wb");
        if (out == nullptr) throw std::runtime_error("cannot write " + file);
        put(out, rows);
        std::fclose(out);
    }
    void write_tasks(const std::string& file) {
        const auto count = static_cast<std::uint32_t>(task_candidates_.size());
        const TaskHead head{static_cast<std::uint32_t>(task_positions_.size()), count,
                            static_cast<std::uint32_t>(task_layouts_.size()) / count};
        std::FILE* out = std::fopen((file + ".part").c_str(), "wb");
        if (out == nullptr) throw std::runtime_error("cannot write " + file);
        std::fwrite(&head, sizeof head, 1, out);
        put(out, task_positions_);
        put(out, task_candidates_);
        put(out, task_layouts_);
        std::fclose(out);
        std::rename((file + ".part").c_str(), file.c_str());
    }

    std::vector<PositionRecord> positions_;
    std::vector<CandidateRecord> candidates_;
    std::vector<ShownRecord> shown_;
    std::vector<TaskPosition> task_positions_;
    std::vector<TaskCandidate> task_candidates_;
    std::vector<TaskLayout> task_layouts_;
};

inline std::uint8_t to_byte(float risk) { return static_cast<std::uint8_t>(risk * 255 + 0.5F); }

inline void StateFiles::add(const Features& features, const std::array<float, 2>& worth) {
    CandidateRecord record{};
    for (int i = 0; i < Features::scalars; ++i) record.scalar[i] = features.scalar[i];
    record.safety = static_cast<float>(features.safety);
    for (int i = 0; i < 2; ++i) record.worth[i] = worth[i];
    for (int i = 0; i < Features::cells; ++i) {
        record.kind[i] = features.kind[i];
        record.risk[i] = to_byte(features.risk[i]);
    }
    record.shown = static_cast<std::uint8_t>(features.shown.size());
    candidates_.push_back(record);
    for (const Features::Shown& shown : features.shown) {
        ShownRecord row{};
        for (int i = 0; i < Features::Shown::scalars; ++i) row.scalar[i] = shown.scalar[i];
        for (int i = 0; i < Features::Shown::cells; ++i) row.risk[i] = to_byte(shown.risk[i]);
        row.value = static_cast<std::uint8_t>(shown.value);
        shown_.push_back(row);
    }
}

}  // namespace mineproof
