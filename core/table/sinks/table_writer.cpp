#include "core/table/sinks/table_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "core/base/valid_text.h"

namespace highwater {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

void appendNumber(std::string& out, std::uint64_t value, int base)
{
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    out.append(digits.data(), end);
}

void appendNumber(std::string& out, std::int64_t value)
{
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
}

void appendJsonEscape(std::string& out, char c)
{
    static constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    default: break;
    }
    const auto code = static_cast<unsigned char>(c);
    out += "\\u00";
    out += kHex[code >> 4];
    out += kHex[code & 15];
}

bool startsLikeFormula(std::string_view text)
{
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

} // namespace

void appendJsonText(std::string& out, std::string_view text)
{
    out += '"';
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool isAscii = static_cast<unsigned char>(c) < 0x80;
        const std::size_t length = isAscii ? 1 : utf8Length(text.substr(i));
        if (length > 0 && (!isAscii || (c >= 0x20 && c != '"' && c != '\\'))) {
            i += length - 1;
            continue;
        }
        out.append(text, copied, i - copied);
        if (isAscii)
            appendJsonEscape(out, c);
        else
            out += "\uFFFD";
        copied = i + 1;
    }
    out.append(text, copied);
    out += '"';
}

std::string jsonString(std::string_view text)
{
    std::string out;
    appendJsonText(out, text);
    return out;
}

void appendCsvText(std::string& out, std::string_view text)
{
    const bool isFormula = startsLikeFormula(text);
    if (!isFormula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += isFormula ? "\"'" : "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

TableWriter::TableWriter(TableFormat format, TextSink sink, const std::string& name,
    const std::vector<std::string>& columns, const Facts& facts)
    : m_format(format)
    , m_sink(std::move(sink))
{
    m_buffer.reserve(kPieceBytes + kPieceBytes / 2);
    for (const std::string& column : columns) {
        std::string prefix = m_prefixes.empty() ? "" : ",";
        if (format == TableFormat::Json) {
            prefix = m_prefixes.empty() ? "{" : ", ";
            appendJsonText(prefix, column);
            prefix += ": ";
        } else {
            m_buffer += prefix;
            appendCsvText(m_buffer, column);
        }
        m_prefixes.push_back(std::move(prefix));
    }
    if (format == TableFormat::Csv) {
        m_buffer += "\r\n";
        return;
    }
    m_buffer += '{';
    for (const auto& [fact, value] : facts) {
        appendJsonText(m_buffer, fact);
        m_buffer += ": " + value + ", ";
    }
    appendJsonText(m_buffer, name);
    m_buffer += ": [";
}

void TableWriter::beginCell()
{
    if (m_column == 0 && m_format == TableFormat::Json)
        m_buffer += m_hasRows ? ",\n" : "\n";
    m_buffer += m_prefixes[m_column];
}

void TableWriter::endCell()
{
    if (++m_column < m_prefixes.size())
        return;
    m_column = 0;
    m_hasRows = true;
    m_buffer += m_format == TableFormat::Json ? "}" : "\r\n";
    if (m_buffer.size() >= kPieceBytes)
        flush();
}

void TableWriter::text(std::string_view text)
{
    beginCell();
    if (m_format == TableFormat::Json)
        appendJsonText(m_buffer, text);
    else
        appendCsvText(m_buffer, text);
    endCell();
}

void TableWriter::number(std::int64_t value)
{
    beginCell();
    appendNumber(m_buffer, value);
    endCell();
}

void TableWriter::real(double value)
{
    if (!std::isfinite(value)) {
        missing();
        return;
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    beginCell();
    m_buffer.append(digits.data(), end);
    endCell();
}

void TableWriter::address(std::uint64_t value)
{
    const std::string_view quote = m_format == TableFormat::Json ? "\"" : "";
    beginCell();
    m_buffer += quote;
    m_buffer += "0x";
    appendNumber(m_buffer, value, 16);
    m_buffer += quote;
    endCell();
}

void TableWriter::boolean(bool value)
{
    beginCell();
    m_buffer += value ? "true" : "false";
    endCell();
}

void TableWriter::missing()
{
    beginCell();
    if (m_format == TableFormat::Json)
        m_buffer += "null";
    endCell();
}

void TableWriter::flush()
{
    m_stopped = m_stopped || !m_sink(m_buffer);
    m_buffer.clear();
}

bool TableWriter::finish()
{
    if (m_format == TableFormat::Json)
        m_buffer += m_hasRows ? "\n]}\n" : "]}\n";
    flush();
    return !m_stopped;
}

} // namespace highwater
