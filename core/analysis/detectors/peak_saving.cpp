#include "core/analysis/detectors/peak_saving.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Returns the removed bytes after each event at which they change.
std::vector<RemovedBytes> removedBytes(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts)
{
    const std::int64_t events = study.curve.eventCount();
    std::vector<Bytes> change(static_cast<std::size_t>(events) + 2);
    for (const LifetimeCut& cut : cuts) {
        const std::int64_t birth = study.allocations.birth(cut.allocation);
        const std::int64_t end
            = std::min<std::int64_t>({study.allocations.death(cut.allocation), cut.presentAfter, events});
        const std::int64_t first = std::max(cut.absentAfter, birth);
        if (first >= end)
            continue;
        const Bytes bytes = cut.bytes.value_or(study.allocations.bytes(cut.allocation));
        change[static_cast<std::size_t>(first + 1)] += bytes;
        change[static_cast<std::size_t>(end + 1)] -= bytes;
    }
    std::vector<RemovedBytes> removed;
    Bytes bytes = 0;
    for (std::int64_t event = -1; event < events; ++event)
        if (const Bytes by = change[static_cast<std::size_t>(event + 1)]; by != 0)
            removed.push_back({event, bytes += by});
    return removed;
}

} // namespace

std::vector<AllocationIndex> allocationsCutAt(
    const DeviceStudy& study, const std::vector<LifetimeCut>& cuts, std::int64_t event)
{
    std::vector<AllocationIndex> allocations;
    for (const LifetimeCut& cut : cuts)
        if (cut.absentAfter < event && event < cut.presentAfter
            && study.allocations.isLiveAt(cut.allocation, event))
            allocations.push_back(cut.allocation);
    std::ranges::sort(allocations);
    allocations.erase(std::unique(allocations.begin(), allocations.end()), allocations.end());
    return allocations;
}

PeakSaving peakSaving(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts)
{
    const UsageCurve& curve = study.curve;
    std::vector<RemovedBytes> removed = removedBytes(study, cuts);
    // Between two changes the highest total falls by the same bytes as all others.
    Bytes highest = 0;
    std::int64_t begin = -1;
    Bytes bytes = 0;
    for (const RemovedBytes& change : removed) {
        if (change.event > begin)
            highest = std::max(highest, curve.peak(begin, change.event).bytes - bytes);
        begin = change.event;
        bytes = change.bytes;
    }
    highest = std::max(highest, curve.peak(begin, curve.eventCount()).bytes - bytes);
    const Bytes saved = curve.peak().bytes - highest;
    if (saved <= 0)
        return {};
    removed.shrink_to_fit();
    return {saved, std::make_shared<const std::vector<RemovedBytes>>(std::move(removed))};
}

std::string savesElsewhere(const PeakSaving& saving)
{
    return saving.bytes > 0 ? "" : "; this lowers the memory of that call, not the peak of the run";
}

} // namespace highwater
