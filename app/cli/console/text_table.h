#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace highwater::cli {

/// Lines up cells in columns for a terminal. Widths count characters, not bytes.
class TextTable
{
public:
    enum class Align
    {
        Left,
        Right
    };

    explicit TextTable(std::vector<Align> columns)
        : m_columns(std::move(columns))
    {
    }
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    /// Each line begins with `indent` and has no trailing blanks.
    std::string text(const std::string& indent = "  ") const;

private:
    std::vector<Align> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Number of characters of a UTF-8 text.
std::size_t characterCount(const std::string& text);

} // namespace highwater::cli
