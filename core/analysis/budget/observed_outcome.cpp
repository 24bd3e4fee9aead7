#include "core/analysis/budget/observed_outcome.h"

#include <algorithm>

#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/steps/growth.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Reported capacities of one GPU differ by up to two hundredths between machines; 1/kCapacitySpread more or
/// less is another GPU.
constexpr Bytes kCapacitySpread = 33;

/// The most that CUDA context and libraries usually take of a GPU outside PyTorch.
constexpr Bytes kMaxOutside = 2 * kGiB;

/// True if the name is that of a GPU, and not "cuda:0".
bool isGpuName(const std::string& name)
{
    return !name.empty() && chooseGpus({name}).has_value();
}

} // namespace

bool showsGrowth(const Finding& finding)
{
    return (finding.rule == "growth" || finding.rule == "retained-graph")
        && finding.kind == FindingKind::Fault && finding.grade != Grade::C;
}

bool ObservedOutcome::excludes(const GpuModel& gpu) const
{
    if (isGpuName(gpuName)) {
        const std::vector<GpuModel> named = *chooseGpus({gpuName});
        return std::ranges::find(named, gpu.name, &GpuModel::name) == named.end();
    }
    const Bytes most = gpu.mostReported + gpu.mostReported / kCapacitySpread;
    if (reservedPeak > most || (capacity && capacity->bytes > most))
        return true;
    return capacity && !capacity->isLowerBound()
        && capacity->bytes < gpu.leastReported - gpu.leastReported / kCapacitySpread;
}

bool ObservedOutcome::isLike(const GpuModel& gpu) const
{
    if (excludes(gpu))
        return false;
    return isGpuName(gpuName) || (capacity && capacity->bytes > gpu.leastReported - kMaxOutside);
}

std::string ObservedOutcome::gpuText() const
{
    if (isGpuName(gpuName))
        return gpuName;
    return capacity ? "a GPU of " + boundedText(*capacity)
                    : "a GPU with " + formatBytes(reservedPeak) + " reserved";
}

std::string ObservedOutcome::failureText() const
{
    return processLimit ? "was limited to " + formatBytes(*processLimit)
                        : "ran out of memory on " + gpuText();
}

std::string ObservedOutcome::doubtText() const
{
    const std::string_view reason = ranOut ? "it ran out of memory" : reasonOf(part);
    return std::string(reason) + ", so it may need more";
}

ObservedOutcome observedOutcome(
    const DeviceStudy& study, const std::vector<Finding>& findings, const LoggedGpu& logged)
{
    ObservedOutcome outcome;
    outcome.reservedPeak = study.figures.reservedPeakBytes;
    outcome.ranOut = !study.figures.ooms.empty();
    outcome.gpuName = study.about().name;
    outcome.capacity = recordedCapacity(study, logged);
    outcome.processLimit = logged.processLimit;
    outcome.part = recordedPart(study);
    const auto growth = std::ranges::find_if(findings, showsGrowth);
    if (growth != findings.end()) {
        outcome.kept = growth->bytes;
        if (const std::optional<StepGrowth> slope = growthPerStep(study.steps))
            outcome.keptPerStep = std::max<Bytes>(slope->bytesPerStep, 0);
        if (!growth->keepers.empty()) {
            LeakPlace place;
            place.line = growth->keepers.front().line;
            place.throughBytes = growth->keepers.front().bytes;
            place.allBytes = growth->bytes;
            outcome.keeper = place.inTitle();
        }
    }
    return outcome;
}

NeededMemory neededMemory(const DeviceStudy& study)
{
    const DeviceFigures& figures = study.figures;
    const Bytes reserved = study.curve.reservedPeak();
    NeededMemory needed{peakLowerBound(study.about(), figures), reserved};
    for (const OomEvent& oom : figures.ooms) {
        const Bytes inUse = study.curve.at(oom.event) + oom.requestedBytes;
        if (inUse > needed.least) {
            needed.least = inUse;
            needed.leastRequest = oom.requestedBytes;
        }
        const Bytes withCache = study.curve.reservedAt(oom.event).value_or(0) + oom.requestedBytes;
        if (reserved > 0 && withCache > needed.most) {
            needed.most = withCache;
            needed.mostRequest = oom.requestedBytes;
        }
    }
    if (needed.least > needed.most) {
        needed.most = needed.least;
        needed.mostRequest = needed.leastRequest;
    }
    return needed;
}

GpuFit fitRun(NeededMemory needed, const GpuModel& gpu, const ObservedOutcome& outcome,
    std::optional<Bytes> outside, bool isNamed)
{
    needed.least += outside.value_or(0);
    needed.most += outside.value_or(0);
    GpuFit fit = fitGpu(needed, gpu, outside ? 0 : kUsualOutsideBytes);
    if (fit.verdict == FitVerdict::DoesNotFit || outcome.isWhole())
        return fit;
    if (!outcome.hasFailed()) {
        fit.doubt = fit.verdict == FitVerdict::Fits ? FitDoubt::AtLeast : FitDoubt::None;
        return fit;
    }
    const bool hasFilledGpu = outcome.ranOut && !outcome.processLimit;
    fit.doubt = hasFilledGpu && isNamed && outcome.isLike(gpu) ? FitDoubt::RanOut
        : outcome.grows()                                      ? FitDoubt::Grows
                                                               : FitDoubt::AtLeast;
    if (fit.doubt == FitDoubt::RanOut)
        fit.verdict = FitVerdict::DoesNotFit;
    if (fit.doubt == FitDoubt::Grows && fit.verdict == FitVerdict::Fits && outcome.keptPerStep > 0)
        fit.moreSteps = fit.headroom / outcome.keptPerStep;
    fit.fits = fit.fits && fit.doubt == FitDoubt::AtLeast;
    fit.isTight = fit.isTight && fit.fits;
    return fit;
}

} // namespace highwater
