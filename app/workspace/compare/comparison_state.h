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

/// The compared moments of the two runs.
struct ComparedMoments
{
    enum class Kind
    {
        Peaks, ///< peak of each run
        Place, ///< one place on the common axis, or one place for each run
        Step, ///< peaks of a pair of steps
        Given, ///< an event of each run as given to `compareEvents`, such as the peaks of two steps of one
               ///< run
    };
    Kind kind = Kind::Peaks;
    std::int64_t beforeEvent = -1;
    std::int64_t afterEvent = -1;
    std::size_t pair = 0; ///< index in AlignedSteps::pairs, for Kind::Step

    bool operator==(const ComparedMoments&) const = default;
};

/// The difference between two moments, with its inputs.
struct MomentDiff
{
    std::shared_ptr<const Comparison> comparison;
    ComparedMoments moments;
    GroupKey group = GroupKey::Site;
    std::vector<AllocationIndex> beforeLive; ///< parallel to RunDiff::before.rowOf
    std::vector<AllocationIndex> afterLive;
    RunDiff diff;
    SizeCauses causes; ///< causes of the size changes of the rows
    DiffVerdict verdict;
    SideNames names; ///< of the two sides in captions

    /// The origin of a row's allocations in one run.
    struct Origin
    {
        std::int64_t birth = 0; ///< event that makes the first of them; 0 if it is older than the trace
        /// Allocations with one stack.
        struct Share
        {
            StackId stack;
            Bytes bytes = 0;
            std::int64_t count = 0;
        };
        std::vector<Share> stacks; ///< in descending order of bytes
    };
    /// Return the origin of a row in one run; nullopt if the run does not have the row. O(live).
    std::optional<Origin> beforeOrigin(std::uint32_t row) const;
    std::optional<Origin> afterOrigin(std::uint32_t row) const;
    /// Return the allocations of one run that belong to the rows flagged in `rows`, which has a flag for each
    /// row of `diff`; null if there are none.
    BandView::Highlight beforeMembers(const std::vector<bool>& rows) const;
    BandView::Highlight afterMembers(const std::vector<bool>& rows) const;
};

/// The comparison on screen: the two runs, their common axis, the compared moments, the kind of rows, and the
/// selected rows. Everything is computed off the GUI thread. The previous runs stay until the new ones are
/// aligned; a difference stays until the next one of the same runs is ready.
class ComparisonState : public QObject
{
    Q_OBJECT

public:
    explicit ComparisonState(QObject* parent = nullptr);

    /// Compares these runs at their peaks. The present comparison stays if they cannot be compared.
    void setRuns(const RunChoice& before, const RunChoice& after);
    /// Compares the peaks again with the runs swapped, or the events of `compareEvents`. Does nothing without
    /// runs.
    void swap();
    /// Ends the comparison.
    void clear();

    /// Return the latest requested runs; their document is null before the first and after `clear`.
    const RunChoice& before() const { return m_before; }
    const RunChoice& after() const { return m_after; }
    /// Null until the first comparison is ready, and after `clear`.
    const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    const std::shared_ptr<const RunAlignment>& alignment() const { return m_alignment; }
    /// Ignored if the runs do not have this axis, and while two steps of one run are compared.
    void setAxis(RunAxis axis);

    /// Compares the peaks of the runs. This and the other comparisons below are ignored without a comparison,
    /// unless they say otherwise.
    void comparePeaks();
    /// Compares the runs after these events, such as those at one place of the common axis. Events outside a
    /// run are moved to its ends.
    void comparePlace(std::int64_t beforeEvent, std::int64_t afterEvent);
    /// Ignored if one of the runs has no step in this pair.
    void compareStep(std::size_t pair);
    /// Compares an event of each run, now or once the runs of the latest `setRuns` are compared. In one run,
    /// the axis then has only the two steps of the events.
    void compareEvents(std::int64_t beforeEvent, std::int64_t afterEvent);
    /// Compares the events of the latest `compareEvents` on these runs again, if there are any.
    void compareGivenEvents();
    const ComparedMoments& moments() const { return m_moments; }
    /// Returns how captions call the sides. There must be a comparison.
    SideNames sideNames() const
    {
        return m_comparison->runs.sideNames(m_moments.beforeEvent, m_moments.afterEvent);
    }
    /// True if both runs have a step in this pair.
    bool canCompareStep(std::size_t pair) const;

    void setGroup(GroupKey group);
    GroupKey group() const { return m_group; }
    /// Returns the latest complete difference of the present runs, perhaps of earlier moments or another
    /// group; null until the first one of these runs is ready.
    const std::shared_ptr<const MomentDiff>& diff() const { return m_diff; }

    /// Selects rows of `diff()`, until it is replaced.
    void selectRows(std::vector<std::uint32_t> rows);
    const std::vector<std::uint32_t>& selectedRows() const { return m_selectedRows; }

    bool isBusy() const { return m_runsTask.isBusy() || m_diffTask.isBusy(); }

signals:
    /// The runs and their alignment were replaced or cleared; there is no difference yet.
    void runsChanged();
    void axisChanged();
    void momentsChanged();
    void diffChanged();
    void selectedRowsChanged();
    /// The runs cannot be compared; `sentence` explains why.
    void failed(const QString& sentence);
    /// A difference is ready, and nothing else is being computed.
    void idle();

private:
    void accept(std::shared_ptr<const Comparison> comparison);
    void setMoments(const ComparedMoments& moments);
    void alignRuns();
    void startDiff();

    RunChoice m_before;
    RunChoice m_after;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const RunAlignment> m_alignment;
    RunAxis m_axis = RunAxis::Step;
    ComparedMoments m_moments;
    GroupKey m_group = GroupKey::Site;
    std::optional<ComparedMoments> m_wantedMoments; ///< for the runs being compared
    std::optional<ComparedMoments> m_givenMoments; ///< of the latest `compareEvents` on these runs
    std::shared_ptr<const MomentDiff> m_diff;
    std::vector<std::uint32_t> m_selectedRows;
    LatestTask m_runsTask;
    LatestTask m_diffTask;
};

/// Returns the peaks of both runs.
ComparedMoments peaksOf(const Comparison& comparison);
/// Computes the difference between two moments. O(allocations), plus the cost of `diffRuns`.
std::shared_ptr<const MomentDiff> diffOf(
    const std::shared_ptr<const Comparison>& comparison, const ComparedMoments& moments, GroupKey group);

} // namespace highwater::gui
