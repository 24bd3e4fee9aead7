#include "core/analysis/detectors/detectors.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <numeric>
#include <string_view>

#include "core/analysis/detectors/overlaps.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/summary_findings.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

/// A rule that looks for one thing. Pure: the same input gives the same findings, none where there is nothing
/// to say.
struct Detector
{
    std::vector<Finding> (*find)(const DetectorInput& input);
    bool needsStudy = true; ///< false: it is asked where there are logs alone, too
    bool restsOnCategories = false; ///< of the blocks that its evidence names
    bool replays = false; ///< takes longer than all others
};

/// To add one, declare it in rules.h and name it here.
constexpr Detector kDetectors[] = {
    {findPeakSummary},
    {findCaptureQuality},
    {findGrowth},
    {findGrowthInLog, false},
    {findRetainedGraph},
    {findUnusedGraph},
    {findStillRising},
    {findGenerationWithGradients},
    {findOversizedLogits},
    {findDuplicateModel},
    {findPeakPhase},
    {findStaleGradients, true, true},
    {findOptimizerState, true, true},
    {findSteadyForecast},
    {findGradientBuckets, true, true},
    {findReservedAboveLive},
    {findDeviceImbalance},
    {findSettingsAdvice, true, false, true},
    {findIneffectiveSettings},
    {findPaddedToMaximum},
    {findAttentionMaterialised},
    {findCacheFlushChurn},
    {findPrivatePools},
    {findCrossStreamDelay},
    {findRoundingWaste},
    {findAutocastCopies},
    {findPrecisionUpcast},
    {findOutOfMemory, false, false, true},
    {findOutsidePyTorch, false},
    {findInconsistentOomText, false},
    {findHostOutOfMemory, false},
    {findOtherFailuresInLog, false},
    {findAllocatorWarnings, false},
};

/// Rules that account for cut-off files themselves, or depend only on rises and falls.
constexpr std::array<std::string_view, 4> kSureOfCutFiles
    = {"peak-summary", "capture-quality", "growth", "retained-graph"};

/// If totals are incomplete, shares and comparisons are not decidable.
void gradeByWhatIsKnown(const DetectorInput& input, Finding& finding)
{
    if (input.study && totalsAreAtLeast(input.study->about()) && finding.grade == Grade::A
        && std::ranges::find(kSureOfCutFiles, finding.rule) == kSureOfCutFiles.end())
        finding.grade = Grade::B;
}

/// No statement about gradients is surer than that these blocks are gradients.
void gradeByCategories(const DeviceStudy& study, Finding& finding)
{
    GradeBytes bytes{};
    for (const Evidence& evidence : finding.evidence)
        if (const auto* blocks = std::get_if<AllocationsTarget>(&evidence.target))
            for (const AllocationIndex i : blocks->allocations)
                bytes[static_cast<std::size_t>(study.categories.gradeOf(i))] += study.allocations.bytes(i);
    finding.grade = std::max(finding.grade, overallGrade(bytes).value_or(Grade::A));
}

std::vector<Finding> findingsOf(const Detector& detector, const DetectorInput& input)
{
    interruptionPoint();
    if (detector.needsStudy && !input.study)
        return {};
    std::vector<Finding> findings = detector.find(input);
    for (Finding& finding : findings) {
        gradeByWhatIsKnown(input, finding);
        if (detector.restsOnCategories)
            gradeByCategories(*input.study, finding);
    }
    return findings;
}

/// Does `find` for each detector. Side by side, those that take longest begin first: nothing waits for them
/// at the end. One after another, they keep no other waiting.
void forEachDetector(const SideBySide& sideBySide, const std::function<void(std::size_t)>& find)
{
    std::array<std::size_t, std::size(kDetectors)> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
        [&](std::size_t i) { return kDetectors[i].replays == static_cast<bool>(sideBySide); });
    if (sideBySide)
        sideBySide(order.size(), [&](std::size_t i) { find(order[i]); });
    else
        std::ranges::for_each(order, find);
}

} // namespace

std::vector<Finding> findFindings(
    const DetectorInput& input, const FindingSink& asTheyCome, const SideBySide& sideBySide)
{
    if (input.study)
        if (const std::optional<SummaryNotes> notes = summaryNotesOf(input.study->trace.metadata))
            return findingsOfSummary(*notes, input.study->about());
    std::array<std::vector<Finding>, std::size(kDetectors)> found;
    std::mutex telling;
    forEachDetector(sideBySide, [&](std::size_t i) {
        found[i] = findingsOf(kDetectors[i], input);
        if (!asTheyCome)
            return;
        const std::scoped_lock lock(telling);
        std::ranges::for_each(found[i], asTheyCome);
    });
    std::vector<Finding> all;
    for (std::vector<Finding>& findings : found)
        std::ranges::move(findings, std::back_inserter(all));
    if (input.study)
        nameWhatExplains(*input.study, all);
    std::ranges::stable_sort(all, comesBefore);
    return all;
}

} // namespace highwater
