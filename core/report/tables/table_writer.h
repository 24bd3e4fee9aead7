#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// Takes the next bytes of a text; false stops the writing.
using TextSink = std::function<bool(std::string_view)>;

enum class TableFormat : std::uint8_t
{
    Csv,
    Json
};

/// Appends the text (UTF-8) as a JSON string with its quotes.
void appendJsonText(std::string& out, std::string_view text);

/// Appends the text as a CSV field: quoted where it holds a comma, a quote or a line break, quotes doubled
/// (RFC 4180). A field that begins with = + - @ or a tab gets an apostrophe before it: what a file holds is
/// never run as a formula by a spreadsheet.
void appendCsvText(std::string& out, std::string_view text);

/// A table of named columns, written cell by cell: as CSV with a line of names and CRLF line ends, or as JSON
///
///     {"fact": …, "NAME": [
///     {"column": value, …},
///     …
///     ]}
///
/// Memory does not grow with the number of rows: what is finished goes to the sink in pieces of some 64 KiB.
class TableWriter
{
public:
    /// What the JSON document says before its rows: name and value as JSON text.
    using Facts = std::vector<std::pair<std::string, std::string>>;

    /// `name` is that of the rows in JSON; CSV has no place for it nor for the facts.
    TableWriter(TableFormat format, TextSink sink, const std::string& name,
        const std::vector<std::string>& columns, const Facts& facts = {});

    /// The next cell; the last column's ends the row.
    void text(std::string_view text);
    void number(std::int64_t value);
    /// The shortest text that reads back as the same value; missing where it is not finite.
    void real(double value);
    /// Hexadecimal with 0x, as text.
    void address(std::uint64_t value);
    void boolean(bool value);
    /// An empty field; null.
    void missing();
    /// Missing where there is none.
    void number(const std::optional<std::int64_t>& value);

    /// The sink has refused: further cells are dropped.
    bool stopped() const { return m_stopped; }
    /// Ends the document. False when the sink refused anything.
    bool finish();

private:
    void beginCell();
    void endCell();
    void flush();

    TableFormat m_format;
    TextSink m_sink;
    std::vector<std::string> m_prefixes; ///< what stands before the cell of each column
    std::size_t m_column = 0;
    bool m_anyRow = false;
    bool m_stopped = false;
    std::string m_buffer;
};

} // namespace highwater
