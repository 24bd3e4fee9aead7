#include "app/workspace/compare/comparison_state.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Flags the allocations in use that belong to these rows; null if there are none.
BandView::Highlight membersOf(const std::vector<AllocationIndex>& live,
    const std::vector<std::uint32_t>& rowOf, const std::vector<bool>& rows, std::size_t allocationCount)
{
    auto members = std::make_shared<std::vector<bool>>(allocationCount, false);
    bool hasMembers = false;
    for (std::size_t i = 0; i < live.size(); ++i)
        if (rows[rowOf[i]])
            hasMembers = (*members)[live[i]] = true;
    return hasMembers ? members : nullptr;
}

/// Returns the origin of the allocations in use that belong to the row; nullopt if there are none.
std::optional<MomentDiff::Origin> originOf(const AllocationTable& allocations,
    const std::vector<AllocationIndex>& live, const std::vector<std::uint32_t>& rowOf, std::uint32_t row)
{
    std::map<StackId, MomentDiff::Origin::Share> stacks;
    std::optional<MomentDiff::Origin> origin;
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (rowOf[i] != row)
            continue;
        const std::int64_t birth = std::max<std::int64_t>(0, allocations.birth(live[i]));
        if (!origin)
            origin = MomentDiff::Origin{birth, {}};
        origin->birth = std::min(origin->birth, birth);
        MomentDiff::Origin::Share& share = stacks[allocations.stack(live[i])];
        share.stack = allocations.stack(live[i]);
        share.bytes += allocations.bytes(live[i]);
        ++share.count;
    }
    for (const auto& [stack, share] : stacks)
        origin->stacks.push_back(share);
    if (origin)
        std::ranges::stable_sort(origin->stacks, std::ranges::greater(), &MomentDiff::Origin::Share::bytes);
    return origin;
}

} // namespace

std::optional<MomentDiff::Origin> MomentDiff::beforeOrigin(std::uint32_t row) const
{
    return originOf(comparison->before.analysis->allocations, beforeLive, diff.before.rowOf, row);
}

std::optional<MomentDiff::Origin> MomentDiff::afterOrigin(std::uint32_t row) const
{
    return originOf(comparison->after.analysis->allocations, afterLive, diff.after.rowOf, row);
}

BandView::Highlight MomentDiff::beforeMembers(const std::vector<bool>& rows) const
{
    return membersOf(beforeLive, diff.before.rowOf, rows, comparison->before.analysis->allocations.size());
}

BandView::Highlight MomentDiff::afterMembers(const std::vector<bool>& rows) const
{
    return membersOf(afterLive, diff.after.rowOf, rows, comparison->after.analysis->allocations.size());
}

ComparedMoments peaksOf(const Comparison& comparison)
{
    return {ComparedMoments::Kind::Peaks, comparison.before.peak().event, comparison.after.peak().event, 0};
}

std::shared_ptr<const MomentDiff> diffOf(
    const std::shared_ptr<const Comparison>& comparison, const ComparedMoments& moments, GroupKey group)
{
    auto result = std::make_shared<MomentDiff>();
    result->comparison = comparison;
    result->moments = moments;
    result->group = group;
    const RunComparison& runs = comparison->runs;
    DiffFindings found = runs.diffAt(moments.beforeEvent, moments.afterEvent, group);
    result->diff = std::move(found.diff);
    result->causes = std::move(found.causes);
    result->verdict = std::move(found.verdict);
    result->names = runs.sideNames(moments.beforeEvent, moments.afterEvent);
    result->beforeLive = runs.before().allocations.liveAt(moments.beforeEvent);
    result->afterLive = runs.after().allocations.liveAt(moments.afterEvent);
    return result;
}

ComparisonState::ComparisonState(QObject* parent)
    : QObject(parent)
{
}

void ComparisonState::setRuns(const RunChoice& before, const RunChoice& after)
{
    m_before = before;
    m_after = after;
    m_wantedMoments.reset();
    m_runsTask.run([this, before, after]() -> LatestTask::Delivery {
        const Result<std::shared_ptr<const Comparison>> compared = compareRuns(before, after);
        if (!compared)
            return [this, sentence = toQString(compared.error().message)] { emit failed(sentence); };
        return [this, comparison = *compared] { accept(comparison); };
    });
}

void ComparisonState::swap()
{
    if (!m_before.document || !m_after.document)
        return;
    const std::optional<ComparedMoments> given = m_runsTask.isBusy() ? m_wantedMoments : m_givenMoments;
    setRuns(RunChoice(m_after), RunChoice(m_before));
    if (given)
        compareEvents(given->afterEvent, given->beforeEvent);
}

void ComparisonState::clear()
{
    m_runsTask.drop();
    m_diffTask.drop();
    m_before = m_after = {};
    m_wantedMoments.reset();
    m_comparison.reset();
    m_alignment.reset();
    m_diff.reset();
    m_selectedRows.clear();
    emit runsChanged();
}

void ComparisonState::accept(std::shared_ptr<const Comparison> comparison)
{
    m_comparison = std::move(comparison);
    m_diff.reset();
    m_selectedRows.clear();
    m_givenMoments = std::exchange(m_wantedMoments, std::nullopt);
    m_moments = m_givenMoments.value_or(peaksOf(*m_comparison));
    alignRuns();
    emit runsChanged();
    emit momentsChanged();
    startDiff();
}

/// Two steps of one run are aligned at their starts, everything else by the chosen axis.
void ComparisonState::alignRuns()
{
    m_alignment = m_givenMoments && m_comparison->runs.isOfOneDevice()
        ? std::make_shared<const RunAlignment>(
            m_comparison->runs.alignStepsOf(m_givenMoments->beforeEvent, m_givenMoments->afterEvent))
        : m_comparison->align(m_axis);
}

void ComparisonState::setAxis(RunAxis axis)
{
    if (!m_comparison || m_alignment->twoStepsEnd || std::ranges::count(m_comparison->axes, axis) == 0
        || m_alignment->axis == axis)
        return;
    m_axis = axis;
    m_alignment = m_comparison->align(axis);
    emit axisChanged();
}

void ComparisonState::comparePeaks()
{
    if (m_comparison)
        setMoments(peaksOf(*m_comparison));
}

void ComparisonState::comparePlace(std::int64_t beforeEvent, std::int64_t afterEvent)
{
    if (!m_comparison)
        return;
    const auto inside = [](std::int64_t event, const ComparedRun& run) {
        return std::clamp<std::int64_t>(event, -1, run.analysis->allocations.eventCount() - 1);
    };
    setMoments({ComparedMoments::Kind::Place, inside(beforeEvent, m_comparison->before),
        inside(afterEvent, m_comparison->after), 0});
}

bool ComparisonState::canCompareStep(std::size_t pair) const
{
    if (!m_comparison || pair >= m_comparison->runs.steps().pairs.size())
        return false;
    const StepPair& steps = m_comparison->runs.steps().pairs[pair];
    return steps.before && steps.after;
}

void ComparisonState::compareStep(std::size_t pair)
{
    if (!canCompareStep(pair))
        return;
    const StepPair& steps = m_comparison->runs.steps().pairs[pair];
    setMoments(
        {ComparedMoments::Kind::Step, m_comparison->before.analysis->steps.steps[*steps.before].peakEvent,
            m_comparison->after.analysis->steps.steps[*steps.after].peakEvent, pair});
}

void ComparisonState::compareEvents(std::int64_t beforeEvent, std::int64_t afterEvent)
{
    const ComparedMoments moments{ComparedMoments::Kind::Given, beforeEvent, afterEvent, 0};
    if (m_runsTask.isBusy() || !m_comparison) {
        m_wantedMoments = moments;
        return;
    }
    m_givenMoments = moments;
    if (m_comparison->runs.isOfOneDevice()) {
        alignRuns();
        emit axisChanged();
    }
    setMoments(moments);
}

void ComparisonState::compareGivenEvents()
{
    if (m_comparison && m_givenMoments)
        setMoments(*m_givenMoments);
}

void ComparisonState::setMoments(const ComparedMoments& moments)
{
    if (std::exchange(m_moments, moments) == moments)
        return;
    emit momentsChanged();
    startDiff();
}

void ComparisonState::setGroup(GroupKey group)
{
    if (std::exchange(m_group, group) != group)
        startDiff();
}

void ComparisonState::startDiff()
{
    if (!m_comparison)
        return;
    m_diffTask.run(
        [this, comparison = m_comparison, moments = m_moments, group = m_group]() -> LatestTask::Delivery {
            auto diff = diffOf(comparison, moments, group);
            return [this, diff = std::move(diff)] {
                if (diff->comparison != m_comparison)
                    return;
                m_diff = diff;
                m_selectedRows.clear();
                emit diffChanged();
                emit selectedRowsChanged();
                if (!isBusy())
                    emit idle();
            };
        });
}

void ComparisonState::selectRows(std::vector<std::uint32_t> rows)
{
    if (std::exchange(m_selectedRows, std::move(rows)) != m_selectedRows)
        emit selectedRowsChanged();
}

} // namespace highwater::gui
