#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/steps/growth.h"
#include "core/analysis/usage/pending_frees.h"
#include "core/base/median.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Growth per step below 1/kGrowthDivisor of the peak is not reported.
constexpr std::int64_t kGrowthDivisor = 100'000;
constexpr std::size_t kFewestStepsRetained = 3;
constexpr std::size_t kSitesShown = 5;

std::uint32_t stackKey(StackId stack)
{
    return stack.isNone() ? 0 : static_cast<std::uint32_t>(stack.index()) + 1;
}

/// The memory that one stack leaves behind, by the step of its allocation.
struct Retained
{
    std::vector<Bytes> bytesOfStep;
    std::vector<AllocationIndex> allocations; ///< from all steps, including the warm-up

    /// True if the stack leaves memory behind in at least four fifths of the steps, including the last two.
    bool isInNearlyEveryStep() const
    {
        return stepCount() >= kFewestStepsRetained && stepCount() * 5 >= bytesOfStep.size() * 4
            && bytesOfStep.back() > 0 && bytesOfStep[bytesOfStep.size() - 2] > 0;
    }
    /// True if the stack leaves memory behind every few steps, as an evaluation does. No pause at either end
    /// may be longer than the longest pause in between: a cache that has filled pauses at the end, and a
    /// buffer of the last steps pauses at the beginning.
    bool recursEveryFewSteps() const
    {
        std::size_t longestPause = 0;
        std::size_t leadingPause = 0;
        std::size_t pause = 0;
        std::size_t stepsSeen = 0;
        for (const Bytes bytes : bytesOfStep) {
            if (bytes == 0) {
                ++pause;
                continue;
            }
            if (stepsSeen == 0)
                leadingPause = pause;
            else
                longestPause = std::max(longestPause, pause);
            ++stepsSeen;
            pause = 0;
        }
        return stepsSeen > kFewestStepsRetained && leadingPause <= longestPause && pause <= longestPause;
    }
    bool isInEveryStep() const { return stepCount() == bytesOfStep.size(); }
    bool keepsGrowing() const { return isInNearlyEveryStep() || recursEveryFewSteps(); }

    /// Returns the median over the steps; the mean for a stack that pauses.
    Bytes perStep() const
    {
        if (!isInNearlyEveryStep())
            return std::accumulate(bytesOfStep.begin(), bytesOfStep.end(), Bytes{0})
                / static_cast<Bytes>(bytesOfStep.size());
        return median(bytesOfStep);
    }

private:
    std::size_t stepCount() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(bytesOfStep, [](Bytes bytes) { return bytes > 0; }));
    }
};

/// The blocks that survive, by stack: allocated before the last step of the fitted growth, and still alive at
/// the end of that last step.
class RetainedBlocks
{
public:
    RetainedBlocks(const DeviceStudy& study, const StepGrowth& growth)
        : m_study(study)
        , m_growth(growth)
        , m_end(study.steps.steps[growth.lastStep - 1].end - 1)
        , m_live(study.allocations)
        , m_pending(study.trace, m_live)
    {
        std::map<std::uint32_t, Retained> byStack;
        for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
            add(i, byStack);
        for (auto& [stack, retained] : byStack)
            if (retained.keepsGrowing())
                m_growing.push_back(std::move(retained));
        std::ranges::stable_sort(m_growing, std::greater(), &Retained::perStep);
    }

    const std::vector<Retained>& growing() const { return m_growing; }
    Bytes perStep() const
    {
        Bytes sum = 0;
        for (const Retained& retained : m_growing)
            sum += retained.perStep();
        return sum;
    }

private:
    void add(AllocationIndex i, std::map<std::uint32_t, Retained>& byStack) const
    {
        const AllocationTable& allocations = m_study.allocations;
        if (allocations.birth(i) < 0 || !allocations.isLiveAt(i, m_end) || m_pending.isPending(i, m_end))
            return;
        const std::size_t step = *m_study.steps.stepOf(allocations.birth(i));
        if (step + 1 >= m_growth.lastStep)
            return;
        Retained& retained = byStack[stackKey(allocations.stack(i))];
        retained.bytesOfStep.resize(m_growth.lastStep - 1 - m_growth.firstStep);
        retained.allocations.push_back(i);
        if (step >= m_growth.firstStep)
            retained.bytesOfStep[step - m_growth.firstStep] += allocations.bytes(i);
    }

    const DeviceStudy& m_study;
    StepGrowth m_growth;
    std::int64_t m_end;
    LiveIndex m_live;
    PendingFrees m_pending; ///< blocks that wait for another stream count as freed
    std::vector<Retained> m_growing;
};

/// Returns a cut for each block that the growing stacks keep beyond its step, at the end of that step. Blocks
/// of the last fitted step and later ones also count if they outlive their own step.
std::vector<LifetimeCut> cutsOf(
    const DeviceStudy& study, const StepGrowth& growth, const std::vector<Retained>& growing)
{
    std::vector<LifetimeCut> cuts;
    std::set<std::uint32_t> stacks;
    for (const Retained& retained : growing) {
        stacks.insert(stackKey(study.allocations.stack(retained.allocations.front())));
        for (const AllocationIndex i : retained.allocations)
            cuts.push_back({i, study.steps.steps[*study.steps.stepOf(study.allocations.birth(i))].end - 1});
    }
    const std::int64_t lastStepBegin = study.steps.steps[growth.lastStep - 1].begin;
    for (auto i = static_cast<AllocationIndex>(study.allocations.olderCount()); i < study.allocations.size();
         ++i) {
        if (study.allocations.birth(i) < lastStepBegin
            || !stacks.contains(stackKey(study.allocations.stack(i))))
            continue;
        const std::int64_t end = study.steps.steps[*study.steps.stepOf(study.allocations.birth(i))].end - 1;
        if (study.allocations.isLiveAt(i, end))
            cuts.push_back({i, end});
    }
    return cuts;
}

/// Adds one row of evidence for each call site, the one that keeps most per step first. The rows list all of
/// `kept`, each block once.
void addSites(const DeviceStudy& study, const std::vector<Retained>& growing,
    const std::vector<AllocationIndex>& kept, Finding& finding)
{
    std::map<SiteId, Bytes> perStep;
    for (const Retained& retained : growing)
        perStep[study.sites.of(retained.allocations.front())] += retained.perStep();
    std::map<SiteId, std::vector<AllocationIndex>> bySite;
    for (const AllocationIndex i : kept)
        bySite[study.sites.of(i)].push_back(i);
    std::vector<std::pair<Bytes, SiteId>> order;
    for (const auto& [site, blocks] : bySite)
        order.emplace_back(perStep[site], site);
    std::ranges::sort(order, std::greater());
    for (std::size_t i = 0; i < std::min(order.size(), kSitesShown); ++i) {
        const std::vector<AllocationIndex>& blocks = bySite[order[i].second];
        finding.addEvidence(AllocationsTarget{blocks}, "{} leaks {} per step: {} in {}",
            study.sites.site(order[i].second).label, formatBytes(order[i].first),
            formatBytes(bytesOf(study.allocations, blocks)),
            counted(blocks.size(), "allocation", "allocations"));
    }
    std::vector<AllocationIndex> rest;
    for (std::size_t i = kSitesShown; i < order.size(); ++i)
        rest.insert(rest.end(), bySite[order[i].second].begin(), bySite[order[i].second].end());
    std::ranges::sort(rest);
    if (const Bytes restBytes = bytesOf(study.allocations, rest); !rest.empty())
        finding.addEvidence(AllocationsTarget{std::move(rest)}, "{} together leak {}",
            counted(order.size() - kSitesShown, "more call site", "more call sites"), formatBytes(restBytes));
}

/// Returns the number of steps until the GPU is full at this rate, or, if the capacity is unknown or too low,
/// until another GiB is in use. Empty if memory ran out, since the failure reports that.
std::string whenFullText(const DetectorInput& input, const StepGrowth& growth)
{
    const std::vector<Step>& steps = input.study->steps.steps;
    if (!input.figures.ooms.empty())
        return {};
    if (!input.capacity || input.capacity->bytes <= steps[growth.lastStep - 1].peakBytes)
        return growth.bytesPerStep >= kGiB
            ? std::string("Every step adds another GiB or more")
            : fmt::format("Every {} steps add another GiB", formatCount(kGiB / growth.bytesPerStep));
    const Bytes roomBytes = input.capacity->bytes - steps[growth.lastStep - 1].peakBytes;
    return fmt::format("At this rate the GPU ({}) is full {} after {}", toText(*input.capacity),
        counted(roomBytes / growth.bytesPerStep + 1, "step", "steps"),
        input.study->steps.nameInRun(growth.lastStep - 1));
}

void addSlopeEvidence(const DetectorInput& input, const StepGrowth& growth, Bytes explained,
    std::string_view recurrence, Finding& finding)
{
    const std::vector<Step>& steps = input.study->steps.steps;
    const Step& first = steps[growth.firstStep];
    const Step& last = steps[growth.lastStep - 1];
    finding.addEvidence(EventRange{first.begin, last.end},
        "Memory in use rises from {} at the end of {} to {} at the end of {}", formatBytes(first.endBytes),
        input.study->steps.nameInRun(growth.firstStep), formatBytes(last.endBytes),
        input.study->steps.nameInRun(growth.lastStep - 1));
    const std::string share = formatShare(std::min(explained, growth.bytesPerStep), growth.bytesPerStep);
    finding.addEvidence({}, "{} of the leak recurs {}", share == "100%" ? "All" : share, recurrence);
    if (std::string whenFull = whenFullText(input, growth); !whenFull.empty())
        finding.addEvidence({}, std::move(whenFull));
}

/// The memory that a leak keeps at one moment. Everything that the finding says is about these blocks.
struct LeakedMemory
{
    std::int64_t event = -1; ///< the peak; the end of the last fitted step if nothing is kept at the peak
    std::string where; ///< "of the peak", or "in use at the end of step 13"
    std::vector<AllocationIndex> blocks; ///< alive at the event, and allocated in earlier steps; ascending
};

LeakedMemory leakedMemory(
    const DetectorInput& input, const StepGrowth& growth, const std::vector<LifetimeCut>& cuts)
{
    const DeviceStudy& study = *input.study;
    const std::int64_t peak = input.figures.peakEvent;
    if (std::vector<AllocationIndex> blocks = allocationsCutAt(study, cuts, peak); !blocks.empty())
        return {peak, "of the peak", std::move(blocks)};
    const Step& last = study.steps.steps[growth.lastStep - 1];
    return {last.end - 1, "in use at the end of " + study.steps.nameInRun(growth.lastStep - 1),
        allocationsCutAt(study, cuts, last.end - 1)};
}

/// True if at least half of the kept bytes are weights, their gradients or optimizer state. The user may
/// intend a model that grows, or several kept models.
bool isMostlyModelState(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts)
{
    Bytes allBytes = 0;
    Bytes modelBytes = 0;
    for (const LifetimeCut& cut : cuts) {
        const Category category = study.categories.of(cut.allocation);
        allBytes += study.allocations.bytes(cut.allocation);
        if (category == Category::Parameter || category == Category::Gradient
            || category == Category::OptimizerState)
            modelBytes += study.allocations.bytes(cut.allocation);
    }
    return modelBytes * 2 >= allBytes;
}

/// Names the tensors by the line that they come from: "the tensors from log_probs (r1_grpo.py:70)". If that
/// line has only most of them, a line that all come through is better than a part without a name.
std::string tensorsOf(const LeakPlace& place)
{
    const std::string& line = place.line.empty() ? place.inModel : place.line;
    if (line.empty())
        return "tensors of earlier steps";
    if (place.line.empty() || place.isNearlyAll())
        return "the tensors from " + line;
    const std::string most = "mostly those from " + line;
    return place.commonLine.empty() ? "tensors of earlier steps, " + most
                                    : fmt::format("the tensors from {}, {}", place.commonLine, most);
}

std::string leakAction(const LeakPlace& place)
{
    return fmt::format("Find the list, log or attribute that still refers to {}; store .item() or "
                       ".detach().cpu() values, or drop the tensors before the next step",
        tensorsOf(place));
}

} // namespace

std::vector<Finding> findGrowth(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::optional<StepGrowth> growth = growthPerStep(study.steps);
    if (!growth || growth->bytesPerStep <= 0
        || growth->lastStep - growth->firstStep < kFewestStepsRetained + 1)
        return {};
    const RetainedBlocks survivors(study, *growth);
    const Bytes perStep = survivors.perStep();
    if (perStep == 0 || perStep < input.figures.peakBytes / kGrowthDivisor
        || perStep < growth->bytesPerStep / 2)
        return {};
    const bool isSteady = std::ranges::all_of(survivors.growing(), &Retained::isInNearlyEveryStep);
    const bool agreesWithSlope
        = perStep >= growth->bytesPerStep / 10 * 9 && perStep <= growth->bytesPerStep / 10 * 11;
    Finding finding = findingOf(input, "growth",
        agreesWithSlope && isSteady && study.steps.grade != Grade::C ? Grade::A : Grade::B,
        FindingKind::Fault);
    const std::vector<LifetimeCut> cuts = cutsOf(study, *growth, survivors.growing());
    if (isMostlyModelState(study, cuts))
        finding.grade = Grade::C;
    const LeakedMemory leaked = leakedMemory(input, *growth, cuts);
    placeAt(finding, input, leaked.event);
    finding.bytes = bytesOf(study.allocations, leaked.blocks);
    LeakPlace place = findLeakPlace(study, leaked.blocks);
    finding.title
        = fmt::format("Memory leaks {} per step{}: {} {} was allocated in earlier steps and never freed",
            formatBytes(growth->bytesPerStep), place.inTitle(), formatBytes(finding.bytes), leaked.where);
    addSites(study, survivors.growing(), leaked.blocks, finding);
    if (const std::string origin = place.sentence(); !origin.empty())
        finding.addEvidence({}, origin);
    finding.keepers = std::move(place.keepers);
    const bool isEveryStep = std::ranges::all_of(survivors.growing(), &Retained::isInEveryStep);
    addSlopeEvidence(input, *growth, perStep,
        isEveryStep    ? "in every step"
            : isSteady ? "in nearly every step"
                       : "every few steps",
        finding);
    finding.remedy = {leakAction(place), peakSaving(study, cuts)};
    finding.wouldDisprove
        = "Wrong if the total at the end of the steps stops rising in a longer recording: a cache that fills";
    return {std::move(finding)};
}

} // namespace highwater
