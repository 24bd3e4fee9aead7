#include "importers/kineto/json_tokens.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/characters.h"
#include "core/base/text_parts.h"

namespace highwater::kineto {

namespace {

constexpr Nanoseconds kMaxMicroseconds = std::numeric_limits<Nanoseconds>::max() / 1000 - 1;

/// Converts microseconds with an exponent, which are so rare that their precision does not matter.
std::optional<Nanoseconds> nanosecondsFromDouble(std::string_view text)
{
    const auto value = parsedNumber<double>(text);
    if (!value || std::abs(*value) >= static_cast<double>(kMaxMicroseconds))
        return std::nullopt;
    return static_cast<Nanoseconds>(std::llround(*value * 1000));
}

/// Returns the character that a backslash and `c` stand for.
char escaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    default: return c;
    }
}

} // namespace

std::string_view textOf(std::string_view token)
{
    while (!token.empty() && isBlank(token.back()))
        token.remove_suffix(1);
    if (token.size() < 2 || token.front() != '"')
        return token;
    return token.substr(1, token.size() - (token.back() == '"' ? 2 : 1));
}

std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        ++i;
        if (text[i] != 'u') {
            out += escaped(text[i]);
            continue;
        }
        unsigned code = 0;
        const std::string_view digits = text.substr(i + 1, 4);
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        out += code >= 0x20 && code < 0x7F ? static_cast<char>(code) : '?';
        i += digits.size();
    }
    return out;
}

std::optional<std::int64_t> wholeNumberOf(std::string_view token)
{
    const std::string_view text = textOf(token);
    if (const auto value = parsedNumber<std::int64_t>(text))
        return value;
    const auto unsignedValue = parsedNumber<std::uint64_t>(text);
    return unsignedValue ? std::optional(static_cast<std::int64_t>(*unsignedValue)) : std::nullopt;
}

std::optional<Nanoseconds> nanosecondsFromMicroseconds(std::string_view token)
{
    const std::string_view text = textOf(token);
    const bool isNegative = text.starts_with('-');
    std::size_t next = isNegative;
    Nanoseconds wholeMicroseconds = 0;
    const std::size_t first = next;
    for (; next < text.size() && isDigit(text[next]); ++next) {
        wholeMicroseconds = wholeMicroseconds * 10 + (text[next] - '0');
        if (wholeMicroseconds > kMaxMicroseconds)
            return std::nullopt;
    }
    if (next == first)
        return std::nullopt;
    Nanoseconds fraction = 0;
    if (next < text.size() && text[next] == '.') {
        ++next;
        for (Nanoseconds unit = 100; next < text.size() && isDigit(text[next]); ++next, unit /= 10)
            fraction += (text[next] - '0') * unit;
    }
    if (next != text.size())
        return nanosecondsFromDouble(text);
    const Nanoseconds time = wholeMicroseconds * 1000 + fraction;
    return isNegative ? -time : time;
}

} // namespace highwater::kineto
