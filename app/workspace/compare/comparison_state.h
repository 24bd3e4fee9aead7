#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "app/workspace/compare/comparison.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/band_view.h"
#include "core/analysis/diff/diff_findings.h"

namespace highwater::gui {

/// The moments of the two runs that are compared.
struct ComparedMoments
{
    enum class Kind
    {
        Peaks, ///< each run's highest moment
        Place, ///< one place of the common axis, or one for each run
        Step, ///< the highest moments of a pair of steps
    };
    Kind kind = Kind::Peaks;
    std::int64_t beforeEvent = -1;
    std::int64_t afterEvent = -1;
    std::size_t pair = 0; ///< of Step: in AlignedSteps::pairs

    bool operator==(const ComparedMoments&) const = default;
};

/// What changed between two moments, and what it was worked out from.
struct MomentDiff
{
    std::shared_ptr<const Comparison> comparison;
    ComparedMoments moments;
    GroupKey group = GroupKey::Site;
    std::vector<AllocationIndex> beforeLive; ///< parallel to RunDiff::before.rowOf
    std::vector<AllocationIndex> afterLive;
    RunDiff diff;
    SizeCauses causes; ///< of its rows
    DiffVerdict verdict;

    /// By allocation of one run, those of the rows; null where it has none of them.
    BandView::Highlight beforeMembers(const std::vector<bool>& rows) const;
    BandView::Highlight afterMembers(const std::vector<bool>& rows) const;
};

/// The comparison on screen: the two runs, their common axis, the moments that are compared, the kind of
/// rows, and which of them are selected. Everything is computed off the GUI thread; the previous result stays
/// visible until the new one is ready.
class ComparisonState : public QObject
{
    Q_OBJECT

public:
    explicit ComparisonState(QObject* parent = nullptr);

    void setRuns(const RunChoice& before, const RunChoice& after);
    /// What was before is after.
    void swap();
    /// Ends the comparison.
    void clear();

    /// What was asked for last; without a document: nothing.
    const RunChoice& before() const { return m_before; }
    const RunChoice& after() const { return m_after; }
    /// Null until the first is there.
    const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    const std::shared_ptr<const RunAlignment>& alignment() const { return m_alignment; }
    /// Ignored where the runs do not have it.
    void setAxis(RunAxis axis);

    void comparePeaks();
    void compareAt(double place);
    /// The moment of one run alone; the other stays.
    void compareBeforeAt(double place);
    void compareAfterAt(double place);
    /// Ignored where a side of the pair has no step.
    void compareStep(std::size_t pair);
    const ComparedMoments& moments() const { return m_moments; }
    /// Whether both runs have a step of this pair.
    bool canCompareStep(std::size_t pair) const;

    void setGroup(GroupKey group);
    GroupKey group() const { return m_group; }
    /// Null until it is there; of the last moments and group that were complete.
    const std::shared_ptr<const MomentDiff>& diff() const { return m_diff; }

    /// Rows of `diff()`.
    void choose(std::vector<std::uint32_t> rows);
    const std::vector<std::uint32_t>& chosen() const { return m_chosen; }

    bool isBusy() const { return m_runsTask.isBusy() || m_diffTask.isBusy(); }

signals:
    /// Two other runs, or none.
    void runsChanged();
    void axisChanged();
    void momentsChanged();
    void diffChanged();
    void chosenChanged();
    /// They cannot be compared, and why.
    void failed(const QString& sentence);
    /// `isBusy` may have become false.
    void idle();

private:
    void accept(std::shared_ptr<const Comparison> comparison);
    void setMoments(const ComparedMoments& moments);
    void workOut();

    RunChoice m_before;
    RunChoice m_after;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const RunAlignment> m_alignment;
    RunAxis m_axis = RunAxis::Step;
    ComparedMoments m_moments;
    GroupKey m_group = GroupKey::Site;
    std::shared_ptr<const MomentDiff> m_diff;
    std::vector<std::uint32_t> m_chosen;
    LatestTask m_runsTask;
    LatestTask m_diffTask;
};

/// The peaks of both.
ComparedMoments peaksOf(const Comparison& comparison);
/// Works out what changed. O(live + stacks), see `diffRuns`.
std::shared_ptr<const MomentDiff> diffOf(
    const std::shared_ptr<const Comparison>& comparison, const ComparedMoments& moments, GroupKey group);

} // namespace highwater::gui
