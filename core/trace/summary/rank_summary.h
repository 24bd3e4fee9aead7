#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/import_log.h"
#include "core/trace/trace.h"

namespace highwater {

/// Source of a rank that is torchrun's local rank: the folder RUN/attempt_0/LOCAL_RANK of a file's path.
inline constexpr std::string_view kLocalRankSource = "torchrun's folder";

/// The place of a recording in a distributed run, as far as it is known.
struct RankIdentity
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step; ///< Training step at which the file was written
    std::optional<std::int64_t> tp; ///< Tensor-parallel rank
    std::optional<std::int64_t> pp; ///< Pipeline stage
    std::optional<std::int64_t> dp; ///< Data-parallel rank
    std::optional<std::int64_t> ep; ///< Expert-parallel rank
    std::string host; ///< Empty if unknown
    /// The known fields ("rank", "pp", "host"), each with its source, such as "file name" or "content".
    std::vector<NamedText> found;

    bool operator==(const RankIdentity&) const = default;
};

/// The recording from which a summary was made.
struct SummarySource
{
    std::string name; ///< Name of the file, without folders
    std::string format; ///< Name of its `TraceKind`
    std::uint64_t fileBytes = 0;
    std::string cutOff; ///< Why the recording ends early; empty if it is complete
    std::string otherDevices; ///< Devices that are not in the summary: "cuda:1 (peak 3.2 GiB)"; may be empty
};

/// The device and its figures. Bytes count `quantity` unless the name says otherwise.
struct SummaryDevice
{
    int kind = 0; ///< A DeviceKind
    std::int64_t ordinal = 0;
    std::string label; ///< "cuda:0"
    std::string name; ///< Name of the GPU; may be empty
    int quantity = 0; ///< A Quantity
    std::int64_t events = 0; ///< Number of events
    std::int64_t segments = 0; ///< Number of segments at the end
    std::int64_t blocks = 0; ///< Number of their blocks
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1; ///< The peak is right after this event; −1: before the first
    std::int64_t peakBlocks = 0; ///< Number of live allocations at the peak
    bool tellsReserved = false;
    Bytes reservedPeakBytes = 0;
    std::optional<Bytes> capacityBytes; ///< As stated in the file
    // The allocator's memory at the peak; nullopt if the file does not record segments.
    std::optional<Bytes> peakReservedBytes;
    std::optional<Bytes> peakFreeBytes; ///< Free within reserved memory
    std::optional<Bytes> peakLargestFreeBytes;
    std::optional<Bytes> peakPinnedFreeBytes; ///< Free, in segments in use but over a quarter free
    std::optional<Bytes> peakReleasableBytes; ///< In segments without any live block
};

/// A stack of `RankSummary::nodes`; kNoSummaryStack if it was not captured.
using SummaryStack = std::uint32_t;
inline constexpr SummaryStack kNoSummaryStack = std::numeric_limits<SummaryStack>::max();

/// Facts about the recording's stacks that cannot be seen from the allocations at the peak.
struct SummaryStackFacts
{
    std::string noStacks; ///< Why no allocation has a stack, from `noStacksReason`; empty if some have one
    /// True if a free has the stack of the allocation rather than its own.
    bool freesCarryAllocationStacks = false;
};

/// A failed request of the recording.
struct SummaryOom
{
    std::int64_t event = 0;
    Nanoseconds time = 0; ///< 0 if unknown
    Bytes requestedBytes = 0;
    Bytes deviceFreeBytes = -1; ///< −1 if not stated
    std::int64_t step = -1; ///< Index into `RankSummary::steps`, or −1
    SummaryStack stack = kNoSummaryStack;
    std::string site; ///< Call site of the request; empty without a stack
};

/// A finding about the recording; fields as in `Finding`.
struct SummaryFinding
{
    std::string rule;
    std::string grade; ///< "A"
    bool isFault = true;
    std::string title;
    Bytes bytes = 0;
    std::int64_t event = -1;
    std::int64_t step = -1; ///< Index into `RankSummary::steps`, or −1
    std::vector<std::string> evidence;
    std::string action;
    Bytes savedBytes = 0;
    bool isUpperBound = false;
    bool isLowerBound = false;
    std::string wouldDisprove;
    std::string mergedInto;
};

/// A step: events [begin, end) of the recording.
struct SummaryStep
{
    std::string name;
    std::string source; ///< "profiler-step", as in `peaks`
    std::string grade; ///< "A"
    std::string peakPhase; ///< "backward"
    bool isComplete = true;
    bool isCounted = true; ///< False for the span before the first step, or frees after the last one
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Bytes startBytes = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
};

/// The live bytes by category right after selected events. The columns have equal length; the first row is
/// the state before the first event (−1).
struct SummaryMoments
{
    std::vector<std::int64_t> event; ///< Ascending
    std::vector<Nanoseconds> time; ///< Empty if the recording has no times
    std::vector<Bytes> reserved; ///< Empty if not recorded
    std::vector<std::vector<Bytes>> byCategory; ///< Parallel to `RankSummary::categories`

    std::size_t size() const { return event.size(); }
};

/// An allocation that was live at the peak, or several with the same stack, category, birth and death.
struct SummaryAllocation
{
    static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

    Bytes bytes = 0;
    std::uint32_t count = 1;
    SummaryStack stack = kNoSummaryStack;
    std::uint32_t category = 0; ///< Index into `RankSummary::categories`
    std::uint32_t birth = 0; ///< The first moment at which it is live; 0 if allocated before recording began
    std::uint32_t death = kNever; ///< The first moment at which it is freed; kNever if live at the end
};

/// A frame of the stacks of a summary.
struct SummaryFrame
{
    std::uint32_t function = 0; ///< `function` and `file` are indices into `RankSummary::strings`
    std::uint32_t file = 0;
    std::int32_t line = 0;
    FrameKind kind = FrameKind::Native;
    bool operator==(const SummaryFrame&) const = default;
};

/// A stack: its innermost frame, and the stack of its caller, which precedes it. Node 0 is the empty stack.
struct SummaryNode
{
    std::uint32_t frame = 0;
    SummaryStack caller = 0;
};

/// The allocations of one call site that were live at the peak.
struct SummarySite
{
    std::string key; ///< As in CallSite::key
    Bytes bytes = 0;
    std::int64_t count = 0;
};

/// One device of one recording, reduced so that the summaries of thousands of ranks can be moved and
/// merged. A plain value: `summarize` (core/study) makes it, and importers/summary reads and writes its
/// files.
struct RankSummary
{
    RankIdentity identity;
    SummarySource source;
    SummaryDevice device;
    SummaryStackFacts stackFacts;
    std::string stepReason; ///< How the steps were detected
    std::optional<Bytes>
        growthPerStep; ///< Median slope of the bytes at step ends; nullopt with too few steps
    std::int64_t growthSteps = 0; ///< Number of steps used for the slope
    std::vector<SummaryOom> ooms;
    std::vector<SummaryFinding> findings; ///< Most important first
    std::vector<NamedText> producer; ///< As in TraceMetadata
    std::vector<NamedText> settings; ///< Allocator settings
    std::vector<ConfigurationEntry> configuration;
    std::vector<ImportLogEntry> importLog;
    std::vector<std::string> limits; ///< Sentences on what the summary omits from the recording
    int clock = 0; ///< A Clock
    std::vector<std::string> categories; ///< "parameter", as in `peaks`
    std::vector<SummarySite> sites; ///< Largest first; sites that are left out are counted in `restBytes`
    Bytes restBytes = 0;
    std::int64_t restCount = 0; ///< Number of allocations in `restBytes`

    std::vector<SummaryStep> steps;
    SummaryMoments moments;
    std::vector<SummaryAllocation> allocations;
    std::vector<std::string> strings;
    std::vector<SummaryFrame> frames;
    std::vector<SummaryNode> nodes;
};

} // namespace highwater
