#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/graphs/model_callers.h"
#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kFewestRetainedBlocks = 16;
constexpr std::size_t kFewestRetainedStacks = 4;
constexpr std::size_t kFewestSteps = 2;
/// Limits for an operator that makes its whole graph at one stack, as a recurrent operator does for each time
/// step.
constexpr std::size_t kFewestOfOneStack = 128;
constexpr std::size_t kFewestSizesOfOneStack = 3;

/// The memory that one call of the model leaves behind when its phase ends, and the part of it that is kept:
/// it outlives the step after its own.
struct ModelCall
{
    std::size_t step = 0;
    Phase phase = Phase::Unknown;
    std::size_t range = 0; ///< index into the phase ranges
    Bytes leftBytes = 0;
    std::size_t leftCount = 0;
    Bytes keptBytes = 0;
    std::vector<AllocationIndex> kept;
    std::set<std::uint32_t> stacks; ///< stacks of the kept blocks
    std::map<std::pair<std::uint32_t, Bytes>, std::size_t> sizes; ///< number of kept blocks by stack and size

    void add(const ModelCall& other)
    {
        keptBytes += other.keptBytes;
        leftBytes += other.keptBytes;
        kept.insert(kept.end(), other.kept.begin(), other.kept.end());
        std::ranges::sort(kept);
    }

    /// True if nearly everything is kept, in many blocks from many places: such memory is a graph and not
    /// just outputs. Nearly all bytes or nearly all blocks suffice: the few blocks of a loss may be larger
    /// than all layers, and be freed while the layers stay.
    bool isWholeGraph() const
    {
        return kept.size() >= kFewestRetainedBlocks
            && (stacks.size() >= kFewestRetainedStacks || isFromOneOperator())
            && (keptBytes * 5 >= leftBytes * 4 || kept.size() * 5 >= leftCount * 4);
    }

    /// True if one operator saved all kept blocks for its backward: many blocks in several recurring sizes
    /// from one stack. Stored outputs also come from one stack, but have one size.
    bool isFromOneOperator() const
    {
        std::map<std::uint32_t, std::size_t> blocks;
        for (const auto& [place, count] : sizes)
            blocks[place.first] += count;
        std::map<std::uint32_t, std::size_t> recurringSizes;
        for (const auto& [place, count] : sizes)
            if (count * 8 >= blocks[place.first])
                ++recurringSizes[place.first];
        return std::ranges::any_of(recurringSizes, [&](const auto& entry) {
            return entry.second >= kFewestSizesOfOneStack && blocks[entry.first] >= kFewestOfOneStack;
        });
    }
};

bool isGraphCategory(Category category)
{
    return category == Category::Activation || isUncategorized(category);
}

/// Collects the calls of the model, by phase range and by the stack that calls the model. The caller is
/// needed because an evaluation may merge with the next forward into one range.
class ModelCalls
{
public:
    explicit ModelCalls(const DeviceStudy& study)
        : m_study(study)
        , m_ranges(study.phases.ranges())
        , m_callers(study.trace)
    {
        for (AllocationIndex i = static_cast<AllocationIndex>(study.allocations.olderCount());
             i < study.allocations.size(); ++i)
            add(i);
        closeRange();
    }

    /// Returns the calls whose graph is kept. A call of the last step counts only if the same caller kept a
    /// graph in an earlier step.
    std::vector<ModelCall> retained() const
    {
        std::vector<ModelCall> retainedCalls;
        std::set<std::uint32_t> callers;
        for (const auto& [key, call] : m_calls) {
            const bool isKept = !isLast(call.step)
                || (m_study.steps.steps[call.step].isComplete && callers.contains(key.second));
            if (!call.isWholeGraph() || !isKept)
                continue;
            callers.insert(key.second);
            const bool isFirst = retainedCalls.empty() || retainedCalls.back().range != call.range;
            retainedCalls.push_back(call);
            if (isFirst)
                addRest(retainedCalls.back());
        }
        return retainedCalls;
    }

    /// Returns a cut for each kept block, from the moment when it is no longer needed. A backward that
    /// follows uses the blocks in reverse order of allocation. Blocks that no backward uses may stay until
    /// the end of the step.
    std::vector<LifetimeCut> cutsOf(const ModelCall& call) const
    {
        const std::int64_t end = m_study.steps.steps[call.step].end;
        const PhaseRange& forward = m_ranges[call.range];
        const PhaseRange* backward = call.range + 1 < m_ranges.size() ? &m_ranges[call.range + 1] : nullptr;
        const bool isUsed = backward && backward->phase == Phase::Backward && backward->end <= end
            && keptIn(call.range) * 5 >= m_leftIn.at(call.range) * 4;
        std::vector<LifetimeCut> cuts;
        for (const AllocationIndex i : call.kept) {
            const std::int64_t after = forward.end - 1 - m_study.allocations.birth(i);
            cuts.push_back({i,
                isUsed ? backward->begin
                        + after * (backward->end - 1 - backward->begin) / (forward.end - forward.begin)
                       : end - 1});
        }
        return cuts;
    }

private:
    /// Adds the batches, losses and blocks of smaller modules that the range of this call keeps as well.
    void addRest(ModelCall& graph) const
    {
        for (auto call = m_calls.lower_bound({graph.range, 0});
             call != m_calls.end() && call->first.first == graph.range; ++call)
            if (!call->second.isWholeGraph() && call->second.keptBytes * 5 >= call->second.leftBytes * 4)
                graph.add(call->second);
    }

    Bytes keptIn(std::size_t range) const
    {
        Bytes kept = 0;
        for (auto call = m_calls.lower_bound({range, 0}); call != m_calls.end() && call->first.first == range;
             ++call)
            kept += call->second.isWholeGraph() ? call->second.keptBytes : 0;
        return kept;
    }

    void add(AllocationIndex i)
    {
        const AllocationTable& allocations = m_study.allocations;
        const std::int64_t birth = allocations.birth(i);
        if (m_range + 1 < m_ranges.size() && m_ranges[m_range].end <= birth)
            closeRange();
        while (m_range + 1 < m_ranges.size() && m_ranges[m_range].end <= birth)
            ++m_range;
        if (m_ranges.empty() || !runsForwardOfModel(m_ranges[m_range].phase)
            || m_ranges[m_range].begin > birth || allocations.death(i) < m_ranges[m_range].end
            || !isGraphCategory(m_study.categories.of(i)))
            return;
        const std::optional<std::size_t> step = m_study.steps.stepOf(birth);
        if (!step)
            return;
        ModelCall& call = m_open[m_callers.callerOf(allocations.stack(i))];
        call.step = *step;
        call.phase = m_ranges[m_range].phase;
        call.range = m_range;
        call.leftBytes += allocations.bytes(i);
        ++call.leftCount;
        if (allocations.death(i) < (isLast(*step) ? endOfUse(*step) : m_study.steps.steps[*step + 1].end))
            return;
        call.keptBytes += allocations.bytes(i);
        call.kept.push_back(i);
        if (allocations.stack(i).isNone())
            return;
        const auto stack = static_cast<std::uint32_t>(allocations.stack(i).index());
        call.stacks.insert(stack);
        ++call.sizes[{stack, allocations.bytes(i)}];
    }

    /// Stores the calls of the current range, but only if at least one of them left a whole graph.
    void closeRange()
    {
        if (std::ranges::any_of(m_open, [](const auto& entry) { return entry.second.isWholeGraph(); }))
            for (auto& [caller, call] : m_open) {
                m_leftIn[m_range] += call.leftBytes;
                m_calls.emplace(std::pair(m_range, caller), std::move(call));
            }
        m_open.clear();
    }

    /// Returns the event after which the blocks of the current range are no longer in use: the end of the
    /// backward that follows, else the end of the step.
    std::int64_t endOfUse(std::size_t step) const
    {
        const bool isUsed = m_range + 1 < m_ranges.size() && m_ranges[m_range + 1].phase == Phase::Backward;
        return isUsed ? m_ranges[m_range + 1].end : m_study.steps.steps[step].end;
    }

    bool isLast(std::size_t step) const
    {
        const std::vector<Step>& steps = m_study.steps.steps;
        return step + 1 >= steps.size() || !steps[step + 1].isCounted() || !steps[step + 1].isComplete;
    }

    const DeviceStudy& m_study;
    const std::vector<PhaseRange>& m_ranges;
    ModelCallers m_callers;
    std::map<std::uint32_t, ModelCall> m_open; ///< calls in the current range, by caller
    std::map<std::pair<std::size_t, std::uint32_t>, ModelCall> m_calls; ///< by range and caller
    std::map<std::size_t, Bytes> m_leftIn; ///< by range
    std::size_t m_range = 0; ///< current range; allocations are added in order of birth
};

/// Returns " from validate (train.py:91)", or " (65% of it from …)" if other lines keep much of it.
std::string fromText(const LeakPlace& place)
{
    if (place.line.empty())
        return {};
    return place.isNearlyAll()
        ? " from " + place.line
        : fmt::format(" ({} of it from {})", formatShare(place.throughBytes, place.allBytes), place.line);
}

} // namespace

std::vector<Finding> findRetainedGraph(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (study.steps.source == StepSource::Whole || study.steps.steps.empty())
        return {};
    const ModelCalls modelCalls(study);
    const std::vector<ModelCall> calls = modelCalls.retained();
    std::set<std::size_t> steps;
    Finding finding = findingOf(input, "retained-graph", Grade::B, FindingKind::Fault);
    std::set<std::size_t> keptSteps; ///< steps whose graph is alive at the peak
    std::vector<LifetimeCut> cuts;
    for (const ModelCall& call : calls) {
        steps.insert(call.step);
        const std::vector<LifetimeCut> cutsOfCall = modelCalls.cutsOf(call);
        cuts.insert(cuts.end(), cutsOfCall.begin(), cutsOfCall.end());
        if (!allocationsCutAt(study, cutsOfCall, input.figures.peakEvent).empty())
            keptSteps.insert(call.step);
    }
    std::vector<AllocationIndex> blocks = allocationsCutAt(study, cuts, input.figures.peakEvent);
    if (steps.size() < kFewestSteps || blocks.empty())
        return {};
    const std::size_t lastStep = study.steps.steps.size() - 1;
    const ModelCall& example = *std::ranges::max_element(
        calls, {}, [&](const ModelCall& call) { return std::pair(call.step < lastStep, call.keptBytes); });
    placeAt(finding, input, input.figures.peakEvent);
    finding.bytes = bytesOf(study.allocations, blocks);
    LeakPlace place = findLeakPlace(study, blocks);
    finding.title = fmt::format("The autograd graph of {}{} is never freed: {} of the peak",
        counted(keptSteps.size(), "step", "steps"), fromText(place), formatBytes(finding.bytes));
    if (const std::string origin = place.sentence(); !origin.empty())
        finding.addEvidence({}, origin);
    finding.keepers = std::move(place.keepers);
    finding.addEvidence(StepTarget{example.step},
        "After {} of {}, {} of {} is never freed: {} blocks from {} stacks, {}", toText(example.phase),
        study.steps.nameInRun(example.step), formatBytes(example.keptBytes), formatBytes(example.leftBytes),
        formatCount(example.kept.size()), formatCount(example.stacks.size()),
        largestSites(study, example.kept));
    finding.addEvidence(AllocationsTarget{std::move(blocks)},
        "Backward did not free it: it never ran on this graph, or ran with retain_graph=True, and something "
        "still refers to its result");
    finding.remedy = {fmt::format("Wrap {} in torch.no_grad(), or keep its results with .detach(); call "
                                  "backward without retain_graph",
                          callKeeping(finding)),
        peakSaving(study, cuts), false, true};
    finding.wouldDisprove = "Wrong if a later backward uses these blocks: gradient accumulation, pipeline "
                            "stages in flight, double backward";
    return {std::move(finding)};
}

} // namespace highwater
