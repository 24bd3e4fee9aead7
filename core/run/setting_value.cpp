#include "core/run/setting_value.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

/// Above this value, some whole numbers cannot be represented as a double.
constexpr double kLargestExact = 9007199254740992.0;

std::optional<Place> placeOf(const ConfigurationEntry& entry)
{
    return entry.line > 0 ? std::optional(Place::line(entry.line)) : std::nullopt;
}

std::string withoutUnderscores(std::string_view text)
{
    std::string digits(text);
    std::erase(digits, '_');
    return digits;
}

/// Parses the whole text as a number, including infinity and not-a-number. A number too large for a double
/// becomes infinite, one too small becomes 0.
Result<double> parseDouble(const ConfigurationEntry& entry)
{
    const std::string text = withoutUnderscores(entry.value);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument)
        return valueError(entry, "which is not a number");
    // `from_chars` does not say on which side a number is out of range; `strtod` does.
    return error == std::errc::result_out_of_range ? std::strtod(text.c_str(), nullptr) : number;
}

std::string_view lastPart(std::string_view name)
{
    const std::size_t dot = name.find_last_of("./");
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// Returns the value of the first setting of one of the names that `parsed` accepts.
template <typename Parsed>
auto firstSetting(const SettingLists& lists, std::initializer_list<std::string_view> names,
    const Parsed& parsed) -> decltype(parsed(ConfigurationEntry()))
{
    for (const std::string_view name : names)
        for (const std::vector<ConfigurationEntry>* settings : lists)
            for (const ConfigurationEntry& entry : *settings)
                if (lastPart(entry.name) == name)
                    if (auto value = parsed(entry))
                        return value;
    return std::nullopt;
}

} // namespace

std::string quotedText(std::string_view text)
{
    return sanitizedText(cutText(text, 60));
}

tl::unexpected<Error> keyError(const ConfigurationEntry& entry, const std::string& problem)
{
    return fail(
        ErrorCode::Malformed, fmt::format("\"{}\" {}", quotedText(entry.name), problem), placeOf(entry));
}

tl::unexpected<Error> valueError(const ConfigurationEntry& entry, const std::string& reason)
{
    return keyError(entry, fmt::format("is {}, {}", quotedText(entry.value), reason));
}

bool isNull(const ConfigurationEntry& entry)
{
    return entry.value == "null" || entry.value == "~" || entry.value.empty();
}

Result<std::int64_t> parseWholeNumber(const ConfigurationEntry& entry, std::int64_t least, std::int64_t most)
{
    const std::string reason
        = fmt::format("which is not a whole number from {} to {}", least, formatCount(most));
    const std::string text = withoutUnderscores(entry.value);
    auto parsed = parsedNumber<std::int64_t>(text);
    if (!parsed) {
        const Result<double> number = parseDouble(entry);
        if (!number || !(std::abs(*number) < kLargestExact) || std::floor(*number) != *number)
            return valueError(entry, reason);
        parsed = static_cast<std::int64_t>(*number);
    }
    if (*parsed < least || *parsed > most)
        return valueError(entry, reason);
    return *parsed;
}

Result<bool> parseFlag(const ConfigurationEntry& entry)
{
    for (const char* text : {"true", "True", "TRUE", "yes", "Yes", "on", "On", "1"})
        if (entry.value == text)
            return true;
    for (const char* text : {"false", "False", "FALSE", "no", "No", "off", "Off", "0"})
        if (entry.value == text)
            return false;
    return valueError(entry, "which is not true or false");
}

Result<double> parseShare(const ConfigurationEntry& entry)
{
    const Result<double> number = parseDouble(entry);
    if (!number || !(*number > 0 && *number <= 1))
        return valueError(entry, "which is not more than 0 and at most 1");
    return *number;
}

std::optional<std::int64_t> positiveSetting(
    const SettingLists& lists, std::initializer_list<std::string_view> names)
{
    return firstSetting(lists, names, [](const ConfigurationEntry& entry) {
        const auto number = parsedNumber<std::int64_t>(entry.value);
        return number && *number > 0 ? number : std::nullopt;
    });
}

std::optional<double> shareSetting(const SettingLists& lists, std::initializer_list<std::string_view> names)
{
    return firstSetting(lists, names, [](const ConfigurationEntry& entry) {
        const Result<double> share = parseShare(entry);
        return share ? std::optional(*share) : std::nullopt;
    });
}

} // namespace highwater
