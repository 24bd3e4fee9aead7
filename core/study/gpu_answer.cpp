#include "core/study/gpu_answer.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/budget/observed_outcome.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

namespace {

/// Returns the memory that is needed with a fix. Memory that is reserved but not in use is assumed to stay. A
/// saving that is not computed from the bytes in use is one of reserved bytes.
NeededMemory withFix(NeededMemory needed, const Remedy& remedy)
{
    if (remedy.removed)
        needed.least = std::max<Bytes>(needed.least - remedy.savedBytes, 0);
    needed.most = std::max(needed.most - remedy.savedBytes, needed.least);
    return needed;
}

/// Facts about a run besides its bytes.
struct RunFacts
{
    ObservedOutcome outcome; ///< how the run goes, with the assumed fix
    std::optional<Bytes> outside; ///< configured memory outside PyTorch
    bool hasFailed = false;
    const Remedy* remedy = nullptr; ///< the fix that the run is assumed to have
};

std::string fitWords(const GpuFit& fit, const RunFacts& facts)
{
    const bool isUpperBound = facts.remedy && facts.remedy->isUpperBound;
    const RecordedPart part = facts.outcome.part;
    const bool isAtMost = isUpperBound || part != RecordedPart::Whole; // more may be needed than is recorded
    const std::string spare = formatBytes(std::abs(fit.headroom));
    switch (fit.verdict) {
    case FitVerdict::DoesNotFit:
        if (fit.doubt == FitDoubt::RanOut)
            return fmt::format("does not fit {}: it ran out of memory", fit.gpu);
        if (facts.remedy && facts.remedy->isLowerBound)
            return fmt::format("may not fit {}, at most {} short", fit.gpu, spare);
        return fmt::format(
            "does not fit {}, {}{} short", fit.gpu, facts.hasFailed || isAtMost ? "at least " : "", spare);
    case FitVerdict::Fits:
        if (facts.outcome.grows())
            return fmt::format("fits {} only until it has grown by another {}", fit.gpu, spare);
        return fmt::format("{}{} {}{}{}, {}{} left", facts.hasFailed ? "the failed request " : "",
            isUpperBound ? "may fit" : "fits", fit.gpu, part == RecordedPart::Whole ? "" : " ", inWords(part),
            isAtMost ? "at most " : "", spare);
    case FitVerdict::TooClose: break;
    }
    return fmt::format("too close to say for {}", fit.gpu);
}

/// Returns "L4 reports at least 22.03 GiB", "GPUs sold as 24 GB report …", "The GPU reports 24 GiB".
std::string reportedText(const GpuModel& gpu)
{
    const bool isSize = gpu.leastReported == gpu.mostReported && gpu.nominalGigabytes == 0;
    const bool isClass = gpu.nominalGigabytes > 0 && gpu.deviceName.empty();
    return fmt::format("{}{} {}",
        isSize        ? "The GPU reports"
            : isClass ? "GPUs sold as " + gpu.name + " report"
                      : gpu.name + " reports",
        gpu.leastReported == gpu.mostReported ? "" : " at least", formatBytes(gpu.leastReported));
}

/// Returns the two sides of the comparison: "In use at the peak: 22.62 GiB; reserved: 22.81 GiB. …".
std::string detailText(
    const NeededMemory& needed, const GpuModel& gpu, const RunFacts& facts, bool hasReserved)
{
    const RecordedPart part = facts.outcome.part;
    const bool isMoment = part == RecordedPart::OneMoment; // its figures are exact, but of no peak
    const std::string_view bound = part == RecordedPart::Whole || isMoment ? "" : "at least ";
    std::string text = fmt::format("{}: {}{}; {}. {}, of which {}.",
        facts.hasFailed ? "In use with the failed request"
            : isMoment  ? "In use at the snapshot's moment"
                        : "In use at the peak",
        bound, formatBytes(needed.least),
        hasReserved ? fmt::format("reserved: {}{}", bound, formatBytes(needed.most)) : "reserved: unknown",
        reportedText(gpu),
        facts.outside ? fmt::format("{} is configured as outside PyTorch", formatBytes(*facts.outside))
                      : fmt::format("a CUDA context usually takes {}", formatBytes(kUsualOutsideBytes)));
    if (facts.hasFailed)
        text += " What the run would have needed after the failed request is unknown.";
    return text;
}

std::optional<GpuAnswer> judgedAnswer(
    const DeviceStudy& device, const std::optional<DeviceCapacity>& chosen, RunFacts facts)
{
    if (!chosen || chosen->source != CapacitySource::Chosen || device.about().kind == DeviceKind::HostPinned)
        return std::nullopt;
    NeededMemory needed = neededMemory(device);
    if (needed.most <= 0)
        return std::nullopt;
    facts.hasFailed = !device.figures.ooms.empty();
    if (facts.remedy) {
        needed = withFix(needed, *facts.remedy);
        facts.outcome.ranOut = false; // with the fix, the request may have succeeded
    }
    const GpuModel gpu = gpuOfCapacity(*chosen);
    const GpuFit fit = fitRun(needed, gpu, facts.outcome, facts.outside, true);
    const bool isOpen = fit.verdict == FitVerdict::Fits && fit.doubt != FitDoubt::None;
    return GpuAnswer{isOpen ? verdictText(fit) : toText(fit.verdict), fitWords(fit, facts),
        detailText(needed, gpu, facts, device.curve.reservedPeak() > 0)};
}

} // namespace

std::optional<GpuAnswer> answerForGpu(const DeviceStudy& device, const std::optional<DeviceCapacity>& chosen)
{
    RunFacts facts;
    facts.outcome = observedOutcome(device, {});
    return judgedAnswer(device, chosen, std::move(facts));
}

std::optional<GpuAnswer> answerForGpu(const RunStudy& run, const Finding* fixed)
{
    if (!run.device() || !run.parts().capacity)
        return std::nullopt;
    RunFacts facts;
    facts.remedy = fixed ? &fixed->remedy : nullptr;
    facts.outcome = observedOutcome(*run.device(), run.findings(), run.logged());
    if (fixed && showsGrowth(*fixed))
        facts.outcome.kept = 0;
    if (run.parts().shape)
        facts.outside = run.parts().shape->outsideBytes;
    return judgedAnswer(*run.device(), run.parts().capacity, facts);
}

std::string fitSentence(const RunStudy& run, const Finding& finding)
{
    const Remedy& remedy = finding.remedy;
    const bool savesReserved
        = !remedy.setting.empty(); // other savings are of other processes, or of one phase
    if (remedy.savedBytes <= 0 || !(remedy.removed || savesReserved) || !finding.mergedInto.empty()
        || isFailure(finding))
        return {};
    const std::optional<GpuAnswer> answer = answerForGpu(run, &finding);
    return answer ? fullSentence("with this fix: " + answer->text) : std::string();
}

} // namespace highwater
