#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/steps/grade.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/event_range.h"
#include "core/analysis/usage/removed_bytes.h"
#include "core/trace/stack_table.h"

namespace highwater {

/// The two kinds of finding.
enum class FindingKind : std::uint8_t
{
    Fact, ///< describes how the run uses memory or how complete the recording is; nothing is wrong
    Fault, ///< a failure, or memory that the run could do without
};

/// Returns "fact" or "fault".
constexpr std::string_view toText(FindingKind kind)
{
    return kind == FindingKind::Fact ? "fact" : "fault";
}

/// The moment right after one event of the finding's device.
struct EventTarget
{
    std::int64_t event = -1;
};
/// A step, as an index into StepTable::steps.
struct StepTarget
{
    std::size_t step = 0;
};
/// A call site, by its key. The finding may concern only some of its allocations.
struct SiteTarget
{
    std::string key;
};
/// Some allocations of the finding's device, by ascending index.
struct AllocationsTarget
{
    std::vector<AllocationIndex> allocations;
};
/// A segment, by its first address, right after an event.
struct SegmentTarget
{
    Address address = 0;
    std::int64_t event = -1;
};
/// A line of another file of the run (see DetectorInput::auxiliaryFiles).
struct LogLineTarget
{
    std::size_t auxiliary = 0;
    std::uint64_t line = 0; ///< 1-based; 0 if unknown
};

/// The place that a piece of evidence links to; monostate if it links nowhere.
using EvidenceTarget = std::variant<std::monostate, EventTarget, EventRange, StepTarget, SiteTarget,
    AllocationsTarget, SegmentTarget, LogLineTarget>;

/// One sentence with its figures, without a final full stop, and the place that shows it.
struct Evidence
{
    std::string sentence;
    EvidenceTarget target;
    /// True if the target shows allocations that the bytes of the finding do not include, such as the
    /// original of a copy
    bool isContext = false;
    bool isCause = false; ///< true if the sentence gives the cause of a failure that a log reports
};

/// The nearest line of the user's own code, outside models, that all of these blocks come through.
struct Keeper
{
    FrameId frame;
    std::string line; ///< the frame as "log_probs (r1_grpo.py:70)"
    std::vector<AllocationIndex> allocations; ///< ascending
    Bytes bytes = 0; ///< of `allocations`
};

/// How much lower the peak of the trace would be without some bytes, and what these bytes are.
struct PeakSaving
{
    Bytes bytes = 0;
    /// All changes of the removed bytes, by event; null if nothing is saved.
    std::shared_ptr<const std::vector<RemovedBytes>> removed = nullptr;
};

/// One next action.
struct Remedy
{
    Remedy() = default;
    Remedy(std::string toDo, Bytes saved = 0, bool isAtMost = false, bool isAtLeast = false)
        : action(std::move(toDo))
        , savedBytes(saved)
        , isUpperBound(isAtMost)
        , isLowerBound(isAtLeast)
    {
    }
    Remedy(std::string toDo, PeakSaving saving, bool isAtMost = false, bool isAtLeast = false)
        : Remedy(std::move(toDo), saving.bytes, isAtMost, isAtLeast)
    {
        removed = std::move(saving.removed);
    }

    std::string action; ///< a sentence without a final full stop; empty if there is no action
    std::string from
        = {}; ///< rule of the finding to whose action this one refers; empty if it needs no other
    std::string setting = {}; ///< the allocator setting that the action sets, as "name:value"; empty if none
    /// How much lower this run's peak would have been, or how much more would have been free at the failure,
    /// computed from this run. 0 if nothing is saved or the saving is unknown.
    Bytes savedBytes = 0;
    bool isUpperBound = false; ///< assumes that all of the memory is freed, which the action may not achieve
    bool isLowerBound = false; ///< counts only memory that is certain to be freed; the action may save more
    /// The bytes that the trace would do without, event by event: `savedBytes` is computed from them. Null if
    /// it is not, or if nothing is saved. Not stored in files.
    std::shared_ptr<const std::vector<RemovedBytes>> removed = nullptr;
};

/// A statement about the memory of one device, with its evidence and the next action. Detectors make
/// findings; a finding refers to its trace by event, step and allocation indices, and owns its texts.
struct Finding
{
    std::string rule = {}; ///< kebab-case; stable
    Grade grade = Grade::C;
    FindingKind kind = FindingKind::Fault;
    std::string title = {}; ///< one sentence with the figure, without a final full stop
    std::optional<std::int64_t> device = {}; ///< GPU ordinal; nullopt for a log that does not name the GPU
    /// Size of the memory that the finding is about, in the quantity of the device unless the title names
    /// another one. If the evidence lists allocations that are no context, these are all of the memory, and
    /// the sum of those alive at `event` (`allocationsOf`), unless only a part of each is meant
    /// (`Rule::PartOfAllocations`).
    Bytes bytes = 0;
    /// The event to look at first; −1 before the first event, or if there is no event
    std::int64_t event = -1;
    std::optional<std::size_t> step = {}; ///< index into StepTable::steps
    std::vector<Evidence> evidence = {};
    Remedy remedy = {};
    /// The condition under which the finding is wrong, as far as the user can check it; a sentence without a
    /// final full stop. Empty if there is none.
    std::string wouldDisprove = {};
    /// Rule of another finding on this device that explains this one: it concerns the same bytes and is
    /// nearer to their cause. Empty if there is none. The savings of the two must not be added up.
    std::string mergedInto = {};
    /// The lines that keep the finding's memory longer than needed, the one with the most bytes first; no
    /// block is in two of them. Empty if the memory is not kept, or if nothing is known about the lines.
    std::vector<Keeper> keepers = {};

    void addEvidence(EvidenceTarget target, std::string sentence);
    template <typename... Values>
    void addEvidence(EvidenceTarget target, fmt::format_string<Values...> sentence, Values&&... values)
    {
        addEvidence(std::move(target), fmt::format(sentence, std::forward<Values>(values)...));
    }
};

/// Returns the allocations that the finding is about: those of its evidence that are no context. Ascending;
/// each once. Empty if the evidence lists none. O(n log n).
std::vector<AllocationIndex> allocationsOf(const Finding& finding);

/// Returns the name of a rule as people write it: "generation with gradients" for
/// "generation-with-gradients", "leak" for "growth".
std::string ruleWords(std::string rule);

/// Returns the line through which a kept allocation was made, from the first finding that names one for it;
/// else null. O(findings × log allocations).
const Keeper* findKeeper(const std::vector<Finding>& findings, AllocationIndex allocation);

/// True if `a` comes before `b` by grade, then by bytes, largest first.
bool comesBefore(const Finding& a, const Finding& b);

/// True if `a` is read before `b`: faults before facts. Within each kind, guesses come after the others, and
/// findings that another one explains (`mergedInto`) last; among equals, the largest saving is first.
bool readsBefore(const Finding& a, const Finding& b);

} // namespace highwater
