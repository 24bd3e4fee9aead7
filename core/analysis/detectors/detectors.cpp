#include "core/analysis/detectors/detectors.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/cut_off.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

constexpr Detector kDetectors[] = {
    {"peak-summary", "how high the peak is, where, and what holds it", findPeakSummary},
    {"capture-quality", "what the recording cannot tell", findCaptureQuality},
    {"growth", "whether memory grows from step to step, and what makes it", findGrowth},
    {"growth-in-log", "whether what a log writes grows from step to step", findGrowthInLog, false},
    {"retained-graph", "whether autograd's graph is kept from step to step", findRetainedGraph},
    {"generation-with-gradients", "whether generation keeps a graph", findGenerationWithGradients},
    {"oversized-logits", "whether logits fill the peak, and of what shape", findOversizedLogits},
    {"duplicate-model", "whether a model is in memory more than once", findDuplicateModel},
    {"peak-phase", "which phase the peak is in", findPeakPhase},
    {"stale-gradients", "whether gradients are alive during forward for nothing", findStaleGradients},
    {"optimizer-state-first-step", "when the optimizer's state appears", findOptimizerState},
    {"settings-advice", "whether other settings of the allocator would have helped", findSettingsAdvice},
    {"padded-to-maximum", "whether sequences are padded to the model's longest", findPaddedToMaximum},
    {"attention-materialised", "whether attention's matrices are held", findAttentionMaterialised},
    {"cache-flush-churn", "whether the cache is emptied for nothing", findCacheFlushChurn},
    {"private-pools", "what pools of graphs and of the user's keep", findPrivatePools},
    {"cross-stream-delay", "what waits for another stream at the peak", findCrossStreamDelay},
    {"rounding-waste", "what blocks occupy beyond what was asked for", findRoundingWaste},
    {"autocast-copies", "what autocast's copies take", findAutocastCopies},
    {"precision-upcast", "whether wide copies stand beside narrow tensors", findPrecisionUpcast},
    {"out-of-memory", "why memory ran out: fragmentation, or too big", findOutOfMemory, false},
    {"outside-pytorch", "what is in use outside of PyTorch's allocator", findOutsidePyTorch, false},
    {"inconsistent-oom-text", "whether out-of-memory messages hold together", findInconsistentOomText, false},
};

/// Rules that say themselves what a cut-off file tells, or rest on rises and falls alone.
constexpr std::array<std::string_view, 4> kSureOfCutFiles
    = {"peak-summary", "capture-quality", "growth", "retained-graph"};

/// Of totals that are short, shares and comparisons are no longer decidable.
void gradeByWhatIsKnown(const DetectorInput& input, Finding& finding)
{
    if (input.study && totalsAreAtLeast(input.study->about()) && finding.grade == Grade::A
        && std::ranges::find(kSureOfCutFiles, finding.rule) == kSureOfCutFiles.end())
        finding.grade = Grade::B;
}

} // namespace

std::span<const Detector> detectors()
{
    return kDetectors;
}

std::vector<Finding> findFindings(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (const Detector& detector : kDetectors) {
        interruptionPoint();
        if (detector.needsStudy && !input.study)
            continue;
        for (Finding& finding : detector.find(input)) {
            gradeByWhatIsKnown(input, finding);
            all.push_back(std::move(finding));
        }
    }
    std::ranges::stable_sort(all, [](const Finding& a, const Finding& b) {
        return a.grade != b.grade ? a.grade < b.grade : a.bytes > b.bytes;
    });
    return all;
}

} // namespace highwater
