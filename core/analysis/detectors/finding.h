#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/steps/grade.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/event_range.h"

namespace highwater {

/// Whether a finding describes, or names memory that need not be used.
enum class FindingKind : std::uint8_t
{
    Fact, ///< how the run uses memory, and what the recording can tell: nothing is wrong
    Fault, ///< a failure, or memory that the run could do without
};

/// "fact", "fault".
constexpr std::string_view toText(FindingKind kind)
{
    return kind == FindingKind::Fact ? "fact" : "fault";
}

/// Right after one event of the finding's device.
struct EventTarget
{
    std::int64_t event = -1;
};
/// Index into StepTable::steps.
struct StepTarget
{
    std::size_t step = 0;
};
/// A call site, by its key; the finding may concern only some of its allocations.
struct SiteTarget
{
    std::string key;
};
/// Some allocations of the finding's device, ascending.
struct AllocationsTarget
{
    std::vector<AllocationIndex> allocations;
};
/// A segment, by where it begins, right after an event.
struct SegmentTarget
{
    Address address = 0;
    std::int64_t event = -1;
};
/// A line of another file of the run: DetectorInput::companions.
struct LogLineTarget
{
    std::size_t companion = 0;
    std::uint64_t line = 0; ///< 1-based; 0: not known
};

/// The place that a piece of evidence links to; monostate: none.
using EvidenceTarget = std::variant<std::monostate, EventTarget, EventRange, StepTarget, SiteTarget,
    AllocationsTarget, SegmentTarget, LogLineTarget>;

/// One sentence with its figures, without a final full stop, and where to see it.
struct Evidence
{
    std::string sentence;
    EvidenceTarget target;
};

/// One next action.
struct Remedy
{
    std::string action; ///< a sentence without a final full stop; empty: there is none
    /// How much lower this run's peak would have been, or how much more would have been free at the failure,
    /// computed from this run. 0: nothing, or not known.
    Bytes savedBytes = 0;
    bool isUpperBound = false; ///< assumes that all of it goes, which the action may not achieve
    bool isLowerBound = false; ///< of what is certain to go: the action may save more
};

/// A statement about a device's memory, with its evidence.
struct Finding
{
    std::string rule = {}; ///< kebab-case; stable
    Grade grade = Grade::C;
    FindingKind kind = FindingKind::Fault;
    std::string title = {}; ///< one sentence with the figure, without a final full stop
    std::optional<std::int64_t> device = {}; ///< ordinal; none: a log that does not say
    Bytes bytes = 0; ///< size of what it is about, in the device's quantity unless the title says otherwise
    std::int64_t event = -1; ///< where to look first; −1: before the first event, or no event at all
    std::optional<std::size_t> step = {}; ///< index into StepTable::steps
    std::vector<Evidence> evidence = {};
    Remedy remedy = {};
    std::string wouldDisprove = {}; ///< what would prove it wrong; a sentence without a final full stop
    /// The rule of a finding of the same device that is about the same bytes and nearer to their cause;
    /// empty: none. What the two save is never added up.
    std::string mergedInto = {};

    void addEvidence(EvidenceTarget target, std::string sentence);
    template <typename... Values>
    void addEvidence(EvidenceTarget target, fmt::format_string<Values...> sentence, Values&&... values)
    {
        addEvidence(std::move(target), fmt::format(sentence, std::forward<Values>(values)...));
    }
};

/// The order of findings: by grade, then by bytes, largest first.
bool comesBefore(const Finding& a, const Finding& b);

/// The order to read them in: faults, then facts; in each what is explained by another finding comes last.
bool readsBefore(const Finding& a, const Finding& b);

} // namespace highwater
