#include "app/views/compare/linked_timelines.h"

#include <algorithm>
#include <utility>

#include <QFontMetrics>
#include <QLabel>

#include "app/timeline/timeline_markers.h"
#include "app/views/charts/legend_extras.h"
#include "app/views/compare/color_key.h"
#include "app/views/compare/step_links.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

constexpr int kLeastPlot = 84;
constexpr int kCaptionMargin = 14;
constexpr int kLeastFileName = 60; ///< width of a file's name in a caption

} // namespace

LinkedTimelines::LinkedTimelines(ComparisonState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_links(new StepLinks(m_runs[Before].range, this))
    , m_legend(new ColorKey(this))
{
    setObjectName(QStringLiteral("linkedTimelines"));
    buildPlot(Before);
    buildPlot(After);
    layColumn(this,
        {m_runs[Before].caption, {m_runs[Before].plot, 1}, m_links, m_runs[After].caption,
            {m_runs[After].plot, 1}, m_legend});
    connectRun(Before);
    connectRun(After);
    connect(m_runs[Before].plot, &TimelinePlot::plotEdgesChanged, m_links, &StepLinks::setEdges);
    connect(&m_state, &ComparisonState::runsChanged, this, &LinkedTimelines::followRuns);
    connect(&m_state, &ComparisonState::axisChanged, this, &LinkedTimelines::followAxis);
    connect(&m_state, &ComparisonState::momentsChanged, this, &LinkedTimelines::markMoments);
    connect(&m_state, &ComparisonState::selectedRowsChanged, this, &LinkedTimelines::showSelectedRows);
}

void LinkedTimelines::buildPlot(Side side)
{
    Run& shown = m_runs[side];
    shown.caption = new QLabel(this);
    shown.caption->setObjectName(
        side == Before ? QStringLiteral("beforeCaption") : QStringLiteral("afterCaption"));
    shown.caption->setContentsMargins(kCaptionMargin, 5, kCaptionMargin, 1);
    shown.caption->setTextFormat(Qt::RichText);
    shown.caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // must not widen the window
    shown.bands.preferMode(BandMode::Site);
    shown.plot = new TimelinePlot(shown.range, shown.selection, shown.bands, this);
    shown.plot->setObjectName(
        side == Before ? QStringLiteral("beforeTimeline") : QStringLiteral("afterTimeline"));
    shown.plot->setAccessibleName(
        side == Before ? tr("Timeline of the earlier run") : tr("Timeline of the later run"));
    shown.plot->setMinimumHeight(kLeastPlot);
}

void LinkedTimelines::connectRun(Side side)
{
    Run& shown = m_runs[side];
    TimelinePlot* const opposite = m_runs[oppositeOf(side)].plot;
    connect(&shown.range, &VisibleRange::changed, this, [this, side] { followLeader(side); });
    connect(shown.plot, &TimelinePlot::settled, this, [this] {
        if (isSettled())
            emit settled();
    });
    connectNotes(side);
    connect(shown.plot, &TimelinePlot::plotEdgesChanged, this, &LinkedTimelines::keepHeadroom);
    connect(shown.plot, &TimelinePlot::zoomedToStep, this, &LinkedTimelines::fitHeight);
    connect(shown.plot, &TimelinePlot::highlightClosed, this, [this] { m_state.selectRows({}); });
    connect(shown.plot, &TimelinePlot::pointedAt, this, [this, opposite, side](std::optional<double> place) {
        if (!place) { // the lines stay where the mouse left them
            m_runs[side].plot->setLinkedKey(m_lastPlace);
            return;
        }
        m_lastPlace = place;
        m_lastSide = side;
        opposite->setLinkedKey(place);
        emit cursorMoved();
    });
    connect(
        shown.plot, &TimelinePlot::clickedAt, this, [this, side](double place, Qt::KeyboardModifiers keys) {
            const Selection& selection = m_runs[side].selection;
            if (keys.testFlag(Qt::ControlModifier)) {
                emit momentChosen(side, place);
                return;
            }
            emit clickedAt(place);
            if (selection.isPinned())
                emit allocationPinned(side, selection.pinned());
        });
}

void LinkedTimelines::connectNotes(Side side)
{
    connect(m_runs[side].plot, &TimelinePlot::noteRequested, this,
        [this, side](const Note& draft) { emit noteRequested(side, draft); });
    connect(m_runs[side].plot, &TimelinePlot::noteClicked, this, &LinkedTimelines::noteClicked);
    connect(m_runs[side].plot, &TimelinePlot::noteMoved, this, &LinkedTimelines::noteMoved);
}

const ComparedRun& LinkedTimelines::run(Side side) const
{
    return side == Before ? m_state.comparison()->before : m_state.comparison()->after;
}

void LinkedTimelines::followRuns()
{
    if (!m_state.comparison())
        return;
    m_lastPlace.reset();
    for (const Side side : {Before, After}) {
        m_runs[side].selection.clear();
        m_runs[side].bands.setAnalysis(run(side).analysis, run(side).palette);
    }
    showLegend();
    followAxis();
}

/// Shows the caption in one line; a file's name without room is cut in its middle.
void LinkedTimelines::showCaption(Side side)
{
    const DeviceAnalysis& analysis = *run(side).analysis;
    const SideNames names = m_state.sideNames();
    const QString title = toQString(side == Before ? names.before : names.after);
    const ComparedMoments& moments = m_state.moments();
    const std::vector<Step>& steps = analysis.steps.steps;
    const std::int64_t event = side == Before ? moments.beforeEvent : moments.afterEvent;
    const bool isPeak
        = event == analysis.figures.peakEvent || std::ranges::count(steps, event, &Step::peakEvent) > 0;
    QString amount = amountText(analysis, analysis.curve.at(event));
    if (isPeak)
        amount = tr("peak %1").arg(amount);
    if (!names.areMoments && moments.kind == ComparedMoments::Kind::Step) {
        const StepPair& pair = m_state.comparison()->runs.steps().pairs[moments.pair];
        amount = tr("%1, %2").arg(toQString(steps[side == Before ? *pair.before : *pair.after].name), amount);
    } else if (!names.areMoments && !isPeak) {
        amount = tr("%1, %2").arg(amount, eventText(event));
    }
    const QString name = names.areMoments ? tr("%1, %2").arg(title, amount) : title;
    const QString figures = names.areMoments ? toQString(analysis.info().words())
                                             : tr("%1 · %2").arg(toQString(analysis.info().words()), amount);

    QFont bold = font();
    bold.setBold(true);
    const int taken = QFontMetrics(bold).horizontalAdvance(tr("%1 · ").arg(name))
        + fontMetrics().horizontalAdvance(QStringLiteral("   ") + figures) + 2 * kCaptionMargin;
    const QString file = QFontMetrics(bold).elidedText(toQString(run(side).document->fileName()),
        Qt::ElideMiddle, std::max(kLeastFileName, width() - taken));
    m_runs[side].caption->setText(
        tr("<b>%1 · %2</b> &nbsp; %3")
            .arg(name.toHtmlEscaped(), file.toHtmlEscaped(), figures.toHtmlEscaped()));
    m_runs[side].caption->setToolTip(toQString(run(side).document->path));
}

void LinkedTimelines::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_state.comparison())
        return;
    for (const Side side : {Before, After})
        showCaption(side);
}

void LinkedTimelines::followAxis()
{
    const std::shared_ptr<const RunAlignment>& alignment = m_state.alignment();
    applyLimits();
    for (const Side side : {Before, After}) {
        Run& shown = m_runs[side];
        const EventScale& scale = side == Before ? alignment->before : alignment->after;
        shown.plot->show(
            run(side).analysis, std::shared_ptr<const EventScale>(alignment, &scale), alignment->marks);
        std::vector<double> lines;
        for (const Step& step : run(side).analysis->steps.steps)
            lines.push_back(scale.positionOf(step.begin));
        shown.plot->markers().setStepLines(lines.size() > 1 ? std::move(lines) : std::vector<double>());
    }
    for (const Run& shown : m_runs)
        shown.plot->setAxisLabelled(alignment->marks.size() < 2); // else the lane in between names them
    showLinks();
    markMoments();
    if (alignment->twoStepsEnd)
        fitHeight(); // the run may be much higher than the two steps
}

void LinkedTimelines::showLegend()
{
    bool hasGuess = false;
    std::vector<ColorKey::Entry> entries; // one colour stands for one category or call site of both runs
    if (std::ranges::any_of(m_runs, [](const Run& shown) {
            return shown.bands.analysis() && shown.bands.analysis()->keptBlocks->isAny();
        }))
        entries.push_back({{}, LegendExtras::labelOf({true, {}}), 0});
    for (const Run& shown : m_runs) {
        const std::shared_ptr<const BandPalette>& palette = shown.bands.palette();
        if (!palette || !palette->groups())
            continue;
        const BandGroups& groups = *palette->groups();
        for (std::size_t i = 0; i < groups.groups.size(); ++i) {
            const auto group = static_cast<GroupRank>(i);
            if (!palette->isDistinct(group))
                continue;
            const BandGroup& named = groups.groups[i];
            const QString color = palette->color(group, m_ground).name();
            auto entry = std::ranges::find(entries, color, &ColorKey::Entry::color);
            if (entry == entries.end()) {
                const QString name = toQString(named.label);
                hasGuess = hasGuess || (named.category && name != toQString(titleOf(*named.category)));
                entry = entries.insert(entries.end(), {color, name, 0});
            }
            entry->bytes += named.bytesAtPeak;
        }
    }
    const bool hasReserved = std::ranges::any_of(m_runs, [](const Run& shown) {
        return shown.bands.analysis() && shown.bands.analysis()->curve.reservedPeak() > 0;
    });
    if (hasReserved)
        entries.push_back({m_reservedColor.name(), LegendExtras::labelOf({false, {}}), 0, true});
    m_legend->setEntries(std::move(entries), hasGuess ? guessText() : QString());
}

void LinkedTimelines::showLinks()
{
    const Comparison& compared = *m_state.comparison();
    const RunAlignment& alignment = *m_state.alignment();
    if (alignment.marks.size() > 1) {
        m_links->setLane(alignment.marks, alignment.end());
        m_links->show();
        return;
    }
    std::vector<StepLinks::Link> links;
    if (alignment.twoStepsEnd) // the captions name the two steps
        return m_links->hide();
    for (const StepPair& pair : compared.runs.steps().pairs) {
        if (!pair.before || !pair.after || compared.runs.steps().pairs.size() < 2)
            continue;
        const Step& before = compared.before.analysis->steps.steps[*pair.before];
        const Step& after = compared.after.analysis->steps.steps[*pair.after];
        links.push_back({alignment.before.positionOf(before.begin), alignment.after.positionOf(after.begin),
            toQString(before.name == after.name ? before.name : before.name + " ↔ " + after.name)});
    }
    m_links->setVisible(!links.empty());
    m_links->setLinks(std::move(links));
}

void LinkedTimelines::showSelectedRows()
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    if (!diff || m_state.selectedRows().empty()) {
        for (Run& each : m_runs)
            each.bands.setHighlighted(nullptr);
        return;
    }
    std::vector<bool> rows(diff->diff.rows.size(), false);
    for (const std::uint32_t row : m_state.selectedRows())
        rows[row] = true;
    // If a run has none of the selected rows, fades all its bands, which shows that the rows are missing.
    const auto orNone = [](BandView::Highlight members, const ComparedRun& compared) {
        return members
            ? members
            : std::make_shared<const std::vector<bool>>(compared.analysis->allocations.size(), false);
    };
    // With a name, all allocations of the rows are counted, as in the table: those at the compared moments.
    const std::string& first = diff->diff.rows[m_state.selectedRows().front()].key;
    const QString name = m_state.selectedRows().size() > 1
        ? countedText(static_cast<qint64>(m_state.selectedRows().size()), "row", "rows")
        : toQString(diff->group == GroupKey::Site ? siteLabel(first) : first);
    m_runs[Before].bands.setHighlighted(orNone(diff->beforeMembers(rows), run(Before)), name);
    m_runs[After].bands.setHighlighted(orNone(diff->afterMembers(rows), run(After)), name);
}

void LinkedTimelines::markMoments()
{
    if (!m_state.comparison())
        return;
    const ComparedMoments& moments = m_state.moments();
    m_runs[Before].plot->markers().setComparedEvent(moments.beforeEvent);
    m_runs[After].plot->markers().setComparedEvent(moments.afterEvent);
    for (const Side side : {Before, After}) {
        showCaption(side);
        m_runs[side].plot->replotLater();
    }
}

bool LinkedTimelines::releasePins()
{
    bool hadPin = false;
    for (Run& each : m_runs) {
        hadPin = hadPin || each.selection.isPinned();
        each.selection.release();
    }
    return hadPin;
}

bool LinkedTimelines::releaseRanges()
{
    bool hadRange = false;
    for (Run& each : m_runs) {
        hadRange = hadRange || each.selection.range();
        each.selection.setRange(std::nullopt);
    }
    return hadRange;
}

void LinkedTimelines::releaseCursors()
{
    for (Run& each : m_runs)
        each.selection.setCursor(std::nullopt);
    emit cursorMoved();
}

bool LinkedTimelines::isSettled() const
{
    return std::all_of(
        m_runs.begin(), m_runs.end(), [](const Run& shown) { return shown.plot->isSettled(); });
}

QString LinkedTimelines::cursorText() const
{
    const std::optional<std::int64_t> before = m_runs[Before].selection.pointedOrCursor();
    const std::optional<std::int64_t> after = m_runs[After].selection.pointedOrCursor();
    if (!m_state.comparison() || (!before && !after))
        return {};
    const auto bytesAt
        = [this](Side side, std::int64_t event) { return run(side).analysis->curve.at(event); };
    const auto text = [&](Side side, const std::optional<std::int64_t>& event) {
        return event ? tr("%1, %2").arg(bytesText(bytesAt(side, *event)), eventText(*event)) : tr("–");
    };
    const SideNames names = m_state.sideNames();
    QString summary = names.areMoments
        ? QStringLiteral("%1 · %2").arg(text(Before, before), text(After, after))
        : tr("before %1 · after %2").arg(text(Before, before), text(After, after));
    if (before && after)
        summary += QStringLiteral(" · ")
            + QString::fromStdString(formatBytesDelta(bytesAt(After, *after) - bytesAt(Before, *before)));
    return summary;
}

void LinkedTimelines::setColors(const ThemeColors& colors)
{
    m_ground = colors.ground();
    m_reservedColor = colors.reservedEdge;
    m_links->setColors(colors);
    for (const Run& each : m_runs)
        each.plot->setColors(colors);
    showLegend();
}

} // namespace highwater::gui
