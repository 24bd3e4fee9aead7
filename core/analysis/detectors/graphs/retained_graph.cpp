#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/graphs/model_callers.h"
#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
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

    void add(const ModelCall& outside)
    {
        keptBytes += outside.keptBytes;
        leftBytes += outside.keptBytes;
        kept.insert(kept.end(), outside.kept.begin(), outside.kept.end());
        std::ranges::sort(kept);
    }

    /// True if nearly everything is kept, in many blocks from many places: such memory is a graph and not
    /// just outputs. It suffices that nearly all bytes or nearly all blocks are kept, since a few large
    /// blocks of a loss may exceed all layers and be freed while the layers stay.
    bool isWholeGraph() const
    {
        return kept.size() >= kFewestRetainedBlocks
            && (stacks.size() >= kFewestRetainedStacks || isOfOneOperator())
            && (keptBytes * 5 >= leftBytes * 4 || kept.size() * 5 >= leftCount * 4);
    }

    /// True if one operator saved all kept blocks for its backward: many blocks in several recurring sizes
    /// from one stack. Stored outputs also come from one stack, but have one size.
    bool isOfOneOperator() const
    {
        std::map<std::uint32_t, std::size_t> blocks;
        for (const auto& [place, count] : sizes)
            blocks[place.first] += count;
        std::map<std::uint32_t, std::size_t> often;
        for (const auto& [place, count] : sizes)
            if (count * 8 >= blocks[place.first])
                ++often[place.first];
        return std::ranges::any_of(often, [&](const auto& entry) {
            return entry.second >= kFewestSizesOfOneStack && blocks[entry.first] >= kFewestOfOneStack;
        });
    }
};

bool isOfTheGraph(Category category)
{
    return category == Category::Activation || isUntold(category);
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
        std::vector<ModelCall> all;
        std::set<std::uint32_t> callers;
        for (const auto& [key, run] : m_runs) {
            const bool isKept = !isLast(run.step)
                || (m_study.steps.steps[run.step].complete && callers.contains(key.second));
            if (!run.isWholeGraph() || !isKept)
                continue;
            callers.insert(key.second);
            const bool isFirst = all.empty() || all.back().range != run.range;
            all.push_back(run);
            if (isFirst)
                addRest(all.back());
        }
        return all;
    }

    /// Returns a cut for each kept block, from the moment when it is no longer needed. A backward that
    /// follows uses the blocks in reverse order of allocation. Blocks that no backward uses may stay until
    /// the end of the step.
    std::vector<LifetimeCut> cutsOf(const ModelCall& run) const
    {
        const std::int64_t end = m_study.steps.steps[run.step].end;
        const PhaseRange& forward = m_ranges[run.range];
        const PhaseRange* backward = run.range + 1 < m_ranges.size() ? &m_ranges[run.range + 1] : nullptr;
        const bool isUsed = backward && backward->phase == Phase::Backward && backward->end <= end
            && keptIn(run.range) * 5 >= m_leftIn.at(run.range) * 4;
        std::vector<LifetimeCut> cuts;
        for (const AllocationIndex i : run.kept) {
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
        for (auto run = m_runs.lower_bound({graph.range, 0});
             run != m_runs.end() && run->first.first == graph.range; ++run)
            if (!run->second.isWholeGraph() && run->second.keptBytes * 5 >= run->second.leftBytes * 4)
                graph.add(run->second);
    }

    Bytes keptIn(std::size_t range) const
    {
        Bytes kept = 0;
        for (auto run = m_runs.lower_bound({range, 0}); run != m_runs.end() && run->first.first == range;
             ++run)
            kept += run->second.isWholeGraph() ? run->second.keptBytes : 0;
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
        if (m_ranges.empty() || !runsTheModel(m_ranges[m_range].phase) || m_ranges[m_range].begin > birth
            || allocations.death(i) < m_ranges[m_range].end || !isOfTheGraph(m_study.categories.of(i)))
            return;
        const std::optional<std::size_t> step = m_study.steps.stepOf(birth);
        if (!step)
            return;
        ModelCall& run = m_open[m_callers.callerOf(allocations.stack(i))];
        run.step = *step;
        run.phase = m_ranges[m_range].phase;
        run.range = m_range;
        run.leftBytes += allocations.bytes(i);
        ++run.leftCount;
        if (allocations.death(i) < (isLast(*step) ? endOfUse(*step) : m_study.steps.steps[*step + 1].end))
            return;
        run.keptBytes += allocations.bytes(i);
        run.kept.push_back(i);
        if (allocations.stack(i).isNone())
            return;
        const auto stack = static_cast<std::uint32_t>(allocations.stack(i).index());
        run.stacks.insert(stack);
        ++run.sizes[{stack, allocations.bytes(i)}];
    }

    /// Stores the calls of the current range, but only if at least one of them left a whole graph.
    void closeRange()
    {
        if (std::ranges::any_of(m_open, [](const auto& entry) { return entry.second.isWholeGraph(); }))
            for (auto& [caller, run] : m_open) {
                m_leftIn[m_range] += run.leftBytes;
                m_runs.emplace(std::pair(m_range, caller), std::move(run));
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
        return step + 1 >= steps.size() || !steps[step + 1].isCounted() || !steps[step + 1].complete;
    }

    const DeviceStudy& m_study;
    const std::vector<PhaseRange>& m_ranges;
    ModelCallers m_callers;
    std::map<std::uint32_t, ModelCall> m_open; ///< calls in the current range, by caller
    std::map<std::pair<std::size_t, std::uint32_t>, ModelCall> m_runs; ///< by range and caller
    std::map<std::size_t, Bytes> m_leftIn; ///< by range
    std::size_t m_range = 0; ///< current range; allocations are added in order of birth
};

} // namespace

std::vector<Finding> findRetainedGraph(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (study.steps.source == StepSource::Whole || study.steps.steps.empty())
        return {};
    const ModelCalls all(study);
    const std::vector<ModelCall> runs = all.retained();
    std::set<std::size_t> steps;
    Finding finding = findingOf(input, "retained-graph", Grade::B, FindingKind::Fault);
    std::set<std::size_t> heldSteps; ///< steps whose graph is alive at the peak
    std::vector<LifetimeCut> cuts;
    std::vector<AllocationIndex> blocks;
    for (const ModelCall& run : runs) {
        steps.insert(run.step);
        blocks.insert(blocks.end(), run.kept.begin(), run.kept.end());
        for (const LifetimeCut& cut : all.cutsOf(run)) {
            cuts.push_back(cut);
            if (cut.from < input.figures.peakEvent
                && study.allocations.isLiveAt(cut.allocation, input.figures.peakEvent)) {
                finding.bytes += study.allocations.bytes(cut.allocation);
                heldSteps.insert(run.step);
            }
        }
    }
    if (steps.size() < kFewestSteps || finding.bytes == 0)
        return {};
    std::ranges::sort(blocks);
    const std::size_t lastStep = study.steps.steps.size() - 1;
    const ModelCall& example = *std::ranges::max_element(
        runs, {}, [&](const ModelCall& run) { return std::pair(run.step < lastStep, run.keptBytes); });
    placeAt(finding, input, study.steps.steps[std::min(example.step + 1, lastStep)].end - 1);
    finding.title = fmt::format("The autograd graph of {} is never freed: {} of the peak",
        counted(heldSteps.size(), "step", "steps"), formatBytes(finding.bytes));
    if (const std::string from = leakPlaceOf(study, blocks).sentence(); !from.empty())
        finding.addEvidence({}, from);
    finding.addEvidence(AllocationsTarget{example.kept},
        "{} of {} left {} behind, and {} of this is never freed: {} blocks from {} stacks, {}",
        upperFirst(std::string(toText(example.phase))), study.steps.steps[example.step].name,
        formatBytes(example.leftBytes), formatBytes(example.keptBytes), formatCount(example.kept.size()),
        example.stacks.size(), largestSites(study, example.kept));
    finding.addEvidence(AllocationsTarget{std::move(blocks)},
        "Backward did not free it: it never ran on this graph, or ran with retain_graph=True, and something "
        "still refers to its result");
    finding.remedy = {"Run this part under torch.no_grad(), or keep its results with .detach(); call "
                      "backward without retain_graph",
        peakSaving(study, cuts), false, true};
    finding.wouldDisprove = "Wrong if a later backward uses these blocks: gradient accumulation, pipeline "
                            "stages in flight, double backward";
    return {std::move(finding)};
}

} // namespace highwater
