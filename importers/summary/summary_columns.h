#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The columns of a summary's tables (summary_format.h).
namespace highwater::summary {

/// Appends one field of every row, each as its difference from the previous row.
template <typename Rows, typename Field>
void appendColumn(std::string& out, const Rows& rows, Field field)
{
    using Value = std::decay_t<std::invoke_result_t<Field, decltype(rows[0])>>;
    using Number = std::make_unsigned_t<Value>;
    Number previous = 0;
    for (const auto& row : rows) {
        const auto value = static_cast<Number>(std::invoke(field, row));
        const auto difference = static_cast<Number>(value - previous);
        out.append(reinterpret_cast<const char*>(&difference), sizeof difference);
        previous = value;
    }
}

/// Removes a column of `Value`s that `appendColumn` wrote from the front of the bytes, which must be long
/// enough, and calls `set(row, value)` for each row.
template <typename Value, typename Rows, typename Set>
void takeColumn(std::string_view& bytes, Rows& rows, Set set)
{
    using Number = std::make_unsigned_t<Value>;
    Number previous = 0;
    for (auto& row : rows) {
        Number difference = 0;
        std::memcpy(&difference, bytes.data(), sizeof difference);
        bytes.remove_prefix(sizeof difference);
        previous = static_cast<Number>(previous + difference);
        set(row, static_cast<Value>(previous));
    }
}

inline void appendNumber(std::string& out, std::uint32_t number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Reads a number from the front of the bytes. Returns false if there are too few bytes.
inline bool takeNumber(std::string_view& bytes, std::uint32_t& number)
{
    if (bytes.size() < sizeof number)
        return false;
    std::memcpy(&number, bytes.data(), sizeof number);
    bytes.remove_prefix(sizeof number);
    return true;
}

/// Encodes texts as summary_format.h describes.
inline std::string textBytes(const std::vector<std::string>& texts)
{
    std::string out;
    appendNumber(out, static_cast<std::uint32_t>(texts.size()));
    for (const std::string& text : texts)
        appendNumber(out, static_cast<std::uint32_t>(text.size()));
    for (const std::string& text : texts)
        out += text;
    return out;
}

/// Reads texts as `textBytes` writes them. Returns false unless the bytes are exactly one list of texts.
inline bool takeTexts(std::string_view bytes, std::vector<std::string>& texts)
{
    std::uint32_t count = 0;
    if (!takeNumber(bytes, count) || bytes.size() / sizeof count < count)
        return false;
    std::string_view lengths = bytes.substr(0, count * sizeof count);
    bytes.remove_prefix(lengths.size());
    texts.reserve(count);
    for (std::uint32_t length = 0; takeNumber(lengths, length);) {
        if (length > bytes.size())
            return false;
        texts.emplace_back(bytes.substr(0, length));
        bytes.remove_prefix(length);
    }
    return bytes.empty();
}

} // namespace highwater::summary
