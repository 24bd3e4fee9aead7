#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kFewestBlocks = 16;
constexpr std::size_t kFewestStacks = 4;
constexpr std::size_t kFewestSteps = 2;

/// What one run of the model leaves when it ends, and what of that outlives the step after its own.
struct ModelRun
{
    std::size_t step = 0;
    Phase phase = Phase::Unknown;
    Bytes leftBytes = 0;
    std::size_t leftCount = 0;
    Bytes keptBytes = 0;
    std::vector<AllocationIndex> kept;
    std::set<std::uint32_t> stacks; ///< of what is kept

    /// Nearly all that it left, of many blocks from many places: a graph, not its outputs. Few blocks of a
    /// loss may be larger than all layers, and go while those stay.
    bool isWholeGraph() const
    {
        return kept.size() >= kFewestBlocks && stacks.size() >= kFewestStacks
            && (keptBytes * 5 >= leftBytes * 4 || kept.size() * 5 >= leftCount * 4);
    }
};

bool isOfTheGraph(Category category)
{
    return category == Category::Activation || category == Category::Unknown;
}

/// Runs in steps that another one follows, by their place among the phases.
class ModelRuns
{
public:
    explicit ModelRuns(const DeviceStudy& study)
        : m_study(study)
        , m_ranges(study.phases.ranges())
        , m_runs(m_ranges.size())
    {
        for (AllocationIndex i = static_cast<AllocationIndex>(study.allocations.olderCount());
             i < study.allocations.size(); ++i)
            add(i);
    }

    std::vector<ModelRun> retained() const
    {
        std::vector<ModelRun> all;
        for (const ModelRun& run : m_runs)
            if (run.isWholeGraph())
                all.push_back(run);
        return all;
    }

private:
    void add(AllocationIndex i)
    {
        const AllocationTable& allocations = m_study.allocations;
        const std::int64_t birth = allocations.birth(i);
        while (m_range + 1 < m_ranges.size() && m_ranges[m_range].end <= birth)
            ++m_range;
        if (m_ranges.empty() || !runsTheModel(m_ranges[m_range].phase) || m_ranges[m_range].begin > birth
            || allocations.death(i) < m_ranges[m_range].end || !isOfTheGraph(m_study.categories.of(i)))
            return;
        const std::optional<std::size_t> step = m_study.steps.stepOf(birth);
        if (!step || *step + 1 >= m_study.steps.steps.size())
            return;
        ModelRun& run = m_runs[m_range];
        run.step = *step;
        run.phase = m_ranges[m_range].phase;
        run.leftBytes += allocations.bytes(i);
        ++run.leftCount;
        if (allocations.death(i) < m_study.steps.steps[*step + 1].end)
            return;
        run.keptBytes += allocations.bytes(i);
        run.kept.push_back(i);
        if (!allocations.stack(i).isNone())
            run.stacks.insert(static_cast<std::uint32_t>(allocations.stack(i).index()));
    }

    const DeviceStudy& m_study;
    const std::vector<PhaseRange>& m_ranges;
    std::vector<ModelRun> m_runs;
    std::size_t m_range = 0; ///< allocations come in the order of their births
};

std::string largestSites(const DeviceStudy& study, const ModelRun& run)
{
    const GroupedAllocations bySite
        = groupAllocations(study.trace, study.allocations, study.sites, run.kept, GroupKey::Site);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, bySite.composition.groups.size()); ++i) {
        const CompositionGroup& group = bySite.composition.groups[i];
        text += fmt::format("{}{} from {}", i == 0 ? "" : ", ", formatBytes(group.bytes),
            study.sites.site(study.sites.of(group.example)).label);
    }
    return text;
}

} // namespace

std::vector<Finding> findRetainedGraph(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (study.steps.source == StepSource::Whole)
        return {};
    const std::vector<ModelRun> runs = ModelRuns(study).retained();
    std::set<std::size_t> steps;
    Finding finding = findingOf(input, "retained-graph", Grade::B, FindingKind::Fault);
    std::set<std::size_t> heldSteps; ///< that the peak holds the graph of
    std::vector<LifetimeCut> cuts;
    for (const ModelRun& run : runs) {
        steps.insert(run.step);
        for (const AllocationIndex i : run.kept) {
            const std::int64_t end = study.steps.steps[run.step].end - 1;
            cuts.push_back({i, end});
            if (end < input.figures.peakEvent && study.allocations.isLiveAt(i, input.figures.peakEvent)) {
                finding.bytes += study.allocations.bytes(i);
                heldSteps.insert(run.step);
            }
        }
    }
    if (steps.size() < kFewestSteps || finding.bytes == 0)
        return {};
    const ModelRun& example = *std::ranges::max_element(runs, {}, &ModelRun::keptBytes);
    placeAt(finding, input, study.steps.steps[example.step + 1].end - 1);
    finding.title = fmt::format("The autograd graph of {} steps is still in memory: {} of the peak",
        heldSteps.size(), formatBytes(finding.bytes));
    finding.addEvidence(AllocationsTarget{example.kept},
        "{} of the {} that the {} phase of {} left outlive the step after it, in {} blocks of {} stacks: {}",
        formatBytes(example.keptBytes), formatBytes(example.leftBytes), toText(example.phase),
        study.steps.steps[example.step].name, formatCount(example.kept.size()), example.stacks.size(),
        largestSites(study, example));
    finding.addEvidence(StepTarget{example.step},
        "Backward does not free them: it was not run on this graph, or with retain_graph=True, and something "
        "still refers to its result");
    finding.remedy = {
        "Run this part under torch.no_grad(), or keep its results with .detach()", peakSaving(study, cuts)};
    finding.wouldDisprove = "A later backward that uses these blocks: gradient accumulation over several "
                            "steps, pipeline stages in flight, double backward";
    return {std::move(finding)};
}

} // namespace highwater
