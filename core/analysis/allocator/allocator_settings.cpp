#include "core/analysis/allocator/allocator_settings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/near_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/trace/allocator_sizes.h"

namespace highwater {

namespace {

/// The largest number of bytes that is a whole number of MiB.
constexpr Bytes kMaxBytes = std::numeric_limits<Bytes>::max() / kMiB * kMiB;
constexpr Bytes kLeastLargeSegment = kLeastOwnSegmentRequest + kMiB;
/// No device has as much memory. The bound exists because sizes are rounded up to multiples of a large
/// segment, which could otherwise overflow.
constexpr Bytes kMaxLargeSegment = kTiB;

std::optional<bool> parseBool(std::string_view text)
{
    if (text == "true" || text == "True" || text == "1")
        return true;
    if (text == "false" || text == "False" || text == "0")
        return false;
    return std::nullopt;
}

/// Reads a number of divisions: a power of two, as the allocator accepts it, or 0; 0 and 1 mean none.
std::optional<std::int64_t> parseDivisionCount(std::string_view text)
{
    const auto count = parsedNumber<std::int64_t>(text);
    const bool isValid
        = count && *count >= 0 && (*count == 0 || std::has_single_bit(static_cast<std::uint64_t>(*count)));
    return isValid ? count : std::nullopt;
}

/// Reads the entries of a `roundup_power2_divisions` list, one after another.
class DivisionList
{
public:
    explicit DivisionList(bool restFromLast)
        : m_restFromLast(restFromLast)
    {
    }

    /// Returns false, and changes nothing, if the entry is not valid.
    bool tryAdd(std::string_view entry)
    {
        const std::size_t colon = std::min(entry.find(':'), entry.size());
        const auto count = parseDivisionCount(entry.substr(std::min(colon + 1, entry.size())));
        if (!count)
            return false;
        auto& divisions = m_rounding.divisions;
        if (entry.substr(0, colon) == ">") {
            std::fill(divisions.begin() + (m_restFromLast ? m_last : m_last + 1), divisions.end(), *count);
            return true;
        }
        const std::optional<std::ptrdiff_t> interval = intervalOf(entry.substr(0, colon));
        if (!interval)
            return false;
        if (m_isFirst)
            std::fill(divisions.begin(), divisions.begin() + *interval, *count);
        divisions[static_cast<std::size_t>(*interval)] = *count;
        m_isFirst = false;
        m_last = *interval;
        return true;
    }

    const RoundingSettings& rounding() const { return m_rounding; }

private:
    std::optional<std::ptrdiff_t> intervalOf(std::string_view size) const
    {
        const auto last = static_cast<std::ptrdiff_t>(m_rounding.divisions.size()) - 1;
        const auto mebibytes = parsedNumber<std::uint64_t>(size);
        if (!mebibytes || !std::has_single_bit(*mebibytes))
            return std::nullopt;
        return std::min(last, static_cast<std::ptrdiff_t>(std::bit_width(*mebibytes)) - 1);
    }

    RoundingSettings m_rounding;
    bool m_restFromLast;
    bool m_isFirst = true;
    std::ptrdiff_t m_last = 0; ///< interval of the previous entry
};

/// Returns the bytes of a number of MiB; nullopt if the text is no number or the bytes are not in [minimum,
/// maximum].
std::optional<Bytes> parseMebibytes(std::string_view text, Bytes minimum, Bytes maximum = kMaxBytes)
{
    const auto mebibytes = parsedNumber<std::int64_t>(text);
    const bool isValid = mebibytes && *mebibytes >= minimum / kMiB && *mebibytes <= maximum / kMiB;
    return isValid ? std::optional<Bytes>(*mebibytes * kMiB) : std::nullopt;
}

/// Reads "unlimited", "-1" or MiB; nullopt below a large segment.
std::optional<Bytes> parseMaxSplitSize(std::string_view text, Bytes largeSegment)
{
    if (text == "unlimited" || text == "-1")
        return AllocatorSettings::kUnlimited;
    return parseMebibytes(text, largeSegment);
}

/// Reads a number from 0 to 1.
std::optional<double> parseFraction(std::string_view text)
{
    const auto share = parsedNumber<double>(text);
    return share && *share >= 0 && *share <= 1 ? share : std::nullopt;
}

/// Reads a number from 0 to less than 1.
std::optional<double> parseThreshold(std::string_view text)
{
    const auto share = parseFraction(text);
    return share && *share < 1 ? share : std::nullopt;
}

/// Reads the value of `expandable_segments_reserve` as PyTorch does: GiB if it ends in G, else a share.
Result<AllocatorSettings> withReserve(AllocatorSettings settings, std::string_view text)
{
    const bool isSize = text.ends_with('G') || text.ends_with('g');
    const auto value = parsedNumber<double>(text.substr(0, text.size() - (isSize ? 1 : 0)));
    constexpr double kMaxGibibytes = 1 << 20; // so that no product overflows
    if (!value || !(*value > 0) || !std::isfinite(*value))
        return fail(ErrorCode::BadRequest,
            "expandable_segments_reserve is a share of the GPU's memory such as 0.5, or GiB such as 40G");
    const double amount = std::min(*value, kMaxGibibytes);
    settings.segmentReserve = isSize ? static_cast<Bytes>(amount * static_cast<double>(kGiB)) : 0;
    settings.segmentReserveShare = isSize ? 0 : amount;
    return settings;
}

/// Stores the value in the member. Without a value, fails with BadRequest and `message`.
template <typename T, typename U>
Result<AllocatorSettings> withValue(AllocatorSettings settings, T AllocatorSettings::*member,
    const std::optional<U>& value, std::string_view message)
{
    if (!value)
        return fail(ErrorCode::BadRequest, std::string(message));
    settings.*member = *value;
    return settings;
}

/// Checks that the large segment exceeds neither max_split_size nor the whole-block slack, as the allocator
/// does.
Result<AllocatorSettings> checkLargeSegment(Result<AllocatorSettings> settings)
{
    if (settings && settings->maxSplitSize < settings->largeSegment)
        return fail(ErrorCode::BadRequest, "large_segment_size_mb may not exceed max_split_size_mb");
    if (settings && settings->wholeBlockSlack() < settings->largeSegment)
        return fail(ErrorCode::BadRequest, "large_segment_size_mb may not exceed max_non_split_rounding_mb");
    return settings;
}

/// Writes the divisions without ">", which PyTorch releases interpret differently.
std::string divisionsText(const RoundingSettings& rounding)
{
    const auto& counts = rounding.divisions;
    if (std::ranges::all_of(counts, [&](std::int64_t count) { return count == counts[0]; }))
        return std::to_string(counts[0]);
    std::string text = "[";
    for (std::size_t i = 0; i < counts.size(); ++i)
        text += fmt::format("{}{}:{}", i == 0 ? "" : ",", std::uint64_t{1} << i, counts[i]);
    return text + "]";
}

bool roundsUp(const RoundingSettings& rounding)
{
    return std::ranges::any_of(rounding.divisions, [](std::int64_t count) { return count > 1; });
}

constexpr std::array<std::string_view, 9> kSettings
    = {"expandable_segments", "max_split_size_mb", "roundup_power2_divisions", "garbage_collection_threshold",
        "per_process_memory_fraction", "large_segment_size_mb", "max_non_split_rounding_mb",
        "expandable_segments_reserve", "throw_on_cudamalloc_oom"};

std::string unknownSettingText(std::string_view name)
{
    const std::string meant = didYouMean(name, kSettings);
    if (!meant.empty())
        return fmt::format("there is no setting {}{}", sanitizedText(name), meant);
    return fmt::format("there is no setting {} (known: {})", sanitizedText(name), fmt::join(kSettings, ", "));
}

} // namespace

Bytes AllocatorSettings::segmentReserveOn(Bytes deviceMemory) const
{
    const Bytes whole = deviceMemory / 8 * 9;
    const Bytes reserve = segmentReserve > 0
        ? segmentReserve
        : static_cast<Bytes>(std::min(segmentReserveShare, 2.0) * static_cast<double>(deviceMemory));
    return deviceMemory > 0 ? std::min(reserve, whole) : reserve;
}

std::optional<RoundingSettings> divisionsFrom(std::string_view text, bool restFromLast)
{
    if (const auto count = parseDivisionCount(text)) {
        RoundingSettings rounding;
        rounding.divisions.fill(*count);
        return rounding;
    }
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return std::nullopt;
    text = text.substr(1, text.size() - 2);
    DivisionList list(restFromLast);
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (!list.tryAdd(text.substr(0, comma)))
            return std::nullopt;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return list.rounding();
}

Result<AllocatorSettings> withSetting(
    AllocatorSettings settings, std::string_view name, std::string_view value)
{
    using Settings = AllocatorSettings;
    const std::int64_t largeMebibytes = settings.largeSegment / kMiB;
    if (name == "expandable_segments")
        return withValue(settings, &Settings::expandableSegments, parseBool(value),
            "expandable_segments is true or false");
    if (name == "max_split_size_mb")
        return withValue(settings, &Settings::maxSplitSize, parseMaxSplitSize(value, settings.largeSegment),
            fmt::format("max_split_size_mb is a whole number of at least {} (PyTorch before 2.10: above 20), "
                        "or unlimited",
                largeMebibytes));
    if (name == "max_non_split_rounding_mb")
        return withValue(settings, &Settings::maxNonSplitRounding,
            parseMebibytes(value, settings.largeSegment),
            fmt::format("max_non_split_rounding_mb is a whole number of at least {}", largeMebibytes));
    if (name == "large_segment_size_mb")
        return checkLargeSegment(withValue(settings, &Settings::largeSegment,
            parseMebibytes(value, kLeastLargeSegment, kMaxLargeSegment),
            "large_segment_size_mb is a whole number from 11 to 1048576"));
    if (name == "roundup_power2_divisions")
        return withValue(settings, &Settings::rounding, divisionsFrom(value),
            "roundup_power2_divisions is a power of two, 0, or a list like [256:1,512:2,>:8] with sizes in "
            "MiB");
    if (name == "garbage_collection_threshold")
        return withValue(settings, &Settings::garbageCollectionThreshold, parseThreshold(value),
            "garbage_collection_threshold is a number from 0 to less than 1");
    if (name == "per_process_memory_fraction")
        return withValue(settings, &Settings::memoryFraction, parseFraction(value),
            "per_process_memory_fraction is a number from 0 to 1");
    if (name == "expandable_segments_reserve")
        return withReserve(settings, value);
    if (name == "throw_on_cudamalloc_oom")
        return withValue(settings, &Settings::throwOnCudaMallocOom, parseBool(value),
            "throw_on_cudamalloc_oom is true or false");
    return fail(ErrorCode::BadRequest, unknownSettingText(name));
}

std::vector<std::string> splitOptions(std::string_view text)
{
    std::vector<std::string> options(1);
    int depth = 0;
    for (const char letter : text) {
        depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
        if (letter == ',' && depth <= 0)
            options.emplace_back();
        else if (std::string_view(" \t\n\r\v\f").find(letter) == std::string_view::npos)
            options.back() += letter;
    }
    std::erase(options, "");
    return options;
}

std::string configurationText(const AllocatorSettings& settings)
{
    std::string text;
    const auto add = [&text](std::string_view name, const std::string& value) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", name, value);
    };
    if (settings.expandableSegments)
        add("expandable_segments", "True");
    if (settings.maxSplitSize != AllocatorSettings::kUnlimited)
        add("max_split_size_mb", std::to_string(settings.maxSplitSize / kMiB));
    if (settings.largeSegment != AllocatorSettings::kDefaultLargeSegment)
        add("large_segment_size_mb", std::to_string(settings.largeSegment / kMiB));
    if (settings.maxNonSplitRounding > 0)
        add("max_non_split_rounding_mb", std::to_string(settings.maxNonSplitRounding / kMiB));
    if (roundsUp(settings.rounding))
        add("roundup_power2_divisions", divisionsText(settings.rounding));
    if (settings.garbageCollectionThreshold > 0)
        add("garbage_collection_threshold", fmt::format("{}", settings.garbageCollectionThreshold));
    if (settings.memoryFraction > 0)
        add("per_process_memory_fraction", fmt::format("{}", settings.memoryFraction));
    if (settings.segmentReserve > 0)
        add("expandable_segments_reserve",
            fmt::format("{}G", static_cast<double>(settings.segmentReserve) / static_cast<double>(kGiB)));
    else if (settings.segmentReserveShare > 0)
        add("expandable_segments_reserve", fmt::format("{}", settings.segmentReserveShare));
    if (settings.throwOnCudaMallocOom)
        add("throw_on_cudamalloc_oom", "True");
    return text;
}

} // namespace highwater
