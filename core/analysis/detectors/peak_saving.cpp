#include "core/analysis/detectors/peak_saving.h"

#include <algorithm>

namespace highwater {

Bytes peakSaving(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts)
{
    const std::int64_t events = study.curve.eventCount();
    std::vector<Bytes> change(static_cast<std::size_t>(events) + 2);
    for (const LifetimeCut& cut : cuts) {
        const std::int64_t birth = study.allocations.birth(cut.allocation);
        const std::int64_t end
            = std::min<std::int64_t>({study.allocations.death(cut.allocation), cut.until, events});
        const std::int64_t first = std::max(cut.from, birth);
        if (first >= end)
            continue;
        const Bytes bytes = cut.bytes.value_or(study.allocations.bytes(cut.allocation));
        change[static_cast<std::size_t>(first + 1)] += bytes;
        change[static_cast<std::size_t>(end + 1)] -= bytes;
    }
    Bytes removedBytes = 0;
    Bytes highest = 0;
    for (std::int64_t event = -1; event < events; ++event) {
        removedBytes += change[static_cast<std::size_t>(event + 1)];
        highest = std::max(highest, study.curve.at(event) - removedBytes);
    }
    return study.curve.peak().bytes - highest;
}

} // namespace highwater
