#include "app/rehearse/largest_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::rehearse {

namespace {

std::optional<std::int64_t> positiveNumber(std::string_view text)
{
    constexpr std::int64_t kMax = 1'000'000'000;
    const auto number = parsedNumber<std::int64_t>(text);
    return number && *number > 0 && *number <= kMax ? number : std::nullopt;
}

/// The next number is at most so many times the largest that fits.
constexpr std::int64_t kLongestLeap = 8;
/// A range whose ends have at least this ratio is halved at the geometric middle.
constexpr std::int64_t kFarApart = 4;

std::int64_t geometricMiddle(std::int64_t low, std::int64_t high)
{
    return static_cast<std::int64_t>(std::sqrt(static_cast<double>(low) * static_cast<double>(high)));
}

} // namespace

Result<NumberRange> parseNumberRange(std::string_view text)
{
    const std::size_t equals = text.find('=');
    const std::size_t colon = text.find(':', equals == std::string_view::npos ? 0 : equals);
    if (equals != std::string_view::npos && colon != std::string_view::npos && equals > 0) {
        const auto first = positiveNumber(text.substr(equals + 1, colon - equals - 1));
        const auto last = positiveNumber(text.substr(colon + 1));
        if (first && last && *first <= *last)
            return NumberRange{std::string(text.substr(0, equals)), *first, *last};
    }
    return fail(ErrorCode::BadRequest,
        fmt::format(
            "\"{}\" is not a name and a range of whole numbers, as in batch=1:512", sanitizedText(text)));
}

std::vector<std::string> commandWith(
    const std::vector<std::string>& command, const std::string& name, std::int64_t number)
{
    const std::string placeholder = "{" + name + "}";
    const std::string digits = std::to_string(number);
    std::vector<std::string> words = command;
    for (std::string& word : words)
        for (std::size_t begin = 0; (begin = word.find(placeholder, begin)) != std::string::npos;
             begin += digits.size())
            word.replace(begin, placeholder.size(), digits);
    return words;
}

LargestSearch::LargestSearch(std::int64_t first, std::int64_t last, Bytes capacity)
    : m_first(first)
    , m_last(last)
    , m_capacity(capacity)
{
}

std::optional<Trial> LargestSearch::largestFitting() const
{
    std::optional<Trial> largest;
    for (const Trial& trial : m_trials)
        if (trial.fits && (!largest || trial.number > largest->number))
            largest = trial;
    return largest;
}

std::optional<Trial> LargestSearch::smallestFailing() const
{
    std::optional<Trial> smallest;
    for (const Trial& trial : m_trials)
        if (!trial.fits && (!smallest || trial.number < smallest->number))
            smallest = trial;
    return smallest;
}

void LargestSearch::add(const Trial& trial)
{
    const auto width = [this] {
        const auto low = largestFitting();
        const auto high = smallestFailing();
        return low && high ? high->number - low->number : std::numeric_limits<std::int64_t>::max();
    };
    const std::int64_t before = width();
    m_trials.push_back(trial);
    m_mustHalve = before != std::numeric_limits<std::int64_t>::max() && width() > before / 2;
}

std::optional<std::int64_t> LargestSearch::next() const
{
    if (m_trials.empty())
        return m_first;
    const auto low = largestFitting();
    if (!low) // even the smallest number does not fit
        return std::nullopt;
    const auto failing = smallestFailing();
    const std::int64_t high = failing ? failing->number : m_last + 1;
    if (high - low->number <= 1)
        return std::nullopt;
    const std::int64_t suggested = suggestion(low->number);
    if (!failing)
        return std::clamp(suggested, low->number + 1, high - 1);
    if (high / kFarApart >= low->number)
        return geometricMiddle(low->number, high);
    if (m_mustHalve || suggested >= high)
        return low->number + (high - low->number) / 2;
    return std::max(suggested, low->number + 1);
}

/// Extends the line through the two largest numbers that fit up to the capacity, but to `kLongestLeap` times
/// the larger number at most: if the optimizer step sets the peak of small numbers, their line says nothing
/// about larger ones. With one number that fits, or if memory does not grow, the number is doubled.
std::int64_t LargestSearch::suggestion(std::int64_t low) const
{
    std::vector<Trial> fitting;
    std::ranges::copy_if(m_trials, std::back_inserter(fitting), &Trial::fits);
    std::ranges::sort(fitting, {}, &Trial::number);
    if (fitting.size() < 2)
        return 2 * low;
    const Trial& top = fitting.back();
    const Trial& below = fitting[fitting.size() - 2];
    const double growth = static_cast<double>(top.reservedPeakBytes - below.reservedPeakBytes)
        / static_cast<double>(top.number - below.number);
    if (growth <= 0)
        return 2 * low;
    const double more = static_cast<double>(m_capacity - top.reservedPeakBytes) / growth;
    const auto most = static_cast<double>((kLongestLeap - 1) * low);
    return low + static_cast<std::int64_t>(std::min(more, most));
}

} // namespace highwater::rehearse
