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

/// Who made a recording: its place in the run, as far as it is known.
struct RankIdentity
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step; ///< of the training, at which the file was written
    std::optional<std::int64_t> tp; ///< tensor-parallel rank
    std::optional<std::int64_t> pp; ///< pipeline stage
    std::optional<std::int64_t> dp; ///< data-parallel rank
    std::optional<std::int64_t> ep; ///< expert-parallel rank
    std::string host; ///< empty: not known
    /// What is known ("rank", "pp", "host") and how it was found: "file name", "folder", "content", "option".
    std::vector<NamedText> found;

    bool operator==(const RankIdentity&) const = default;
};

/// The recording that a summary is of.
struct SummarySource
{
    std::string name; ///< of the file, without folders
    std::string format; ///< name of its `TraceKind`
    std::uint64_t fileBytes = 0;
    std::string cutOff; ///< why it ends early; empty: it is complete
    std::string otherDevices; ///< "cuda:1 (peak 3.2 GiB)": devices that are not in the summary; may be empty
};

/// The device and its figures. Bytes are of `quantity` unless the name says otherwise.
struct SummaryDevice
{
    int kind = 0; ///< DeviceKind
    std::int64_t ordinal = 0;
    std::string label; ///< "cuda:0"
    std::string name; ///< of the GPU; may be empty
    int quantity = 0; ///< Quantity
    std::int64_t events = 0;
    std::int64_t segments = 0;
    std::int64_t blocks = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    std::int64_t peakBlocks = 0;
    bool tellsReserved = false;
    Bytes reservedPeakBytes = 0;
    std::optional<Bytes> capacityBytes; ///< as the file states it
    // The allocator's memory at the peak; none: the file does not record segments.
    std::optional<Bytes> peakReservedBytes;
    std::optional<Bytes> peakFreeBytes; ///< reserved and free
    std::optional<Bytes> peakLargestFreeBytes;
    std::optional<Bytes> peakPinnedFreeBytes; ///< free, in segments that something live keeps
    std::optional<Bytes> peakReleasableBytes; ///< of segments without any live block
};

/// A stack of `RankSummary::nodes`; none: it was not captured.
using SummaryStack = std::uint32_t;
inline constexpr SummaryStack kNoSummaryStack = std::numeric_limits<SummaryStack>::max();

/// Facts about the recording's stacks that the allocations of the peak do not show.
struct SummaryStackFacts
{
    std::string noStacks; ///< why no allocation has one, as `noStacksReason` says; empty: some have
    /// True if a free has the stack of the allocation rather than its own.
    bool freesCarryAllocationStacks = false;
};

struct SummaryOom
{
    std::int64_t event = 0;
    Nanoseconds time = 0; ///< 0: not known
    Bytes requestedBytes = 0;
    Bytes deviceFreeBytes = -1; ///< −1: not told
    std::int64_t step = -1; ///< index into `RankSummary::steps`; −1: none
    SummaryStack stack = kNoSummaryStack;
    std::string site; ///< call site of the request; empty: no stack
};

/// A finding as it was told of the recording; fields as in `Finding`.
struct SummaryFinding
{
    std::string rule;
    std::string grade; ///< "A"
    bool isFault = true;
    std::string title;
    Bytes bytes = 0;
    std::int64_t event = -1;
    std::int64_t step = -1; ///< index into `RankSummary::steps`; −1: none
    std::vector<std::string> evidence;
    std::string action;
    Bytes savedBytes = 0;
    bool isUpperBound = false;
    bool isLowerBound = false;
    std::string wouldDisprove;
    std::string mergedInto;
};

/// Events [begin, end) of the recording.
struct SummaryStep
{
    std::string name;
    std::string source; ///< "profiler-step", as in `peaks`
    std::string grade; ///< "A"
    std::string peakPhase; ///< "backward"
    bool isComplete = true;
    bool isCounted = true; ///< false: what runs before the first step, or frees behind the last
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Bytes startBytes = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
};

/// The curve at chosen events: what was live right after each, by category. Columns of one length; the first
/// is the moment before the first event (−1).
struct SummaryMoments
{
    std::vector<std::int64_t> event; ///< ascending
    std::vector<Nanoseconds> time; ///< empty: the recording has no times
    std::vector<Bytes> reserved; ///< empty: not told
    std::vector<std::vector<Bytes>> byCategory; ///< parallel to `RankSummary::categories`

    std::size_t size() const { return event.size(); }
};

/// An allocation that was live at the peak, or several of one stack and category.
struct SummaryAllocation
{
    static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

    Bytes bytes = 0;
    std::uint32_t count = 1;
    SummaryStack stack = kNoSummaryStack;
    std::uint32_t category = 0; ///< index into `RankSummary::categories`
    std::uint32_t birth = 0; ///< the moment at which it is live first; 0: older than the recording
    std::uint32_t death = kNever; ///< the moment at which it is gone; kNever: live at the end
};

struct SummaryFrame
{
    std::uint32_t function = 0; ///< indices into `RankSummary::strings`
    std::uint32_t file = 0;
    std::int32_t line = 0;
    FrameKind kind = FrameKind::Native;
    bool operator==(const SummaryFrame&) const = default;
};

/// A stack: its innermost frame, and the stack of the caller, which precedes it. Node 0 is the empty stack.
struct SummaryNode
{
    std::uint32_t frame = 0;
    SummaryStack caller = 0;
};

/// What was live at the peak at one call site.
struct SummarySite
{
    std::string key; ///< as CallSite::key
    Bytes bytes = 0;
    std::int64_t count = 0;
};

/// One device of one recording, reduced so far that those of thousands of ranks can be moved and merged. A
/// plain value; `summarize` (core/study) makes it, the files are in importers/summary.
struct RankSummary
{
    RankIdentity identity;
    SummarySource source;
    SummaryDevice device;
    SummaryStackFacts stackFacts;
    std::string stepReason; ///< how the steps were found
    std::optional<Bytes> growthPerStep; ///< median slope of what remains at the ends of steps; none: too few
    std::int64_t growthSteps = 0; ///< number of steps that it was fitted to
    std::vector<SummaryOom> ooms;
    std::vector<SummaryFinding> findings; ///< the most important first
    std::vector<NamedText> producer;
    std::vector<NamedText> settings; ///< of the allocator
    std::vector<ConfigurationEntry> configuration;
    std::vector<ImportLogEntry> importLog;
    std::vector<std::string> limits; ///< sentences: what of the recording is not in the summary
    int clock = 0; ///< Clock
    std::vector<std::string> categories; ///< "parameter", as in `peaks`
    std::vector<SummarySite> sites; ///< largest first; what they leave out is in `restBytes`
    Bytes restBytes = 0;
    std::int64_t restCount = 0;

    std::vector<SummaryStep> steps;
    SummaryMoments moments;
    std::vector<SummaryAllocation> allocations;
    std::vector<std::string> strings;
    std::vector<SummaryFrame> frames;
    std::vector<SummaryNode> nodes;
};

} // namespace highwater
