#include "app/cli/console/text_table.h"

#include <algorithm>

namespace highwater::cli {

std::size_t characterCount(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string TextTable::text(const std::string& indent) const
{
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const std::vector<std::string>& row : m_rows)
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], characterCount(row[i]));
    std::string out;
    for (const std::vector<std::string>& row : m_rows) {
        std::string line = indent;
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
            const std::string padding(widths[i] - characterCount(row[i]), ' ');
            line += m_columns[i] == Align::Right ? padding + row[i] : row[i] + padding;
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

} // namespace highwater::cli
