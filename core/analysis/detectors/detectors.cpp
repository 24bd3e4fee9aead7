#include "core/analysis/detectors/detectors.h"

#include <algorithm>

#include "core/analysis/detectors/rules.h"

namespace highwater {

namespace {

constexpr Detector kDetectors[] = {
    {"peak-summary", "how high the peak is, where, and what holds it", findPeakSummary},
    {"capture-quality", "what the recording cannot tell", findCaptureQuality},
};

} // namespace

std::span<const Detector> detectors()
{
    return kDetectors;
}

std::vector<Finding> findFindings(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (const Detector& detector : kDetectors) {
        if (detector.needsStudy && !input.study)
            continue;
        for (Finding& finding : detector.find(input))
            all.push_back(std::move(finding));
    }
    std::ranges::stable_sort(all, [](const Finding& a, const Finding& b) {
        return a.grade != b.grade ? a.grade < b.grade : a.bytes > b.bytes;
    });
    return all;
}

} // namespace highwater
