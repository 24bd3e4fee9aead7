#include "app/rehearse/verdict.h"

#include <algorithm>

#include "core/analysis/device/device_figures.h"

namespace highwater::rehearse {

std::string_view toText(Fit fit)
{
    switch (fit) {
    case Fit::Fits: return "fits";
    case Fit::TooClose: return "too-close";
    default: return "does-not-fit";
    }
}

AvailableMemory availableMemory(const GpuModel& gpu)
{
    return {std::max<Bytes>(0, gpu.leastReported - gpu.profile.mostOutside),
        std::max<Bytes>(0, gpu.mostReported - gpu.profile.leastOutside)};
}

DeviceVerdict judge(const DeviceStudy& study, const AvailableMemory& available)
{
    const DeviceFigures& figures = study.figures;
    DeviceVerdict verdict;
    verdict.device = study.about().ordinal;
    verdict.peakBytes = figures.peakBytes;
    verdict.reservedPeakBytes = figures.reservedPeakBytes;
    verdict.spareBytes = available.least - figures.reservedPeakBytes;
    verdict.ooms = static_cast<std::int64_t>(figures.ooms.size());
    if (!figures.ooms.empty())
        verdict.refusedBytes = figures.ooms.back().requestedBytes;
    verdict.fit = verdict.ooms > 0 ? Fit::DoesNot : verdict.spareBytes >= 0 ? Fit::Fits : Fit::TooClose;
    if (const auto step = study.steps.stepOf(figures.peakEvent);
        step && study.steps.source != StepSource::Whole) {
        verdict.peakStep = study.steps.steps[*step].name;
        verdict.peakPhase = toText(study.steps.steps[*step].peakPhase);
    }
    return verdict;
}

Fit worse(Fit a, Fit b)
{
    return std::max(a, b);
}

} // namespace highwater::rehearse
