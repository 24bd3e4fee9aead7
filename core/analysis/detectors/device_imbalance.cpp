#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The GPU's peak must be at least this many times the mean of the others.
constexpr double kLeastRatio = 1.5;

struct OtherDevice
{
    std::string label;
    Bytes peakBytes = 0;
};

std::vector<OtherDevice> othersOf(const DeviceStudy& study)
{
    std::vector<OtherDevice> others;
    for (DeviceIndex device = 0; device < study.trace.devices.size(); ++device) {
        const Device& other = study.trace.devices[device];
        if (device == study.device || other.kind != DeviceKind::Cuda)
            continue;
        if (const Bytes peak = deviceFigures(study.trace, device).peakBytes; peak > 0)
            others.push_back({fmt::format("GPU {}", other.ordinal), peak});
    }
    return others;
}

} // namespace

std::vector<Finding> findDeviceImbalance(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::vector<OtherDevice> others = othersOf(study);
    if (others.empty() || study.about().kind != DeviceKind::Cuda)
        return {};
    Bytes sum = 0;
    for (const OtherDevice& other : others)
        sum += other.peakBytes;
    const Bytes mean = sum / static_cast<Bytes>(others.size());
    if (static_cast<double>(input.figures.peakBytes) < kLeastRatio * static_cast<double>(mean))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "device-imbalance", Grade::A, FindingKind::Fact);
    finding.bytes = input.figures.peakBytes - mean;
    finding.title = fmt::format("GPU {} peaks at {}, {} more than {}", study.about().ordinal,
        formatBytes(input.figures.peakBytes), formatBytes(finding.bytes),
        others.size() == 1 ? "the other GPU" : fmt::format("the other {} GPUs on average", others.size()));
    for (const OtherDevice& other : others)
        finding.addEvidence({}, "{} peaks at {}", other.label, formatBytes(other.peakBytes));
    finding.remedy.action = "Split the model or the batch more evenly; DataParallel gathers outputs and loss "
                            "on one GPU, DistributedDataParallel does not";
    finding.wouldDisprove = "Wrong if other processes on those GPUs need their memory";
    return {std::move(finding)};
}

} // namespace highwater
