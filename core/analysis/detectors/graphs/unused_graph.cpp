#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/categories/passing_category.h"
#include "core/analysis/detectors/graphs/model_callers.h"
#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Without gradients, a block is freed as soon as the next modules have used it: before this many others are
/// made.
constexpr std::size_t kShortLife = 16;
constexpr std::size_t kFewestUnusedBlocks = 16;
constexpr std::size_t kFewestUnusedStacks = 4;

/// The blocks that one line calling the model makes within one phase.
struct Pass
{
    std::vector<AllocationIndex> blocks; ///< in order of birth
    std::vector<AllocationIndex> graph; ///< blocks that stay alive while many others are made
    std::set<std::size_t> stacks; ///< stacks of the graph's blocks
    Bytes bytes = 0; ///< bytes of the graph
    Bytes usedByBackward = 0;

    /// True if most of the blocks, from many stacks, stay alive and hardly any is freed by a backward.
    bool isUnusedGraph() const
    {
        return graph.size() >= kFewestUnusedBlocks && stacks.size() >= kFewestUnusedStacks
            && graph.size() * 5 >= blocks.size() * 2 && usedByBackward * 10 < bytes;
    }
};

class Passes
{
public:
    explicit Passes(const DetectorInput& input)
        : m_input(input)
        , m_study(*input.study)
        , m_ranges(m_study.phases.ranges())
        , m_roles(m_study.trace)
        , m_callers(m_study.trace)
    {
        for (const AllocationIndex i : m_study.allocations.liveAt(input.figures.peakEvent))
            if (m_study.categories.of(i) == Category::Parameter)
                ++m_parameters[m_study.allocations.recordedBytes(i)];
        for (auto i = static_cast<AllocationIndex>(m_study.allocations.olderCount());
             i < m_study.allocations.size(); ++i)
            add(i);
        closeRange();
    }

    std::vector<Pass> unused() const
    {
        // If one pass of a caller is settled, all passes of that caller count.
        std::set<std::uint32_t> callers;
        for (const auto& [key, pass] : m_unusedPasses)
            if (isSettled(key.first))
                callers.insert(key.second);
        std::vector<Pass> found;
        for (const auto& [key, pass] : m_unusedPasses)
            if (callers.contains(key.second))
                found.push_back(pass);
        return found;
    }

private:
    void add(AllocationIndex i)
    {
        const std::int64_t birth = m_study.allocations.birth(i);
        if (m_range + 1 < m_ranges.size() && m_ranges[m_range].end <= birth)
            closeRange();
        while (m_range + 1 < m_ranges.size() && m_ranges[m_range].end <= birth)
            ++m_range;
        if (m_ranges.empty() || !runsForwardOfModel(m_ranges[m_range].phase)
            || m_ranges[m_range].begin > birth || !mayEndInStep(m_study.categories.of(i)))
            return;
        if (const std::uint32_t caller = m_callers.callerOf(m_study.allocations.stack(i)); caller != 0)
            m_openPasses[caller].blocks.push_back(i);
    }

    /// Keeps the passes of the current range that left an unused graph, and notes whether a backward used any
    /// block of the range.
    void closeRange()
    {
        Bytes usedBytes = 0;
        for (auto& [caller, pass] : m_openPasses) {
            findGraph(pass);
            removeCasts(pass);
            usedBytes += pass.usedByBackward;
            if (pass.isUnusedGraph())
                m_unusedPasses.emplace(std::pair(m_range, caller), std::move(pass));
        }
        m_openPasses.clear();
        if (usedBytes > 0)
            m_usedRanges.insert(m_range);
    }

    void findGraph(Pass& pass) const
    {
        const AllocationTable& allocations = m_study.allocations;
        for (std::size_t position = 0; position + kShortLife < pass.blocks.size(); ++position) {
            const AllocationIndex i = pass.blocks[position];
            if (allocations.death(i) < allocations.birth(pass.blocks[position + kShortLife])
                || isFreedByFailure(i))
                continue;
            pass.stacks.insert(allocations.stack(i).index());
            addToGraph(pass, i);
        }
        for (std::size_t position = std::max(pass.blocks.size(), kShortLife) - kShortLife;
             position < pass.blocks.size(); ++position)
            if (pass.stacks.contains(allocations.stack(pass.blocks[position]).index())
                && !isFreedByFailure(pass.blocks[position]))
                addToGraph(pass, pass.blocks[position]);
    }

    /// Removes casts of weights from the graph. Autocast keeps these until its context ends, with or without
    /// gradients. Blocks count as casts if there are at most as many of a size as parameters of twice that
    /// size. Together they must have at least a quarter of the parameters' bytes.
    void removeCasts(Pass& pass) const
    {
        SizeCounts counts;
        for (const AllocationIndex i : pass.graph)
            ++counts[m_study.allocations.recordedBytes(i)];
        const auto isCast = [&](Bytes size) {
            const auto parameters = m_parameters.find(size * 2);
            return parameters != m_parameters.end() && counts.find(size)->second <= parameters->second;
        };
        Bytes castBytes = 0;
        for (const auto& [size, count] : counts)
            castBytes += isCast(size) ? size * count : 0;
        if (castBytes * 4 < bytesOf(m_parameters))
            return;
        pass.bytes = 0;
        pass.usedByBackward = 0;
        pass.stacks.clear();
        for (const AllocationIndex i : std::exchange(pass.graph, {}))
            if (!isCast(m_study.allocations.recordedBytes(i))) {
                pass.stacks.insert(m_study.allocations.stack(i).index());
                addToGraph(pass, i);
            }
    }

    void addToGraph(Pass& pass, AllocationIndex i) const
    {
        pass.graph.push_back(i);
        pass.bytes += m_study.allocations.bytes(i);
        if (isFreedByBackward(m_study, m_roles, i))
            pass.usedByBackward += m_study.allocations.bytes(i);
    }

    /// True if an out-of-memory failure may have freed the block: Python then drops tensors that a backward
    /// would have used.
    bool isFreedByFailure(AllocationIndex i) const
    {
        return std::ranges::any_of(m_input.figures.ooms, [&](const OomEvent& oom) {
            return m_study.allocations.birth(i) <= oom.event && oom.event <= m_study.allocations.death(i);
        });
    }

    /// True if the trace shows that no backward needs an unused graph of the range: either the next phase is
    /// a backward and used something else of the range, or the next phase is another one and a backward comes
    /// later.
    bool isSettled(std::size_t range) const
    {
        const bool isBackwardNext
            = range + 1 < m_ranges.size() && m_ranges[range + 1].phase == Phase::Backward;
        const bool isBackwardLater = std::any_of(m_ranges.begin() + static_cast<std::ptrdiff_t>(range),
            m_ranges.end(), [](const PhaseRange& later) { return later.phase == Phase::Backward; });
        return isBackwardNext ? m_usedRanges.contains(range) : isBackwardLater;
    }

    const DetectorInput& m_input;
    const DeviceStudy& m_study;
    const std::vector<PhaseRange>& m_ranges;
    StackRoles m_roles;
    ModelCallers m_callers;
    SizeCounts m_parameters; ///< sizes of the parameters at the peak
    std::map<std::uint32_t, Pass> m_openPasses; ///< passes of the current range, by caller
    std::map<std::pair<std::size_t, std::uint32_t>, Pass> m_unusedPasses; ///< by range and caller
    std::unordered_set<std::size_t> m_usedRanges; ///< ranges from which a backward uses something
    std::size_t m_range = 0; ///< current range; allocations are added in order of birth
};

/// Adds the lifetimes that blocks would have without gradients: each block of the graph is freed when the
/// next one is made.
void addCutsOfPass(const DeviceStudy& study, const Pass& pass, std::vector<LifetimeCut>& cuts)
{
    for (std::size_t i = 0; i + 1 < pass.graph.size(); ++i)
        cuts.push_back({pass.graph[i], study.allocations.birth(pass.graph[i + 1])});
}

Bytes liveBytesOf(const DeviceStudy& study, const Pass& pass, std::int64_t event)
{
    Bytes bytes = 0;
    for (const AllocationIndex i : pass.graph)
        bytes += study.allocations.isLiveAt(i, event) ? study.allocations.bytes(i) : 0;
    return bytes;
}

/// Returns the blocks that are alive at an event, ascending.
std::vector<AllocationIndex> aliveAt(
    const DeviceStudy& study, std::vector<AllocationIndex> blocks, std::int64_t event)
{
    std::erase_if(blocks, [&](AllocationIndex i) { return !study.allocations.isLiveAt(i, event); });
    std::ranges::sort(blocks);
    return blocks;
}

/// Returns the calls that the bytes of the title are from: " in each of 2 calls", " in the largest of 2
/// calls", or, if they are alive at one moment, " from 2 calls together". Empty for one call.
std::string callsText(const std::vector<Bytes>& bytesOfCalls, bool areTogether)
{
    const auto calls = bytesOfCalls.size() - static_cast<std::size_t>(std::ranges::count(bytesOfCalls, 0));
    if (calls < 2)
        return {};
    if (areTogether)
        return fmt::format(" from {} calls together", formatCount(calls));
    return fmt::format(" in {} of {} calls",
        std::ranges::min(bytesOfCalls) == std::ranges::max(bytesOfCalls) ? "each" : "the largest",
        formatCount(calls));
}

} // namespace

std::vector<Finding> findUnusedGraph(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::vector<Pass> passes = Passes(input).unused();
    if (passes.empty())
        return {};
    Bytes atPeak = 0;
    Bytes usedBytes = 0;
    std::vector<LifetimeCut> cuts;
    std::vector<AllocationIndex> blocks;
    for (const Pass& pass : passes) {
        blocks.insert(blocks.end(), pass.graph.begin(), pass.graph.end());
        atPeak += liveBytesOf(study, pass, input.figures.peakEvent);
        usedBytes += pass.usedByBackward;
        addCutsOfPass(study, pass, cuts);
    }
    const auto bytesAtEnd = [&](const Pass& pass) {
        return liveBytesOf(study, pass, study.allocations.birth(pass.blocks.back()));
    };
    const Pass& largest = *std::ranges::max_element(passes, {}, bytesAtEnd);
    const Bytes bytes = std::max(atPeak, bytesAtEnd(largest));
    if (!isWorthReporting(input, bytes))
        return {};
    const bool isMoreAtPeak = atPeak > bytesAtEnd(largest);
    std::vector<Bytes> bytesOfCalls;
    for (const Pass& pass : passes)
        bytesOfCalls.push_back(
            isMoreAtPeak ? liveBytesOf(study, pass, input.figures.peakEvent) : bytesAtEnd(pass));
    const std::int64_t event
        = isMoreAtPeak ? input.figures.peakEvent : study.allocations.birth(largest.blocks.back());
    Finding finding = findingAt(input, event, "unused-graph", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.keepers = findKeepers(study, blocks);
    const Phase phase = study.phases.at(study.allocations.birth(largest.blocks.back()));
    finding.title = fmt::format("{} builds an autograd graph that is never used: {}{}",
        upperFirst(std::string(toText(phase == Phase::Forward ? Phase::Evaluation : phase))),
        formatBytes(bytes), callsText(bytesOfCalls, isMoreAtPeak));
    std::vector<AllocationIndex> graph = aliveAt(study, isMoreAtPeak ? blocks : largest.graph, event);
    std::string sites = largestSites(study, graph);
    finding.addEvidence(AllocationsTarget{std::move(graph)}, "The graph consists of {}", std::move(sites));
    finding.addEvidence(EventTarget{input.figures.peakEvent},
        "{} of the graph is in use at the peak, and backward freed {} of it",
        atPeak == 0 ? "None" : formatBytes(atPeak), usedBytes == 0 ? "none" : formatBytes(usedBytes));
    PeakSaving saving = peakSaving(study, cuts);
    finding.remedy = {fmt::format("Wrap {} in torch.no_grad() or torch.inference_mode(){}",
                          callKeeping(finding), savesElsewhere(saving)),
        std::move(saving)};
    finding.wouldDisprove = "Wrong if you call backward through this graph after the recording ends";
    return {std::move(finding)};
}

} // namespace highwater
