#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/table/sinks/table_cells.h"

namespace highwater {

/// Receives the next bytes of a text; returns false to stop the writing.
using TextSink = std::function<bool(std::string_view)>;

/// The text format of a table.
enum class TableFormat : std::uint8_t
{
    Csv,
    Json
};

/// Appends the text as a JSON string with quotes; bytes that are not UTF-8, which file names may contain,
/// become U+FFFD.
void appendJsonText(std::string& out, std::string_view text);
/// Returns the text as `appendJsonText` writes it.
std::string jsonString(std::string_view text);

/// Appends the text as a CSV field: quoted if it contains a comma, a quote or a line break, quotes doubled
/// (RFC 4180). A text that begins with = + - @, a tab or a carriage return is prefixed with an apostrophe, so
/// that a spreadsheet never runs file content as a formula.
void appendCsvText(std::string& out, std::string_view text);

/// A table of named columns, written cell by cell: as CSV with a line of names and CRLF line ends, or as JSON
///
///     {"fact": …, "NAME": [
///     {"column": value, …},
///     …
///     ]}
///
/// Memory does not grow with the number of rows: output goes to the sink in pieces of about 64 KiB.
class TableWriter final : public TableCells
{
public:
    using TableCells::number;
    /// Name and JSON value of members that precede the rows in the JSON document.
    using Facts = std::vector<std::pair<std::string, std::string>>;

    /// `name` is the member with the rows in JSON; CSV has neither it nor the facts.
    TableWriter(TableFormat format, TextSink sink, const std::string& name,
        const std::vector<std::string>& columns, const Facts& facts = {});

    /// Writes the next cell; the last column's cell ends the row.
    void text(std::string_view text) override;
    void number(std::int64_t value) override;
    /// Writes the shortest text that parses back to the same value; missing if it is not finite.
    void real(double value) override;
    /// Writes the address as text, in hexadecimal with 0x.
    void address(std::uint64_t value) override;
    void boolean(bool value) override;
    /// Writes an empty CSV field, or null in JSON.
    void missing() override;

    /// True if the sink has failed: further cells are dropped.
    bool stopped() const override { return m_stopped; }
    /// Ends the document. Returns false if the sink failed at any time.
    bool finish();

private:
    void beginCell();
    void endCell();
    void flush();

    TableFormat m_format;
    TextSink m_sink;
    std::vector<std::string> m_prefixes; ///< Text before the cell of each column
    std::size_t m_column = 0;
    bool m_hasRows = false;
    bool m_stopped = false;
    std::string m_buffer;
};

} // namespace highwater
