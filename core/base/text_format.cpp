#include "core/base/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

constexpr std::array<const char*, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

/// An amount in a unit, an index of `kUnits`.
struct Scaled
{
    double value;
    std::size_t unit;
};

/// Returns an amount in the unit in which it has at most three digits before the point, but at least in
/// `leastUnit`.
Scaled scaled(std::uint64_t bytes, std::size_t leastUnit = 0)
{
    double value = static_cast<double>(bytes) / 1024.0;
    std::size_t unit = 0;
    // Four digits before the point read worse than the next unit: 0.98 GiB stands next to 1.1 GiB, not 1008
    // MiB.
    while ((value >= 999.995 || unit < leastUnit) && unit + 1 < kUnits.size()) {
        value /= 1024.0;
        ++unit;
    }
    return {value, unit};
}

constexpr int kDecimals = 2;

std::string formatMagnitude(std::uint64_t bytes, int decimals = kDecimals, std::size_t leastUnit = 0)
{
    if (bytes < 1024)
        return fmt::format("{} B", bytes);
    const Scaled amount = scaled(bytes, leastUnit);
    return fmt::format(
        "{} {}", withoutZeros(fmt::format("{:.{}f}", amount.value, decimals)), kUnits[amount.unit]);
}

/// Returns the least unit in which to show two amounts that are compared: that of the larger one; 0 if the
/// smaller one is below a tenth of that unit, so that each is shown in its own.
std::size_t unitOfPair(Bytes first, Bytes second)
{
    constexpr double leastValue = 0.1;
    const auto [smaller, larger] = std::minmax({magnitude(first), magnitude(second)});
    const std::size_t unit = scaled(larger).unit;
    return scaled(smaller, unit).value >= leastValue ? unit : 0;
}

std::string formatSigned(Bytes bytes, int decimals = kDecimals, std::size_t leastUnit = 0)
{
    return (bytes < 0 ? "−" : "") + formatMagnitude(magnitude(bytes), decimals, leastUnit);
}

} // namespace

std::string withoutZeros(std::string digits)
{
    if (digits.find('.') == std::string::npos)
        return digits;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.'))
        digits.pop_back();
    return digits;
}

std::string formatBytes(Bytes bytes)
{
    return formatSigned(bytes);
}

std::string formatBytesLike(Bytes bytes, Bytes like)
{
    constexpr double leastValue = 0.005;
    const std::size_t unit = scaled(magnitude(like)).unit;
    return formatSigned(bytes, kDecimals, scaled(magnitude(bytes), unit).value >= leastValue ? unit : 0);
}

std::string formatBytesDelta(Bytes bytes)
{
    return (bytes > 0 ? "+" : "") + formatSigned(bytes);
}

namespace {

/// Returns the decimals, two to six, with which two totals and their difference add up as shown. Returns two
/// if six are too few, or if the three amounts have unequal units: nobody subtracts those by eye.
int decimalsOfChange(Bytes before, Bytes after, std::size_t leastUnit)
{
    constexpr int most = 6;
    const Scaled low = scaled(magnitude(std::min(before, after)), leastUnit);
    const Scaled high = scaled(magnitude(std::max(before, after)), leastUnit);
    const Scaled size = scaled(magnitude(after - before));
    if (low.unit != high.unit || size.unit != high.unit)
        return kDecimals;
    for (int decimals = kDecimals; decimals <= most; ++decimals) {
        const double scale = std::pow(10.0, decimals);
        if (std::llround(low.value * scale) + std::llround(size.value * scale)
            == std::llround(high.value * scale))
            return decimals;
    }
    return kDecimals;
}

} // namespace

PairText formatPair(Bytes before, Bytes after)
{
    const std::size_t unit = unitOfPair(before, after);
    return {formatSigned(before, kDecimals, unit), formatSigned(after, kDecimals, unit)};
}

ChangeText formatChange(Bytes before, Bytes after)
{
    const std::size_t unit = unitOfPair(before, after);
    const int decimals = decimalsOfChange(before, after, unit);
    const std::string size = formatMagnitude(magnitude(after - before), decimals);
    return {formatSigned(before, decimals, unit), formatSigned(after, decimals, unit), size,
        (after < before          ? "−"
                : after > before ? "+"
                                 : "")
            + size};
}

std::string formatCount(std::int64_t count)
{
    std::string digits = std::to_string(magnitude(count));
    for (std::ptrdiff_t position = static_cast<std::ptrdiff_t>(digits.size()) - 3; position > 0;
         position -= 3)
        digits.insert(static_cast<std::size_t>(position), 1, ',');
    return count < 0 ? "−" + digits : digits;
}

std::string withThousands(std::string_view text)
{
    std::string grouped;
    std::size_t digits = 0; // length of the sequence of digits before the current character
    const auto flush = [&](std::size_t end) {
        for (std::size_t i = end - digits; i < end; ++i) {
            grouped += i > end - digits && (end - i) % 3 == 0 ? "," : "";
            grouped += text[i];
        }
        digits = 0;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isDigit(text[i])) {
            ++digits;
            continue;
        }
        flush(i);
        grouped += text[i];
    }
    flush(text.size());
    return grouped;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", formatCount(count), count == 1 ? one : many);
}

std::string formatExactBytes(Bytes bytes)
{
    return formatCount(bytes) + " B";
}

std::string formatExactSize(Bytes bytes)
{
    const std::string rounded = formatBytes(bytes);
    return parseSize(rounded) == bytes ? rounded : formatExactBytes(bytes);
}

std::string formatDuration(Nanoseconds duration)
{
    if (duration < 0)
        return "−" + formatDuration(duration == INT64_MIN ? INT64_MAX : -duration);
    const double ns = static_cast<double>(duration);
    if (duration < 1000)
        return fmt::format("{} ns", duration);
    if (duration < 999500)
        return fmt::format("{:.3g} µs", ns / 1e3);
    if (ns < 999.5e6)
        return fmt::format("{:.3g} ms", ns / 1e6);
    if (ns < 60e9)
        return withoutZeros(fmt::format("{:.2f}", ns / 1e9)) + " s";
    const std::int64_t seconds = duration / 1000000000;
    if (seconds < 3600)
        return fmt::format("{} min {} s", seconds / 60, seconds % 60);
    return fmt::format("{} h {} min", formatCount(seconds / 3600), seconds / 60 % 60);
}

std::string formatTimestamp(Nanoseconds sinceEpoch)
{
    std::int64_t seconds = sinceEpoch / 1000000000;
    std::int64_t micros = sinceEpoch % 1000000000 / 1000;
    if (micros < 0) {
        micros += 1000000;
        --seconds;
    }
    const std::time_t time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    if (!gmtime_r(&time, &parts))
        return fmt::format("{} ns", sinceEpoch);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06} UTC", parts.tm_year + 1900,
        parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, micros);
}

std::string formatAddress(Address address)
{
    return fmt::format("0x{:x}", address);
}

std::string formatMoment(std::int64_t event, std::string_view preposition)
{
    if (event < 0)
        return "before the first event";
    return fmt::format("{}{}event {}", preposition, preposition.empty() ? "" : " ", formatCount(event));
}

std::string formatAbout(Bytes bytes)
{
    const std::uint64_t size = magnitude(bytes);
    if (size < 1024)
        return "about " + formatBytes(bytes);
    const Scaled amount = scaled(size);
    return fmt::format("about {}{} {}", bytes < 0 ? "−" : "",
        withoutZeros(fmt::format("{:.{}f}", amount.value, amount.value < 10 ? 1 : 0)), kUnits[amount.unit]);
}

std::string formatPercent(double percent)
{
    const double size = std::abs(percent);
    const std::string minus = percent < 0 ? "−" : "";
    if (size > 0 && size < 0.05)
        return minus + "<0.1%";
    if ((size > 0 && size < 0.95) || (size > 99 && size < 99.95))
        return minus + withoutZeros(fmt::format("{:.1f}", size)) + "%";
    constexpr double kMax = 9e15; // beyond it a whole number would not be exact
    return fmt::format("{}{}%", minus, formatCount(static_cast<std::int64_t>(std::min(size, kMax) + 0.5)));
}

std::string formatShare(Bytes part, Bytes whole)
{
    return whole == 0 ? "–" : formatPercent(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string formatRelativeDelta(Bytes before, Bytes after)
{
    if (before == 0)
        return "–";
    const double percent
        = 100.0 * (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(before);
    return (after > before ? "+" : "") + formatPercent(percent);
}

namespace {

/// Returns the bytes of a unit as people write it, in upper or lower case; 0 if it is not a unit. K, M, G, T
/// alone are binary, as in dd, ls -h and the JVM; followed by B they are decimal, as on disks and in SI.
Bytes bytesOfUnit(std::string_view unit)
{
    const std::string name = lowered(unit);
    if (name.empty() || name == "b")
        return 1;
    const std::size_t power = std::string_view("kmgt").find(name.front());
    const std::string_view rest = std::string_view(name).substr(1);
    if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib" && rest != "i"))
        return 0;
    Bytes factor = 1;
    for (std::size_t i = 0; i <= power; ++i)
        factor *= rest == "b" ? 1000 : 1024;
    return factor;
}

} // namespace

std::string withoutThousands(std::string_view text)
{
    std::string plain;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789,_"), text.size());
    for (std::size_t i = 0; i < digits; ++i) {
        if (isDigit(text[i])) {
            plain += text[i];
            continue;
        }
        const std::size_t next = std::min(text.find_first_of(",_", i + 1), digits);
        if (i == 0 || next - i != 4)
            return std::string(text);
    }
    return plain += text.substr(digits);
}

std::optional<Bytes> parseSize(std::string_view written)
{
    const std::string text = withoutThousands(trimmed(written));
    const char* const end = text.data() + text.size();
    std::int64_t whole = 0;
    double number = 0;
    const auto [afterNumber, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    const auto [afterWhole, errorWhole] = std::from_chars(text.data(), end, whole);
    if (error != std::errc() || !std::isfinite(number) || number < 0)
        return std::nullopt;
    const Bytes factor = bytesOfUnit(trimmed({afterNumber, static_cast<std::size_t>(end - afterNumber)}));
    Bytes exact = 0;
    if (factor != 0 && errorWhole == std::errc() && afterWhole == afterNumber) // no fraction, so no rounding
        return __builtin_mul_overflow(whole, factor, &exact) ? std::nullopt : std::optional(exact);
    const double bytes = number * static_cast<double>(factor);
    if (factor <= 1 || bytes >= 9.2e18)
        return std::nullopt;
    return static_cast<Bytes>(bytes);
}

namespace {

/// True for a three-byte character that rearranges the text around it: U+2028 to U+202E and U+2066 to U+2069,
/// which break lines or change the text direction.
bool rearrangesText(std::string_view character)
{
    return (character >= "\u2028" && character <= "\u202E")
        || (character >= "\u2066" && character <= "\u2069");
}

/// True for a control character of ASCII or Latin-1, and for a character that rearranges the text.
bool isControl(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1)
        return first < 0x20 || first == 0x7F;
    if (character.size() == 2)
        return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
    return character.size() == 3 && rearrangesText(character);
}

} // namespace

std::string sanitizedText(std::string_view text)
{
    const auto isPrintableAscii = [](char character) { return character >= 0x20 && character < 0x7F; };
    if (std::all_of(text.begin(), text.end(), isPrintableAscii)) // most labels: copied in one operation
        return std::string(text);
    return replaceUnwanted(text, isControl);
}

} // namespace highwater
