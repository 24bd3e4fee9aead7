#include "core/analysis/allocator/replay.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/allocator/script_player.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

/// Looks up reserved bytes at events that only increase; O(1) per call on average.
class ReservedCursor
{
public:
    explicit ReservedCursor(const std::vector<ReservedChange>& changes)
        : m_changes(changes)
    {
    }
    Bytes at(std::int64_t event)
    {
        while (m_index + 1 < m_changes.size() && m_changes[m_index + 1].event <= event)
            ++m_index;
        return m_changes[m_index].bytes;
    }

private:
    const std::vector<ReservedChange>& m_changes;
    std::size_t m_index = 0;
};

void addComparison(ReplayFidelity& fidelity, std::int64_t event, Bytes simulated, Bytes recorded)
{
    const Bytes deviation = simulated - recorded;
    ++fidelity.compared;
    fidelity.exact += deviation == 0;
    if (std::abs(deviation) > std::abs(fidelity.largestDeviation)) {
        fidelity.largestDeviation = deviation;
        fidelity.event = event;
        fidelity.recordedAtDeviation = recorded;
    }
    const double share = deviation == 0 ? 0
        : recorded > 0 ? std::abs(static_cast<double>(deviation) / static_cast<double>(recorded))
                       : 1;
    fidelity.share = std::max(fidelity.share, share);
}

/// True if the step frees memory that another stream still read. This happens inside a later call, so the
/// reserved bytes cannot be compared yet.
bool isLateFree(const AllocationScript& script, const ScriptStep& step)
{
    if (step.action != ScriptAction::Free)
        return false;
    const std::size_t row = script.trace->row(script.allocations->device(), step.event);
    const MemoryEventTable& events = script.trace->events;
    return events.action[row] != Action::Free
        && (step.event == 0 || events.action[row - 1] != Action::FreeRequested
            || events.address[row - 1] != events.address[row]);
}

} // namespace

WhatIfResult replayWithin(const AllocationScript& script, const WhatIf& change, Bytes limit)
{
    ScriptPlayer player(script, change, limit);
    for (const ScriptStep& step : script.steps)
        player.play(step);
    return player.result();
}

WhatIfResult replay(const AllocationScript& script, const WhatIf& change)
{
    return replayWithin(script, change, script.limit);
}

std::optional<WhatIfResult> replayUnlessWorse(
    const AllocationScript& script, const WhatIf& change, Bytes maxReserved)
{
    ScriptPlayer player(script, change);
    const auto isWorse = [&] { return player.newFailures() > 0 || player.reservedPeak() > maxReserved; };
    for (const ScriptStep& step : script.steps) {
        if (isWorse())
            return std::nullopt;
        player.play(step);
    }
    return isWorse() ? std::nullopt : std::optional(player.result());
}

std::string reasonNotToTrust(const AllocationScript& script, const WhatIf& change, const WhatIfResult& result)
{
    if (change.settings != script.settings)
        for (const auto* options : {&script.recorded.notReplayed, &script.recorded.notUnderstood})
            if (!options->empty())
                return fmt::format("the run was recorded with {}, which the replay does not support",
                    quotedText(options->front()));
    if (script.smallestRefusedBytes == DriverFacts::kNoLimit)
        return {};
    const std::string unknown = "the GPU was full in the recorded run, and its capacity is only known to ";
    if (script.recordedPeak() >= script.smallestRefusedBytes)
        return script.deviceMemory > 0 || result.reservedPeak < script.smallestRefusedBytes
            ? std::string()
            : unknown + "have changed";
    if (script.deviceMemory > 0)
        return {};
    const WhatIfResult atUpperBound = replayWithin(script, change, script.smallestRefusedBytes - 1);
    return atUpperBound.reservedPeak == result.reservedPeak && atUpperBound.newFailures == result.newFailures
        ? std::string()
        : fmt::format("{}be between {} and {}", unknown, formatBytes(script.limit),
            formatBytes(script.smallestRefusedBytes));
}

ReplayFidelity compareWithRecording(const AllocationScript& script, const WhatIfResult& result)
{
    ReplayFidelity fidelity;
    ReservedCursor simulated(result.reserved);
    ReservedCursor recorded(script.reserved);
    addComparison(fidelity, -1, simulated.at(-1), recorded.at(-1));
    std::int64_t last = -1;
    for (const ScriptStep& step : script.steps) {
        if (step.event <= last || step.action == ScriptAction::EmptyCache || isLateFree(script, step))
            continue;
        last = step.event;
        addComparison(fidelity, step.event, simulated.at(step.event), recorded.at(step.event));
    }
    const std::int64_t end = script.allocations->eventCount() - 1;
    addComparison(fidelity, end, simulated.at(end), recorded.at(end));
    fidelity.allocations = result.allocations;
    fidelity.placedAsRecorded = result.placedAsRecorded;
    fidelity.newFailures = result.newFailures;
    fidelity.failuresRepeat = result.fittingFailures() == 0;
    return fidelity;
}

std::string sentenceOf(const ReplayFidelity& fidelity)
{
    if (fidelity.isExact())
        return "reproduces every recorded address and reserved byte";
    std::string text = fidelity.exact == fidelity.compared
        ? fmt::format(
            "reserves the recorded bytes at all {} compared moments", formatCount(fidelity.compared))
        : fmt::format("is within {}% of the recording ({} at event {}, where {} was recorded) and exact "
                      "at {} of {} compared moments",
            withoutZeros(fmt::format("{:.2f}", fidelity.share * 100)),
            formatBytesDelta(fidelity.largestDeviation), formatCount(fidelity.event),
            formatBytes(fidelity.recordedAtDeviation), formatCount(fidelity.exact),
            formatCount(fidelity.compared));
    if (fidelity.placedAsRecorded != fidelity.allocations)
        text += fmt::format("; it places {} of {} allocations at the recorded address",
            formatCount(fidelity.placedAsRecorded), formatCount(fidelity.allocations));
    if (fidelity.newFailures > 0)
        text += fmt::format("; {} that succeeded in the run {}",
            counted(fidelity.newFailures, "request", "requests"),
            fidelity.newFailures == 1 ? "fails" : "fail");
    if (!fidelity.failuresRepeat)
        text += "; a request succeeds that failed in the run, so something other than the allocator refused "
                "it";
    return text;
}

} // namespace highwater
