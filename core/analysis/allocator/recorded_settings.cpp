#include "core/analysis/allocator/recorded_settings.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/allocator/allocator_rules.h"
#include "core/base/text_parts.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

struct Option
{
    std::string name;
    std::string value;
    std::string text() const { return name + ":" + value; }
};

/// An option that `withSetting` knows, and the key under which PyTorch records its parsed value.
struct ReplayedOption
{
    std::string_view name;
    std::string_view parsed; ///< empty if PyTorch writes only the text
};

constexpr std::string_view kLargeSegmentOption = "large_segment_size_mb";
constexpr std::string_view kDivisionsOption = "roundup_power2_divisions";
constexpr std::string_view kParsedDivisions = "roundup_power2_divisions.1";
constexpr std::string_view kFractionOption = "per_process_memory_fraction";
constexpr std::string_view kReserveOption = "expandable_segments_reserve";
constexpr ReplayedOption kReplayed[] = {{"max_split_size_mb", "max_split_size"},
    {"garbage_collection_threshold", "garbage_collection_threshold"},
    {"expandable_segments", "expandable_segments"}, {kDivisionsOption, kParsedDivisions},
    {kFractionOption, ""}, {kLargeSegmentOption, ""}, {"max_non_split_rounding_mb", ""}, {kReserveOption, ""},
    {"throw_on_cudamalloc_oom", ""}};

/// Options for host memory and locks. The last one only decides when memory becomes free, which the events
/// record.
constexpr std::string_view kWithoutEffect[] = {"release_lock_on_cudamalloc", "release_lock_on_hipmalloc",
    "pinned_use_cuda_host_register", "pinned_use_hip_host_register", "pinned_num_register_threads",
    "pinned_use_background_threads", "pinned_reserve_segment_size_mb", "pinned_max_cached_size_mb",
    "pinned_max_round_threshold_mb", "pinned_free_catch_all", "graph_capture_record_stream_reuse"};

/// Options without a rule. The first one depends on the class of a stream, which no file records.
constexpr std::string_view kNotReplayed[]
    = {"expandable_segments_reserve_by_class", "roundup_bypass_threshold_mb"};

template <typename List>
bool contains(const List& list, std::string_view wanted)
{
    return std::find(std::begin(list), std::end(list), wanted) != std::end(list);
}

/// Returns the value of PYTORCH_CUDA_ALLOC_CONF, PYTORCH_HIP_ALLOC_CONF, PYTORCH_ALLOC_CONF, or another
/// accelerator's variable; empty if none is recorded.
std::string findConfiguration(const Trace& trace)
{
    for (const auto& [name, value] : trace.metadata.settings)
        if (name.starts_with("PYTORCH_") && name.ends_with("ALLOC_CONF") && !value.empty())
            return value;
    return {};
}

/// Returns the options in the order in which they must be applied.
std::vector<Option> parseOptions(std::string_view text)
{
    std::vector<Option> options;
    for (const std::string& entry : splitOptions(text)) {
        const std::size_t colon = std::min(entry.find(':'), entry.size());
        options.push_back({entry.substr(0, colon), entry.substr(std::min(colon + 1, entry.size()))});
    }
    // The minimum values of other options depend on the large segment, so its option comes first.
    std::stable_partition(options.begin(), options.end(),
        [](const Option& option) { return option.name == kLargeSegmentOption; });
    return options;
}

/// Applies the options of PYTORCH_CUDA_ALLOC_CONF one by one, or records why one is ignored.
class TextReader
{
public:
    TextReader(const Trace& trace, RecordedSettings& recorded)
        : m_trace(trace)
        , m_recorded(recorded)
    {
    }

    void apply(const Option& option)
    {
        const auto* replayed = std::find_if(std::begin(kReplayed), std::end(kReplayed),
            [&](const ReplayedOption& known) { return known.name == option.name; });
        if (replayed != std::end(kReplayed))
            applyReplayed(option, *replayed);
        else if (option.name == "backend")
            m_recorded.backend = option.value == "native" ? "" : option.value;
        else if (isReadOtherwise(m_trace.metadata, option.name, option.value))
            m_recorded.contradicted.push_back(option.text());
        else if (contains(kWithoutEffect, option.name))
            m_recorded.withoutEffect.push_back(option.text());
        else if (contains(kNotReplayed, option.name))
            (option.value == "False" ? m_recorded.withoutEffect : m_recorded.notReplayed)
                .push_back(option.text());
        else
            m_recorded.notUnderstood.push_back(option.text());
    }

private:
    void applyReplayed(const Option& option, const ReplayedOption& known)
    {
        AllocatorSettings& settings = m_recorded.settings;
        Result<AllocatorSettings> changed = withSetting(settings, option.name, option.value);
        if (!changed) {
            m_recorded.notUnderstood.push_back(option.text());
            return;
        }
        // A fraction of 1 in the text is no limit.
        if (option.name == kFractionOption && changed->memoryFraction >= 1)
            changed->memoryFraction = 0;
        if (known.parsed.empty() || !m_trace.metadata.setting(known.parsed))
            settings = *changed;
        else if (*changed != settings && !isOlderList(option))
            m_recorded.contradicted.push_back(option.text());
    }

    /// True if the list, read as before PyTorch 2.10, gives the recorded divisions.
    bool isOlderList(const Option& option) const
    {
        return option.name == kDivisionsOption
            && divisionsFrom(option.value, true) == m_recorded.settings.rounding;
    }

    const Trace& m_trace;
    RecordedSettings& m_recorded;
};

/// Returns the settings as PyTorch parsed them.
AllocatorSettings parsedSettings(const Trace& trace, bool showsExpandable)
{
    AllocatorSettings settings;
    settings.rounding = roundingSettings(trace.metadata);
    const auto number = [&](std::string_view name, auto& value) {
        if (const std::string* text = trace.metadata.setting(name))
            std::from_chars(text->data(), text->data() + text->size(), value);
    };
    Bytes maxSplit = 0;
    number("max_split_size", maxSplit);
    if (maxSplit > 0)
        settings.maxSplitSize = maxSplit;
    double threshold = 0;
    number("garbage_collection_threshold", threshold);
    if (threshold > 0 && threshold <= 1)
        settings.garbageCollectionThreshold = threshold;
    const std::string* expandable = trace.metadata.setting("expandable_segments");
    const bool isRecorded = expandable && (*expandable == "true" || *expandable == "false");
    settings.expandableSegments = isRecorded ? *expandable == "true" : showsExpandable;
    return settings;
}

/// Returns the private pools that have plain segments, but none with pages.
std::set<PoolId> plainPools(const Trace& trace, DeviceIndex device)
{
    std::set<PoolId> plain;
    std::set<PoolId> paged;
    const auto add = [&](PoolId pool, bool expandable) {
        if (trace.isPrivate(pool))
            (expandable ? paged : plain).insert(pool);
    };
    for (const Segment& segment : trace.segmentsOf(device))
        add(segment.pool, segment.expandable);
    for (std::int64_t event = 0; event < trace.eventCount(device); ++event) {
        const std::size_t row = trace.row(device, event);
        if (isReservingAction(trace.events.action[row]))
            add(trace.events.pool.get(row), trace.events.action[row] == Action::SegmentMap);
    }
    for (const PoolId pool : paged)
        plain.erase(pool);
    return plain;
}

/// Returns the private pools in which a block of the final snapshot is larger than the splitting rules leave
/// it, and no segment has two blocks.
std::set<PoolId> unsplitPools(const Trace& trace, DeviceIndex device, const AllocatorSettings& settings)
{
    std::set<PoolId> unsplit;
    std::set<PoolId> split;
    for (const Segment& segment : trace.segmentsOf(device)) {
        if (!trace.isPrivate(segment.pool) || segment.blocks.isEmpty())
            continue;
        const Block& block = trace.segments.blocks[segment.blocks.first];
        const Bytes rounded = roundedSize(block.requestedSize, settings.rounding);
        const bool isSmall = segment.type == SegmentType::Small;
        if (segment.blocks.size() > 1)
            split.insert(segment.pool);
        else if (block.state == BlockState::Active && block.requestedSize > 0 && rounded <= block.size
            && isWorthSplitting(block.size, rounded, isSmall, segment.pool, settings))
            unsplit.insert(segment.pool);
    }
    for (const PoolId pool : split)
        unsplit.erase(pool);
    return unsplit;
}

bool hasPrivatePool(const Trace& trace, DeviceIndex device)
{
    for (const Segment& segment : trace.segmentsOf(device))
        if (trace.isPrivate(segment.pool))
            return true;
    for (std::int64_t event = 0; event < trace.eventCount(device); ++event)
        if (trace.isPrivate(trace.events.pool.get(trace.row(device, event))))
            return true;
    return false;
}

std::string poolList(const Trace& trace, const std::set<PoolId>& pools)
{
    std::vector<std::string> labels;
    for (const PoolId pool : pools)
        labels.push_back(trace.poolLabel(pool));
    return fmt::format("{}", fmt::join(labels, ", "));
}

} // namespace

bool hidesRefusals(const Trace& trace, DeviceIndex device)
{
    return recordedSettings(trace, device).settings.throwOnCudaMallocOom;
}

bool isReadOtherwise(const TraceMetadata& metadata, std::string_view option, std::string_view value)
{
    const std::string* read = metadata.setting(option);
    return read && lowered(*read) != lowered(value); // "true" and "True"
}

std::string configurationText(const AllocatorSettings& settings, const RecordedSettings& recorded)
{
    std::string text = configurationText(settings);
    for (const auto* options : {&recorded.withoutEffect, &recorded.notReplayed, &recorded.notUnderstood})
        for (const std::string& option : *options)
            text += (text.empty() ? "" : ",") + option;
    return text;
}

RecordedSettings recordedSettings(const Trace& trace, DeviceIndex device)
{
    const bool showsExpandable = std::ranges::any_of(trace.segmentsOf(device), &Segment::expandable);
    RecordedSettings recorded;
    recorded.settings = parsedSettings(trace, showsExpandable);
    recorded.text = findConfiguration(trace);
    TextReader reader(trace, recorded);
    for (const Option& option : parseOptions(recorded.text))
        reader.apply(option);
    AllocatorSettings& settings = recorded.settings;
    // PyTorch 2.11 searches by address, 2.15 by age; 2.15 writes this key, 2.11 does not.
    settings.isOldestSegmentFirst = trace.metadata.setting("max_cached_size") != nullptr;
    if (trace.pools.size() < 2)
        return recorded;
    if (settings.expandableSegments)
        settings.plainPools = plainPools(trace, device);
    // Releases that write this key split plain segments by the rule for plain segments.
    settings.plainPoolsSplitFinely = !trace.metadata.setting("graph_capture_record_stream_reuse");
    settings.unsplitPools = unsplitPools(trace, device, settings);
    return recorded;
}

std::vector<std::string> sentencesOf(const RecordedSettings& recorded)
{
    std::vector<std::string> sentences;
    const auto add
        = [&](const std::vector<std::string>& options, std::string_view singular, std::string_view plural) {
              std::string names;
              for (const std::string& option : options)
                  names += (names.empty() ? "" : ", ") + quotedText(option);
              if (!options.empty())
                  sentences.push_back(fmt::format("{} {}", names, options.size() == 1 ? singular : plural));
          };
    add(recorded.notUnderstood, "is not understood; the replay uses the allocator's default",
        "are not understood; the replay uses the allocator's defaults");
    add(recorded.notReplayed, "is not replayed; the replay uses the allocator's default",
        "are not replayed; the replay uses the allocator's defaults");
    add(recorded.contradicted,
        "is in the recorded settings but was not applied by PyTorch; the replay does not apply it either",
        "are in the recorded settings but were not applied by PyTorch; the replay does not apply them "
        "either");
    add(recorded.withoutEffect, "has no effect on the replay", "have no effect on the replay");
    return sentences;
}

std::vector<std::string> replayAssumptions(
    const Trace& trace, DeviceIndex device, const RecordedSettings& recorded)
{
    std::vector<std::string> sentences;
    const AllocatorSettings& settings = recorded.settings;
    for (const Option& option : parseOptions(recorded.text))
        if (option.name == kDivisionsOption && !trace.metadata.setting(kParsedDivisions)
            && divisionsFrom(option.value) != divisionsFrom(option.value, true))
            sentences.push_back("\">\" in roundup_power2_divisions is read as in PyTorch 2.10, for sizes "
                                "above the entry before it");
    if (trace.pools.size() < 2 || !hasPrivatePool(trace, device))
        return sentences;
    if (!settings.expandableSegments)
        sentences.push_back("with expandable segments, private pools are assumed to have them too, as since "
                            "PyTorch 2.5; a MemPool with its own allocator would not");
    if (!settings.plainPools.empty())
        sentences.push_back(
            fmt::format("private pool {} keeps the plain segments that it has in the recording",
                poolList(trace, settings.plainPools)));
    if (!settings.unsplitPools.empty())
        sentences.push_back(fmt::format("private pool {} did not split a block where others do, so it is "
                                        "assumed to be a MemPool with no_split",
            poolList(trace, settings.unsplitPools)));
    sentences.push_back("requests stay in the private pool that served them; the file does not record "
                        "whether a pool was borrowed at an out-of-memory error (use_on_oom)");
    return sentences;
}

} // namespace highwater
