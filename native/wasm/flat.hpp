// Flat little-endian bytes that pass between the WebAssembly core and its host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mineproof {

// Reads a question, one value after the other. Throws std::invalid_argument if it is too short.
class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}

    template <class Number>
    Number read() {
        static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
        Number number;
        std::memcpy(&number, take(sizeof(Number)).data(), sizeof(Number));
        return number;
    }
    bool yes() { return read<std::uint8_t>() != 0; }
    // Reads the number of items that follow, of `bytes` bytes each.
    std::size_t count(std::size_t bytes) {
        const std::size_t many = read<std::uint32_t>();
        if (many > data_.size() / bytes) short_of_bytes();
        return many;
    }
    std::span<const std::uint8_t> bytes() { return take(count(1)); }
    std::string_view text() {
        const auto data = bytes();
        return {reinterpret_cast<const char*>(data.data()), data.size()};
    }
    void end() const {
        if (!data_.empty()) throw std::invalid_argument("the question is too long");
    }

private:
    [[noreturn]] static void short_of_bytes() {
        throw std::invalid_argument("the question is too short");
    }
    std::span<const std::uint8_t> take(std::size_t size) {
        if (size > data_.size()) short_of_bytes();
        const auto taken = data_.first(size);
        data_ = data_.subspan(size);
        return taken;
    }

    std::span<const std::uint8_t> data_;
};

// Writes an answer.
class Writer {
public:
    template <class Number>
    void write(Number number) {
        static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
        append(&number, sizeof(Number));
    }
    void yes(bool answer) { write<std::uint8_t>(answer ? 1 : 0); }
    void count(std::size_t many) { write(static_cast<std::uint32_t>(many)); }
    // Writes numbers one after the other, without their count.
    template <class Numbers>
    void all(const Numbers& numbers) {
        append(numbers.data(), numbers.size() * sizeof(numbers[0]));
    }

    std::vector<std::uint8_t> bytes;

private:
    void append(const void* data, std::size_t size) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        bytes.insert(bytes.end(), begin, begin + size);
    }
};

}  // namespace mineproof
