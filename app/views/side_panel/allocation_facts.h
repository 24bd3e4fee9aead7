#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/detectors/finding.h"

namespace highwater::gui {

/// A line of the details: "requested   64 MiB  67,108,864 B".
struct Fact
{
    QString name;
    QString value;
    QString aside; ///< grey text after the value
    FrameId frame = FrameId(); ///< the frame that the value names, if it links to its source
};

/// The details of one allocation, or of a request that failed, in sections. All texts are for display.
struct AllocationFacts
{
    QString title; ///< "Allocation of event 11,204"
    std::vector<Fact> what;
    QString stackTitle; ///< heading of the stack: "Allocated by", "Freed by …"
    StackId stack;
    QString withoutStack; ///< shown instead of the stack; empty if there is one
    std::vector<Fact> sameStack;
};

/// Returns the facts of an allocation. `keeper` is the line through which kept allocations
/// were made, if a finding names one for this allocation; null if none does.
/// The fact "in use" counts the allocations of the same stack right after the event `moment`; without a
/// moment, at the `keyMoment` of the run. The fact is missing without a stack. O(live allocations).
AllocationFacts allocationFacts(const DeviceAnalysis& analysis, AllocationIndex allocation,
    std::optional<std::int64_t> moment, const Keeper* keeper = nullptr);

/// Returns only the stack of an allocation, with its title.
AllocationFacts stackFacts(const DeviceAnalysis& analysis, AllocationIndex allocation);

/// Returns the facts of a failed request, with the failing line of code as a link if the stack has
/// Python frames. O(frames).
AllocationFacts failureFacts(const DeviceAnalysis& analysis, const OomEvent& failure);

/// Returns all facts as text for the clipboard, with every frame of the stack.
QString plainText(const DeviceAnalysis& analysis, const AllocationFacts& facts);

} // namespace highwater::gui
