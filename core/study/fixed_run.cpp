#include "core/study/fixed_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/budget/observed_outcome.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/text_format.h"
#include "core/study/gpu_answer.h"

namespace highwater {

namespace {

std::string fixedPeakText(const DeviceStudy& device, const Remedy& remedy, Bytes peak)
{
    const bool isAtLeast = remedy.isUpperBound || peakCertainty(device) != Certainty::Exactly;
    const std::string_view bound = isAtLeast ? "≥ " : remedy.isLowerBound ? "≤ " : "";
    return fmt::format("{}{} with this fix", bound, formatBytes(peak));
}

/// Returns the smallest common GPU for the run with the fix. Memory that is reserved but not in use is
/// assumed to stay.
std::string smallestGpuText(const DeviceStudy& device, const Remedy& remedy, Bytes peak)
{
    const Bytes needed = neededMemory(device).most;
    if (device.curve.reservedPeak() <= 0 || device.about().kind == DeviceKind::HostPinned)
        return {};
    const Bytes neededWithFix = std::max(peak, needed - remedy.savedBytes);
    const std::vector<GpuModel>& gpus = commonGpus();
    const std::vector<GpuFit> fits = fitGpus(neededWithFix, gpus, kUsualOutsideBytes);
    const auto smallest
        = std::ranges::find_if(fits, [](const GpuFit& fit) { return fit.fits && !fit.isTight; });
    if (smallest == fits.end())
        return {};
    const GpuModel& gpu = gpus[static_cast<std::size_t>(smallest - fits.begin())];
    const RecordedPart part = recordedPart(device);
    return fmt::format("{} a GPU of {} GB ({}){}{}", remedy.isUpperBound ? "may fit" : "fits",
        gpu.nominalGigabytes, gpu.name, part == RecordedPart::Whole ? "" : " ", inWords(part));
}

} // namespace

std::optional<FixedRun> fixedRun(const RunStudy& run, const Finding& finding)
{
    const Remedy& remedy = finding.remedy;
    if (!run.device() || !remedy.removed)
        return std::nullopt;
    UsageCurve curve(run.device()->curve, *remedy.removed);
    const Bytes peak = curve.peak().bytes;
    const std::optional<GpuAnswer> chosen = answerForGpu(run, &finding);
    const bool stillLeaks
        = !chosen && !showsGrowth(finding) && observedOutcome(*run.device(), run.findings()).grows();
    return FixedRun{std::move(curve), fixedPeakText(*run.device(), remedy, peak),
        stillLeaks   ? "memory still leaks"
            : chosen ? chosen->text
                     : smallestGpuText(*run.device(), remedy, peak)};
}

} // namespace highwater
