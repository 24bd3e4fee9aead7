#include "importers/log/text/written_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/characters.h"
#include "core/base/text_parts.h"

namespace highwater::logs {

namespace {

constexpr double kDecimal = 1000;
constexpr double kBinary = 1024;

struct NamedUnit
{
    std::string_view text;
    Unit unit;
};

constexpr std::array kPlainUnits = {
    NamedUnit{"", {"", 1}},
    NamedUnit{"B", {"bytes", 1}},
    NamedUnit{"bytes", {"bytes", 1}},
    NamedUnit{"Bytes", {"bytes", 1}},
    NamedUnit{"GB_unknown", {"bytes", kBinary* kBinary* kBinary, true}},
    NamedUnit{"ms", {"s", 1e-3}},
    NamedUnit{"s", {"s", 1}},
    NamedUnit{"%", {"%", 1}},
    NamedUnit{"tokens", {"tokens", 1}},
};

/// Removes commas ("1,234" → "1234"), using a small buffer; returns nothing if the text is too long for a
/// number.
std::optional<std::string_view> withoutCommas(std::string_view text, std::array<char, 40>& buffer)
{
    if (text.find(',') == std::string_view::npos)
        return text;
    std::size_t used = 0;
    for (const char c : text) {
        if (c == ',')
            continue;
        if (used == buffer.size())
            return std::nullopt;
        buffer[used++] = c;
    }
    return std::string_view(buffer.data(), used);
}

bool isQuote(char c)
{
    return c == '\'' || c == '"';
}

/// Returns the length of the number in a text like "58.00 MiB".
std::size_t numberLength(std::string_view text)
{
    const std::size_t end = text.find_first_not_of("0123456789.,");
    return end == std::string_view::npos ? text.size() : end;
}

/// Returns the number of digits after the point.
int decimalsOf(std::string_view number)
{
    const std::size_t point = number.find('.');
    return point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
}

} // namespace

std::optional<Unit> unitOf(std::string_view text, bool binary)
{
    for (const NamedUnit& named : kPlainUnits)
        if (named.text == text)
            return named.unit;
    constexpr std::string_view kPrefixes = "KMGT";
    constexpr std::string_view kLowerPrefixes = "kmgt"; // batch systems write "62914560kb"
    std::size_t power = text.empty() ? std::string_view::npos : kPrefixes.find(text[0]);
    const bool isLower = power == std::string_view::npos;
    if (isLower)
        power = text.empty() ? std::string_view::npos : kLowerPrefixes.find(text[0]);
    if (power == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(1);
    const bool isBytes = rest == "B" || (isLower && rest == "b");
    const bool isBinary
        = rest == "i" || rest == "iB" || (isLower && rest == "ib") || (rest.empty() && !isLower);
    if (!isBytes && !isBinary)
        return std::nullopt;
    const double base = binary || !isBytes ? kBinary : kDecimal;
    return Unit{"bytes", std::pow(base, static_cast<double>(power + 1)), false};
}

std::optional<double> parseNumber(std::string_view text)
{
    text = trimmed(text);
    if (text.size() >= 2 && isQuote(text.front()) && text.back() == text.front())
        text = trimmed(text.substr(1, text.size() - 2));
    if (text.starts_with('+'))
        text.remove_prefix(1);
    std::array<char, 40> buffer;
    const std::optional<std::string_view> plain = withoutCommas(text, buffer);
    return plain ? parsedNumber<double>(*plain) : std::nullopt;
}

std::optional<WrittenBytes> parseWrittenBytes(std::string_view text, bool binary)
{
    text = trimmed(text);
    const std::size_t length = numberLength(text);
    const std::optional<double> number = parseNumber(text.substr(0, length));
    const std::optional<Unit> unit = unitOf(trimmed(text.substr(length)), binary);
    if (!number || !unit || (unit->name != "bytes" && !unit->name.empty()))
        return std::nullopt;
    const double bytes = *number * unit->factor;
    if (!(bytes >= 0))
        return std::nullopt;
    constexpr Bytes kMax = Bytes{1} << 56; // some writers print 2^64 when a figure has gone wrong
    if (bytes > static_cast<double>(kMax))
        return WrittenBytes{kMax, 0};
    const double lastDigit = unit->factor * std::pow(10.0, -decimalsOf(text.substr(0, length)));
    return WrittenBytes{std::llround(bytes), unit->factor == 1 ? 0 : std::llround(lastDigit / 2)};
}

std::optional<std::int64_t> parseWhole(std::string_view text)
{
    constexpr std::size_t kMaxDigits = 18;
    const bool areDigits = std::ranges::all_of(text, isDigit);
    return areDigits && text.size() <= kMaxDigits ? parsedNumber<std::int64_t>(text) : std::nullopt;
}

std::optional<double> parseDuration(std::string_view text)
{
    text = trimmed(text);
    double total = 0;
    if (const std::size_t day = text.find(" day"); day != std::string_view::npos) {
        const std::optional<double> days = parseNumber(text.substr(0, day));
        const std::size_t comma = text.find(", ", day);
        if (!days || comma == std::string_view::npos)
            return std::nullopt;
        total = *days * 24;
        text.remove_prefix(comma + 2);
    }
    int parts = 0;
    for (std::size_t colon = 0; colon != std::string_view::npos; ++parts) {
        colon = text.find(':');
        const std::optional<double> part = parseNumber(text.substr(0, colon));
        if (!part || *part < 0 || parts == 3)
            return std::nullopt;
        total = (parts == 0 ? total : total * 60) + *part;
        text.remove_prefix(colon == std::string_view::npos ? text.size() : colon + 1);
    }
    return parts == 3 ? std::optional(total) : std::nullopt;
}

} // namespace highwater::logs
