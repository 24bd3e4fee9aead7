#include "app/rehearse/gpu_survey.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/segments/segment_state.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater::rehearse {

std::string GpuSet::capability() const
{
    return fmt::format("{}.{}", gpus.front().profile.major, gpus.front().profile.minor);
}

std::vector<GpuSet> gpuSets(const std::vector<GpuModel>& gpus)
{
    std::vector<GpuSet> sets;
    for (const GpuModel& gpu : gpus) {
        if (gpu.profile.multiprocessors == 0)
            continue;
        const auto isAlike = [&](const GpuSet& set) {
            const GpuProfile& profile = set.gpus.front().profile;
            return profile.major == gpu.profile.major && profile.minor == gpu.profile.minor;
        };
        const auto set = std::ranges::find_if(sets, isAlike);
        if (set == sets.end())
            sets.push_back({{gpu}});
        else
            set->gpus.push_back(gpu);
    }
    const auto byMemory
        = [](const GpuModel& a, const GpuModel& b) { return a.mostReported < b.mostReported; };
    for (GpuSet& set : sets)
        std::ranges::stable_sort(set.gpus, byMemory);
    return sets;
}

/// The analyses that a replay needs. They refer to each other, so they are never moved.
struct DeviceDemand::Parts
{
    Parts(const Trace& trace, DeviceIndex device)
        : allocations(trace, device)
        , live(allocations)
        , curve(trace, allocations)
        , history(trace, allocations, live)
        , script(allocationScript(history, curve, std::nullopt))
    {
        for (const UsageCurve::ReservedChange& change : curve.reservedChanges())
            reservedPeak = std::max(reservedPeak, change.bytes);
        if (!script)
            return;
        const WhatIfResult unlimited = replayWithin(*script, {script->settings, {}}, script->limit);
        isTrusted = compareWithRecording(*script, unlimited).isTrusted();
        blockPeak = unlimited.allocatedPeak;
    }

    AllocationTable allocations;
    LiveIndex live;
    UsageCurve curve;
    SegmentHistory history;
    Result<AllocationScript> script;
    bool isTrusted = false; ///< a replay without a limit gives the recorded run
    Bytes blockPeak = 0; ///< maximum of the allocated bytes, which no release of cached memory lowers
    Bytes reservedPeak = 0;
};

DeviceDemand::DeviceDemand(const Trace& trace, DeviceIndex device)
    : m_parts(std::make_unique<Parts>(trace, device))
{
}

DeviceDemand::~DeviceDemand() = default;
DeviceDemand::DeviceDemand(DeviceDemand&&) noexcept = default;
DeviceDemand& DeviceDemand::operator=(DeviceDemand&&) noexcept = default;

Bytes DeviceDemand::reservedPeak() const
{
    return m_parts->reservedPeak;
}

Fit DeviceDemand::fitWithin(const AvailableMemory& available, Bytes deviceMemory)
{
    if (m_parts->reservedPeak <= available.least)
        return Fit::Fits;
    if (!m_parts->script || !m_parts->isTrusted)
        return m_parts->blockPeak > available.most ? Fit::DoesNotFit : Fit::TooClose;
    if (m_parts->blockPeak > available.most)
        return Fit::DoesNotFit;
    AllocationScript& script = *m_parts->script;
    script.deviceMemory = deviceMemory;
    const auto succeedsWithin = [&](Bytes limit) {
        return replayWithin(script, {script.settings, {}}, limit).newFailures == 0;
    };
    if (succeedsWithin(available.least))
        return Fit::Fits;
    return succeedsWithin(available.most) ? Fit::TooClose : Fit::DoesNotFit;
}

JudgedGpu judgeGpu(const GpuModel& gpu, std::vector<DeviceDemand>& demands)
{
    JudgedGpu judged{gpu, availableMemory(gpu), Fit::Fits, 0, 0};
    for (DeviceDemand& demand : demands) {
        judged.fit = worse(judged.fit, demand.fitWithin(judged.available, gpu.mostReported));
        judged.reservedPeakBytes = std::max(judged.reservedPeakBytes, demand.reservedPeak());
    }
    judged.spareBytes = judged.available.least - judged.reservedPeakBytes;
    return judged;
}

} // namespace highwater::rehearse
