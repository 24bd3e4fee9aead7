#include "app/window/pages/compare_page.h"

#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QSplitter>

#include "app/views/compare/compare_header.h"
#include "app/views/compare/compare_pictures.h"
#include "app/views/compare/diff_table.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/scrolling.h"
#include "app/views/parts/tool_bar.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr std::array kAxes{RunAxis::Step, RunAxis::EqualStep, RunAxis::Phase, RunAxis::Time, RunAxis::Event};
constexpr std::array kGroups{GroupKey::Site, GroupKey::Stack, GroupKey::Function, GroupKey::File,
    GroupKey::Module, GroupKey::Category, GroupKey::Size};

QString axisTitle(RunAxis axis)
{
    switch (axis) {
    case RunAxis::Step: return ComparePage::tr("Steps");
    case RunAxis::EqualStep: return ComparePage::tr("Equal steps");
    case RunAxis::Phase: return ComparePage::tr("Phases");
    case RunAxis::Time: return ComparePage::tr("Time");
    case RunAxis::Event: return ComparePage::tr("Events");
    }
    return {};
}

QString axisTip(RunAxis axis)
{
    switch (axis) {
    case RunAxis::Step: return ComparePage::tr("Paired steps start at the same place");
    case RunAxis::EqualStep:
        return ComparePage::tr("Paired steps, all equally wide, so that a short failed step is visible");
    case RunAxis::Phase:
        return ComparePage::tr(
            "Paired phases also start at the same place, if both runs have the same phases");
    case RunAxis::Time: return ComparePage::tr("Time since the first event of each run");
    case RunAxis::Event: return ComparePage::tr("Events by number, from the first");
    }
    return {};
}

} // namespace

ComparePage::ComparePage(QWidget* parent)
    : Page(parent)
    , m_header(new CompareHeader(this))
    , m_timelines(new LinkedTimelines(m_state, this))
    , m_pictures(new ComparePictures(m_state, m_timelines->range(), this))
    , m_rows(new DiffTable(m_state, this))
    , m_facts(new QLabel(this))
    , m_across(new QSplitter(Qt::Horizontal, this))
    , m_down(new QSplitter(Qt::Vertical, this))
    , m_group(new QComboBox(this))
{
    setObjectName(QStringLiteral("comparePage"));
    makeActions();
    layOut();
    connectParts();
    connectNotes();
}

void ComparePage::makeActions()
{
    const auto make = [this](const QString& text, const QString& tip, bool checkable) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        action->setCheckable(checkable);
        addAction(action);
        return action;
    };
    m_swap = make(tr("S&wap"), tr("Swap before and after (X)"), false);
    m_swap->setShortcut(Qt::Key_X);
    m_swap->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_axes = new QActionGroup(this);
    for (const RunAxis axis : kAxes) {
        QAction* action = make(axisTitle(axis), tr("Align the runs: %1").arg(axisTip(axis)), true);
        action->setData(static_cast<int>(axis));
        m_axes->addAction(action);
    }
    auto* moments = new QActionGroup(this);
    m_peaks = make(tr("Peak ↔ peak"), tr("Compare the peaks of both runs (P)"), true);
    m_cursor = make(tr("At the cursor"),
        tr("Compare both runs at one place of the axis (C). Click in a timeline to move it; Ctrl+click moves "
           "it for that run only"),
        true);
    m_cursor->setShortcut(Qt::Key_C);
    m_cursor->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_step = make(tr("Step ↔ step"), tr("Compare the peaks of two steps; [ and ] select other steps"), true);
    for (QAction* action : {m_peaks, m_cursor, m_step})
        moments->addAction(action);
    m_sameScale = make(tr("Same scale"), tr("Same bytes per pixel in both timelines"), true);
    m_sameScale->setChecked(true);
    m_close = make(tr("Close the comparison"), tr("Return to the single run"), false);
}

QWidget* ComparePage::makeToolBar()
{
    auto* bar = new ToolBar(tr("Compare"), this);
    bar->setObjectName(QStringLiteral("compareToolBar"));
    for (const GroupKey key : kGroups)
        m_group->addItem(tr("By %1").arg(nounForRow(key)), static_cast<int>(key));
    named(m_group, "diffGroup", tr("Group rows by"), tr("Group rows by"));
    m_group->setMinimumHeight(fontMetrics().height() + 12);
    bar->addAction(m_swap);
    bar->addSeparator();
    bar->addActions(m_axes->actions());
    bar->addSeparator();
    bar->addActions({m_peaks, m_cursor, m_step});
    bar->addSeparator();
    bar->addWidget(m_group);
    bar->addSeparator();
    bar->addAction(m_sameScale);
    auto* room = new QWidget(bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(room);
    bar->addAction(m_close);
    return bar;
}

void ComparePage::layOut()
{
    m_facts->setObjectName(QStringLiteral("diffFacts"));
    makeSelectable(*m_facts, Qt::RichText, {10, 6, 10, 6});
    m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* scroll = makeScrollArea(m_facts, this, tr("Facts of the comparison"));
    auto* right = fillSplitter(new QSplitter(Qt::Vertical, this), {{m_rows, 1}, scroll}, {500, 160});
    right->setChildrenCollapsible(false);

    m_down->setChildrenCollapsible(false);
    fillSplitter(named(m_down, "compareDown"), {{m_timelines, 1}, m_pictures}, {480, 240});
    m_across->setChildrenCollapsible(false);
    fillSplitter(named(m_across, "compareAcross"), {{m_down, 17}, {right, 8}}, {980, 460});

    layColumn(this, {makeToolBar(), m_header, {m_across, 1}});
}

void ComparePage::connectParts()
{
    connect(m_swap, &QAction::triggered, &m_state, &ComparisonState::swap);
    connect(m_axes, &QActionGroup::triggered, this,
        [this](const QAction* action) { m_state.setAxis(static_cast<RunAxis>(action->data().toInt())); });
    connect(m_peaks, &QAction::triggered, this, &ComparePage::goToPeak);
    connect(m_cursor, &QAction::triggered, this, &ComparePage::compareAtCursor);
    connect(m_step, &QAction::triggered, this, [this] { goToNeighbourStep(0); });
    connect(m_sameScale, &QAction::triggered, m_timelines, &LinkedTimelines::setSameScale);
    connect(m_close, &QAction::triggered, this, &ComparePage::closeRequested);
    connect(m_group, &QComboBox::activated, this,
        [this] { m_state.setGroup(static_cast<GroupKey>(m_group->currentData().toInt())); });
    connect(&m_state, &ComparisonState::runsChanged, this, &ComparePage::takeRuns);
    connect(&m_state, &ComparisonState::axisChanged, this, &ComparePage::followAxis);
    connect(&m_state, &ComparisonState::momentsChanged, this, &ComparePage::followMoments);
    connect(&m_state, &ComparisonState::diffChanged, this, &ComparePage::takeDiff);
    connect(&m_state, &ComparisonState::chosenChanged, this, &ComparePage::showFacts);
    connect(&m_state, &ComparisonState::idle, this, &ComparePage::reportIfSettled);
    connect(m_timelines, &LinkedTimelines::settled, this, &ComparePage::reportIfSettled);
    connect(m_timelines, &LinkedTimelines::cursorMoved, this, &ComparePage::statusChanged);
    connect(m_timelines, &LinkedTimelines::allocationPinned, this, &ComparePage::choosePinned);
    connect(m_timelines, &LinkedTimelines::clickedAt, this, [this](double place) {
        if (m_state.moments().kind == ComparedMoments::Kind::Place)
            m_state.compareAt(place);
    });
    connect(m_timelines, &LinkedTimelines::momentChosen, this, [this](int side, double place) {
        side == LinkedTimelines::Before ? m_state.compareBeforeAt(place) : m_state.compareAfterAt(place);
    });
    connect(m_pictures, &ComparePictures::settled, this, &ComparePage::reportIfSettled);
    connect(m_pictures, &ComparePictures::stepChosen, this,
        [this](quint64 pair) { m_timelines->showStep(static_cast<std::size_t>(pair)); });
}

void ComparePage::compare(const RunChoice& before, const RunChoice& after)
{
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
    if (!m_state.comparison())
        return;
    const std::vector<RunAxis>& axes = m_state.comparison()->axes;
    for (QAction* action : m_axes->actions())
        action->setVisible(std::ranges::count(axes, static_cast<RunAxis>(action->data().toInt())) > 0);
    const std::size_t pairs = m_state.comparison()->runs.steps().pairs.size();
    bool hasStepPair = false;
    for (std::size_t pair = 0; pair < pairs && !hasStepPair; ++pair)
        hasStepPair = m_state.canCompareStep(pair);
    m_step->setVisible(hasStepPair && pairs > 1);
    followAxis();
    followMoments();
}

void ComparePage::followAxis()
{
    for (QAction* action : m_axes->actions())
        action->setChecked(static_cast<RunAxis>(action->data().toInt()) == m_state.alignment()->axis);
    emit statusChanged();
}

void ComparePage::followMoments()
{
    const ComparedMoments& moments = m_state.moments();
    m_peaks->setChecked(moments.kind == ComparedMoments::Kind::Peaks);
    m_cursor->setChecked(moments.kind == ComparedMoments::Kind::Place);
    m_step->setChecked(moments.kind == ComparedMoments::Kind::Step);
    m_step->setText(tr("Step ↔ step"));
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
    m_header->show(m_state.diff().get());
    if (const auto& comparison = m_state.comparison(); comparison && m_state.diff())
        m_header->showGauges(gaugeFigures(*comparison->before.document, *comparison->before.analysis,
                                 comparison->before.analysis->capacity),
            gaugeFigures(*comparison->after.document, *comparison->after.analysis,
                comparison->after.analysis->capacity));
    chooseWantedRow();
    showFacts();
    emit statusChanged();
}

void ComparePage::goToPeak()
{
    m_state.comparePeaks();
    followMoments();
    if (m_state.comparison())
        m_timelines->showMoments();
}

/// Compares at the last position of the mouse, or at the middle of the view.
void ComparePage::compareAtCursor()
{
    if (!m_state.comparison())
        return;
    const AxisWindow& x = m_timelines->range().x();
    const double last = m_timelines->lastMousePlace().value_or((x.begin + x.end) / 2);
    m_state.compareAt(last >= x.begin && last <= x.end ? last : (x.begin + x.end) / 2);
    followMoments();
}

void ComparePage::goToNeighbourStep(int by)
{
    if (!m_state.comparison())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_state.comparison()->runs.steps().pairs.size());
    const bool isAtStep = m_state.moments().kind == ComparedMoments::Kind::Step;
    std::ptrdiff_t pair = isAtStep ? static_cast<std::ptrdiff_t>(m_state.moments().pair) + by : 0;
    const int direction = by < 0 ? -1 : 1;
    while (pair >= 0 && pair < count && !m_state.canCompareStep(static_cast<std::size_t>(pair)))
        pair += direction;
    if (pair >= 0 && pair < count) {
        m_state.compareStep(static_cast<std::size_t>(pair));
        m_timelines->showStep(static_cast<std::size_t>(pair));
    }
    followMoments();
}

void ComparePage::release()
{
    if (!m_state.chosen().empty())
        m_state.choose({});
    else if (m_state.moments().kind != ComparedMoments::Kind::Peaks)
        goToPeak();
    else
        fit();
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
        m_state.choose({});
    else
        m_state.choose({rowOf[static_cast<std::size_t>(found - live.begin())]});
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
        ? tr(" · steps paired by %1").arg(toQString(toText(comparison->runs.steps().alignment)))
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
}

void ComparePage::saveLayout(QSettings& settings) const
{
    settings.setValue(QStringLiteral("compareAcross"), m_across->saveState());
    settings.setValue(QStringLiteral("compareDown"), m_down->saveState());
}

void ComparePage::restoreLayout(const QSettings& settings)
{
    m_across->restoreState(settings.value(QStringLiteral("compareAcross")).toByteArray());
    m_down->restoreState(settings.value(QStringLiteral("compareDown")).toByteArray());
}

} // namespace highwater::gui
