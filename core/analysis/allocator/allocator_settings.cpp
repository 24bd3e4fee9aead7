#include "core/analysis/allocator/allocator_settings.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_rules.h"

namespace highwater {

namespace {

constexpr Bytes kLargestMebibytes = std::numeric_limits<Bytes>::max() / kMiB;

template <typename T>
std::optional<T> number(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional<T>(value) : std::nullopt;
}

std::string_view recorded(const Trace& trace, std::string_view wanted)
{
    for (const auto& [name, value] : trace.metadata.settings)
        if (name == wanted)
            return value;
    return {};
}

std::optional<bool> truth(std::string_view text)
{
    if (text == "true" || text == "True" || text == "1")
        return true;
    if (text == "false" || text == "False" || text == "0")
        return false;
    return std::nullopt;
}

/// The allocator refuses everything but powers of two; 0 and 1 stand for none.
std::optional<std::int64_t> divisionCount(std::string_view text)
{
    const auto count = number<std::int64_t>(text);
    const bool valid
        = count && *count >= 0 && (*count == 0 || std::has_single_bit(static_cast<std::uint64_t>(*count)));
    return valid ? count : std::nullopt;
}

/// Reads a list like "256:1,512:2,>:8". As the allocator does, an entry holds for its own interval alone; the
/// first one also for all below, ">" for all above the one before it.
class DivisionList
{
public:
    bool add(std::string_view entry)
    {
        const std::size_t colon = std::min(entry.find(':'), entry.size());
        const auto count = divisionCount(entry.substr(std::min(colon + 1, entry.size())));
        const std::optional<std::size_t> interval = intervalOf(entry.substr(0, colon));
        if (!count || !interval)
            return false;
        auto& divisions = m_rounding.divisions;
        const bool isRest = entry.starts_with('>');
        const std::size_t first = isRest ? m_next : m_next == 0 ? 0 : *interval;
        for (std::size_t i = first; i < (isRest ? divisions.size() : *interval + 1); ++i)
            divisions[i] = *count;
        m_next = *interval + 1;
        return true;
    }

    const RoundingSettings& rounding() const { return m_rounding; }

private:
    std::optional<std::size_t> intervalOf(std::string_view size) const
    {
        const std::size_t last = m_rounding.divisions.size() - 1;
        if (size == ">")
            return last;
        const auto mebibytes = number<std::uint64_t>(size);
        if (!mebibytes || !std::has_single_bit(*mebibytes))
            return std::nullopt;
        return std::min(last, static_cast<std::size_t>(std::bit_width(*mebibytes)) - 1);
    }

    RoundingSettings m_rounding;
    std::size_t m_next = 0; ///< behind the interval of the entry before
};

std::optional<RoundingSettings> divisionsFrom(std::string_view text)
{
    if (const auto count = divisionCount(text)) {
        RoundingSettings rounding;
        rounding.divisions.fill(*count);
        return rounding;
    }
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return std::nullopt;
    text = text.substr(1, text.size() - 2);
    DivisionList list;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (!list.add(text.substr(0, comma)))
            return std::nullopt;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return list.rounding();
}

std::optional<Bytes> maxSplitSizeFrom(std::string_view text)
{
    if (text == "unlimited" || text == "-1")
        return AllocatorSettings::kUnlimited;
    const auto mebibytes = number<Bytes>(text);
    const bool valid = mebibytes && *mebibytes > kLargeSegment / kMiB && *mebibytes <= kLargestMebibytes;
    return valid ? std::optional(*mebibytes * kMiB) : std::nullopt;
}

std::optional<double> shareFrom(std::string_view text, double highest)
{
    const auto share = number<double>(text);
    return share && *share >= 0 && *share <= highest ? share : std::nullopt;
}

template <typename T, typename U>
Result<AllocatorSettings> changed(AllocatorSettings settings, T AllocatorSettings::*member,
    const std::optional<U>& value, std::string_view wanted)
{
    if (!value)
        return fail(ErrorCode::BadRequest, std::string(wanted));
    settings.*member = *value;
    return settings;
}

std::string divisionsText(const RoundingSettings& rounding)
{
    const auto& counts = rounding.divisions;
    if (std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count == counts[0]; }))
        return std::to_string(counts[0]);
    std::string text = "[";
    for (std::size_t i = 0; i + 1 < counts.size(); ++i)
        text += fmt::format("{}:{},", std::uint64_t{1} << i, counts[i]);
    return text + fmt::format(">:{}]", counts.back());
}

bool rounds(const RoundingSettings& rounding)
{
    return std::any_of(
        rounding.divisions.begin(), rounding.divisions.end(), [](std::int64_t count) { return count > 1; });
}

} // namespace

AllocatorSettings recordedSettings(const Trace& trace, DeviceIndex device)
{
    AllocatorSettings settings;
    settings.rounding = roundingSettings(trace.metadata);
    const auto maxSplit = number<Bytes>(recorded(trace, "max_split_size"));
    if (maxSplit && *maxSplit > 0)
        settings.maxSplitSize = *maxSplit;
    settings.garbageCollectionThreshold
        = shareFrom(recorded(trace, "garbage_collection_threshold"), 1).value_or(0);
    bool seen = false;
    const RowRange rows = trace.devices[device].segments;
    for (std::uint32_t s = rows.first; s < rows.last; ++s) {
        const Segment& segment = trace.segments.segments[s];
        seen = seen || segment.expandable;
        const bool isPrivate = !segment.pool.isNone() && !trace.pools[segment.pool.index()].isDefault();
        settings.expandablePrivatePools |= segment.expandable && isPrivate;
    }
    settings.expandableSegments = truth(recorded(trace, "expandable_segments")).value_or(seen);
    return settings;
}

Result<AllocatorSettings> withSetting(
    AllocatorSettings settings, std::string_view name, std::string_view value)
{
    using Settings = AllocatorSettings;
    if (name == "expandable_segments")
        return changed(
            settings, &Settings::expandableSegments, truth(value), "expandable_segments is true or false");
    if (name == "max_split_size_mb")
        return changed(settings, &Settings::maxSplitSize, maxSplitSizeFrom(value),
            "max_split_size_mb is a whole number above 20, or unlimited");
    if (name == "roundup_power2_divisions")
        return changed(settings, &Settings::rounding, divisionsFrom(value),
            "roundup_power2_divisions is a power of two, 0, or a list like [256:1,512:2,>:8] with sizes in "
            "MiB");
    if (name == "garbage_collection_threshold")
        return changed(settings, &Settings::garbageCollectionThreshold, shareFrom(value, 1),
            "garbage_collection_threshold is a number from 0 to 1");
    if (name == "per_process_memory_fraction")
        return changed(settings, &Settings::memoryFraction, shareFrom(value, 1),
            "per_process_memory_fraction is a number from 0 to 1");
    return fail(ErrorCode::BadRequest,
        "a setting is one of expandable_segments, max_split_size_mb, roundup_power2_divisions, "
        "garbage_collection_threshold, per_process_memory_fraction");
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
    if (rounds(settings.rounding))
        add("roundup_power2_divisions", divisionsText(settings.rounding));
    if (settings.garbageCollectionThreshold > 0)
        add("garbage_collection_threshold", fmt::format("{}", settings.garbageCollectionThreshold));
    if (settings.memoryFraction > 0)
        add("per_process_memory_fraction", fmt::format("{}", settings.memoryFraction));
    return text;
}

} // namespace highwater
