#include "app/window/pages/compare_page.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>

#include "app/timeline/parts/veil.h"
#include "app/views/compare/compare_header.h"
#include "app/views/compare/compare_pictures.h"
#include "app/views/compare/diff_table.h"
#include "app/views/compare/row_stack.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/tool_bar.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/device/cut_off.h"

namespace highwater::gui {

namespace {

/// Returns the gauge of a run at a compared moment, which the totals next to it name. At the peak, it has the
/// most that the run reserved, which may be at another moment.
GaugeFigures comparedGauge(const ComparedRun& run, std::int64_t event)
{
    const DeviceStudy& study = run.analysis->study;
    const KeyMoment peak = peakMoment(study);
    const bool isAtPeak = event == peak.event;
    GaugeFigures figures = gaugeFigures(
        *run.document, *run.analysis, run.analysis->capacity, isAtPeak ? peak : momentAfter(study, event));
    figures.moment.clear();
    if (isAtPeak && figures.reserved > 0) {
        figures.reserved = run.analysis->figures.reservedPeakBytes;
        const bool isExact = figureCertainty(run.analysis->info()).reservedPeak == Certainty::Exactly;
        figures.reservedText
            = (isExact ? ComparePage::tr("%1 peak reserved") : ComparePage::tr("≥ %1 peak reserved"))
                  .arg(bytesText(figures.reserved));
    }
    return figures;
}

} // namespace

ComparePage::ComparePage(QWidget* parent)
    : Page(parent)
    , m_header(new CompareHeader(this))
    , m_timelines(new LinkedTimelines(m_state, this))
    , m_pictures(new ComparePictures(m_state, m_timelines->range(), this))
    , m_rows(new DiffTable(m_state, this))
    , m_headerVeil(new Veil(*m_header))
    , m_rowsVeil(new Veil(*m_rows))
    , m_facts(new QLabel(this))
    , m_rowStack(new RowStack(this))
    , m_bar(new ToolBar(tr("Compare"), this))
    , m_across(new QSplitter(Qt::Horizontal, this))
    , m_down(new QSplitter(Qt::Vertical, this))
    , m_group(new QComboBox(this))
    , m_waiting(new QLabel(this))
{
    setObjectName(QStringLiteral("comparePage"));
    makeActions();
    layOut();
    connectParts();
    connectNotes();
}

void ComparePage::connectParts()
{
    connect(m_swap, &QAction::triggered, &m_state, &ComparisonState::swap);
    connect(m_axes, &QActionGroup::triggered, this,
        [this](const QAction* action) { m_state.setAxis(static_cast<RunAxis>(action->data().toInt())); });
    connect(m_peaks, &QAction::triggered, this, &ComparePage::goToPeak);
    connect(m_cursor, &QAction::triggered, this, &ComparePage::compareAtCursor);
    connect(m_step, &QAction::triggered, this, &ComparePage::compareSteps);
    connect(m_sameScale, &QAction::triggered, m_timelines, &LinkedTimelines::setSameScale);
    connect(m_close, &QAction::triggered, this, &ComparePage::closeRequested);
    connect(m_group, &QComboBox::activated, this,
        [this] { m_state.setGroup(static_cast<GroupKey>(m_group->currentData().toInt())); });
    connect(&m_state, &ComparisonState::runsChanged, this, &ComparePage::takeRuns);
    connect(&m_state, &ComparisonState::axisChanged, this, &ComparePage::followAxis);
    connect(&m_state, &ComparisonState::momentsChanged, this, [this] {
        m_headerVeil->setStale(true);
        m_rowsVeil->setStale(true);
        followMoments();
    });
    connect(&m_state, &ComparisonState::diffChanged, this, &ComparePage::takeDiff);
    connect(&m_state, &ComparisonState::selectedRowsChanged, this, &ComparePage::showFacts);
    connect(m_rows, &DiffTable::rowOpened, this, &ComparePage::goToBirth);
    connect(&m_state, &ComparisonState::idle, this, &ComparePage::reportIfSettled);
    connect(m_timelines, &LinkedTimelines::settled, this, &ComparePage::reportIfSettled);
    connect(m_timelines, &LinkedTimelines::cursorMoved, this, &ComparePage::statusChanged);
    connect(m_timelines, &LinkedTimelines::allocationPinned, this, &ComparePage::choosePinned);
    connect(m_timelines, &LinkedTimelines::clickedAt, this, [this](double place) {
        if (m_state.moments().kind == ComparedMoments::Kind::Place)
            comparePlace(place);
    });
    connect(m_timelines, &LinkedTimelines::momentChosen, this, [this](int side, double place) {
        const std::int64_t event = m_timelines->plot(static_cast<LinkedTimelines::Side>(side)).eventAt(place);
        const ComparedMoments& now = m_state.moments();
        side == LinkedTimelines::Before ? m_state.comparePlace(event, now.afterEvent)
                                        : m_state.comparePlace(now.beforeEvent, event);
    });
    connect(&m_timelines->plot(LinkedTimelines::After), &TimelinePlot::plotEdgesChanged, m_pictures,
        &ComparePictures::setPlotEdges);
    connect(m_pictures, &ComparePictures::settled, this, &ComparePage::reportIfSettled);
    connect(m_pictures, &ComparePictures::stepChosen, this,
        [this](quint64 pair) { m_timelines->showStep(static_cast<std::size_t>(pair)); });
}

void ComparePage::compare(const RunChoice& before, const RunChoice& after)
{
    m_waiting->setText(
        tr("Comparing %1 with %2…")
            .arg(toQString(before.document->fileName()), toQString(after.document->fileName())));
    m_state.setRuns(before, after);
    emit changed();
}

PageOffers ComparePage::offers() const
{
    return {.view = true, .another = true, .swap = true, .close = true, .toolBar = false};
}

void ComparePage::takeFocus()
{
    m_timelines->plot(m_timelines->lastSide()).setFocus();
}

void ComparePage::takeRuns()
{
    emit changed();
    showWaiting();
    if (!m_state.comparison())
        return;
    const std::size_t pairs = m_state.comparison()->runs.steps().pairs.size();
    bool hasStepPair = false;
    for (std::size_t pair = 0; pair < pairs && !hasStepPair; ++pair)
        hasStepPair = m_state.canCompareStep(pair);
    m_step->setVisible(isOfTwoSteps() || (hasStepPair && pairs > 1));
    followAxis();
    followMoments();
}

bool ComparePage::isOfTwoSteps() const
{
    return m_state.alignment() && m_state.alignment()->twoStepsEnd;
}

/// Until there are runs to draw, says that they are being compared.
void ComparePage::showWaiting()
{
    const bool waits = m_state.comparison() == nullptr;
    m_waiting->setVisible(waits);
    m_header->setVisible(!waits);
    m_across->setVisible(!waits);
}

void ComparePage::followAxis()
{
    m_previousView.reset(); // its places are those of another axis
    const std::vector<RunAxis>& axes = m_state.comparison()->axes;
    for (QAction* action : m_axes->actions()) {
        const auto axis = static_cast<RunAxis>(action->data().toInt());
        const bool isChosen = axis == m_state.alignment()->axis;
        action->setVisible(isOfTwoSteps() ? isChosen : std::ranges::count(axes, axis) > 0);
        action->setChecked(isChosen);
    }
    m_peaks->setVisible(!isOfTwoSteps()); // the peak of a run is the same as itself
    shareHeight();
    emit statusChanged();
}

void ComparePage::followMoments()
{
    const ComparedMoments& moments = m_state.moments();
    m_peaks->setChecked(moments.kind == ComparedMoments::Kind::Peaks);
    m_cursor->setChecked(moments.kind == ComparedMoments::Kind::Place);
    m_step->setChecked(
        moments.kind == ComparedMoments::Kind::Step || moments.kind == ComparedMoments::Kind::Given);
    m_step->setText(tr("Steps"));
    if (const UnequalPeaks* unequal = unequalPeaks())
        m_step->setText(
            QStringLiteral("%1 ↔ %2").arg(toQString(unequal->beforeName), toQString(unequal->afterName)));
    if (moments.kind == ComparedMoments::Kind::Given && m_state.comparison()) {
        const SideNames names = m_state.sideNames();
        m_step->setText(QStringLiteral("%1 ↔ %2").arg(toQString(names.before), toQString(names.after)));
    }
    if (moments.kind == ComparedMoments::Kind::Step && m_state.comparison()) {
        const Comparison& comparison = *m_state.comparison();
        const StepPair& pair = comparison.runs.steps().pairs[moments.pair];
        m_step->setText(QStringLiteral("%1 ↔ %2").arg(
            toQString(comparison.before.analysis->steps.steps[*pair.before].name),
            toQString(comparison.after.analysis->steps.steps[*pair.after].name)));
    }
    emit statusChanged();
}

void ComparePage::takeDiff()
{
    m_headerVeil->setStale(false);
    m_rowsVeil->setStale(false);
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    m_header->show(diff.get());
    if (diff && !diff->comparison->runs.isOfOneDevice())
        m_header->showGauges(comparedGauge(diff->comparison->before, diff->moments.beforeEvent),
            comparedGauge(diff->comparison->after, diff->moments.afterEvent));
    chooseWantedRow();
    showFacts();
    emit statusChanged();
}

void ComparePage::goToPeak()
{
    goBack();
    m_state.comparePeaks();
    followMoments();
    if (m_state.comparison())
        m_timelines->showMoments();
}

/// Compares at the last position of the mouse, or at the middle of the view if that position is not in view.
void ComparePage::compareAtCursor()
{
    if (!m_state.comparison())
        return;
    const AxisWindow& x = m_timelines->range().x();
    const double last = m_timelines->lastPlace().value_or((x.begin + x.end) / 2);
    comparePlace(last >= x.begin && last <= x.end ? last : (x.begin + x.end) / 2);
    followMoments();
}

/// Compares the events that the timelines name at this place, so that all figures on screen agree.
void ComparePage::comparePlace(double place)
{
    m_state.comparePlace(m_timelines->plot(LinkedTimelines::Before).eventAt(place),
        m_timelines->plot(LinkedTimelines::After).eventAt(place));
}

/// Compares the steps that were chosen in one run, the last that both runs completed if the peaks are of
/// unequal steps, else the steps in view.
void ComparePage::compareSteps()
{
    if (isOfTwoSteps())
        m_state.compareGivenEvents();
    else if (const UnequalPeaks* unequal = unequalPeaks())
        compareStep(unequal->pair);
    else
        goToNeighbourStep(0);
    followMoments();
}

/// Remembers the view for `goBack`, unless it is already one to go back from.
void ComparePage::rememberView()
{
    if (!m_previousView)
        m_previousView = m_timelines->range().x();
}

void ComparePage::compareStep(std::size_t pair)
{
    rememberView();
    m_state.compareStep(pair);
    m_timelines->showStep(pair);
}

const UnequalPeaks* ComparePage::unequalPeaks() const
{
    if (!m_state.comparison() || m_state.moments().kind == ComparedMoments::Kind::Step)
        return nullptr;
    const std::optional<UnequalPeaks>& unequal = m_state.comparison()->runs.unequalPeaks();
    return unequal ? &*unequal : nullptr;
}

void ComparePage::goToNeighbourStep(int by)
{
    if (!m_state.comparison() || isOfTwoSteps()) // a step of a run is the same as itself
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_state.comparison()->runs.steps().pairs.size());
    const bool isAtStep = m_state.moments().kind == ComparedMoments::Kind::Step;
    std::ptrdiff_t pair = isAtStep ? static_cast<std::ptrdiff_t>(m_state.moments().pair) + by : 0;
    const int direction = by < 0 ? -1 : 1;
    while (pair >= 0 && pair < count && !m_state.canCompareStep(static_cast<std::size_t>(pair)))
        pair += direction;
    if (pair >= 0 && pair < count)
        compareStep(static_cast<std::size_t>(pair));
    followMoments();
}

void ComparePage::release()
{
    const bool hadPin = m_timelines->releasePins();
    const bool isAtBirth = canGoBack() && m_state.moments().kind != ComparedMoments::Kind::Step;
    if (hadPin || !m_state.selectedRows().empty()) {
        m_state.selectRows({});
        if (!isAtBirth) // else the view belongs to the selected row
            return;
    } else if (m_timelines->releaseRanges()) {
        return;
    }
    if (!isAtBirth && m_state.comparison() && m_state.comparison()->runs.isOfOneDevice()) {
        emit closeRequested(); // the peaks of a run and itself are the same
        return;
    }
    m_timelines->releaseCursors();
    if (canGoBack())
        goBack();
    else if (m_state.moments().kind != ComparedMoments::Kind::Peaks)
        goToPeak();
}

void ComparePage::goBack()
{
    if (const std::optional<AxisWindow> view = std::exchange(m_previousView, std::nullopt)) {
        if (m_state.moments().kind == ComparedMoments::Kind::Step)
            m_state.comparePeaks();
        m_timelines->returnTo(*view);
        followMoments();
    }
}

/// Selects the row of a clicked allocation if it is live at the compared moment.
void ComparePage::choosePinned(int side, AllocationIndex allocation)
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    if (!diff)
        return;
    const bool isBefore = side == LinkedTimelines::Before;
    const std::vector<AllocationIndex>& live = isBefore ? diff->beforeLive : diff->afterLive;
    const std::vector<std::uint32_t>& rowOf = isBefore ? diff->diff.before.rowOf : diff->diff.after.rowOf;
    const auto found = std::find(live.begin(), live.end(), allocation);
    if (found == live.end())
        m_state.selectRows({});
    else
        m_state.selectRows({rowOf[static_cast<std::size_t>(found - live.begin())]});
}

void ComparePage::reportIfSettled()
{
    if (isSettled())
        emit settled();
}

bool ComparePage::isSettled() const
{
    return m_state.diff() && !m_state.isBusy() && m_timelines->isSettled() && m_pictures->isSettled();
}

QString ComparePage::statusText() const
{
    const std::shared_ptr<const Comparison>& comparison = m_state.comparison();
    if (!comparison)
        return tr("Comparing…");
    const auto events
        = [](const ComparedRun& run) { return countText(run.analysis->allocations.eventCount()); };
    const QString pairing = m_state.alignment()->marks.size() > 1
        ? tr(" · steps %1").arg(toQString(inWords(comparison->runs.steps().alignment)))
        : QString();
    return tr("%1 ↔ %2 events · %3 bytes%4")
        .arg(events(comparison->before), events(comparison->after),
            toQString(inWords(comparison->after.analysis->quantity())), pairing);
}

void ComparePage::setColors(const ThemeColors& colors)
{
    m_header->setColors(colors);
    m_timelines->setColors(colors);
    m_pictures->setColors(colors);
    m_rows->setColors(colors);
    m_rowStack->setColors(colors);
}

} // namespace highwater::gui
