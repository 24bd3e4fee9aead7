#include "core/study/outcome/key_moment.h"

#include <array>

#include "core/analysis/device/cut_off.h"
#include "core/study/outcome/run_outcome.h"

namespace highwater {

namespace {

KeyMoment momentAt(const DeviceStudy& study, KeyMomentKind kind, std::int64_t event)
{
    return {kind, event, study.curve.at(event), study.curve.reservedAt(event)};
}

} // namespace

std::string_view inWords(KeyMomentKind kind)
{
    static constexpr std::array<std::string_view, 5> kWords = {"at the peak", "at the highest readable total",
        "when memory ran out", "at the snapshot", "at this moment"};
    return kWords[static_cast<std::size_t>(kind)];
}

KeyMoment peakMoment(const DeviceStudy& study)
{
    const KeyMomentKind kind = !study.trace.metadata.hasHistory ? KeyMomentKind::Snapshot
        : isPeakAtEvent(study.about(), study.figures)           ? KeyMomentKind::Peak
                                                                : KeyMomentKind::HighestEvent;
    return momentAt(study, kind, study.curve.peak().event);
}

KeyMoment keyMoment(const DeviceStudy& study)
{
    if (const std::optional<std::int64_t> failure = failureThatEnds(study))
        return momentAt(study, KeyMomentKind::OutOfMemory, *failure);
    return peakMoment(study);
}

KeyMoment momentAfter(const DeviceStudy& study, std::int64_t event)
{
    return momentAt(study, KeyMomentKind::Chosen, event);
}

} // namespace highwater
