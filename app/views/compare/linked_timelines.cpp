#include "app/views/compare/linked_timelines.h"

#include <algorithm>

#include <QLabel>
#include <QScopedValueRollback>

#include "app/timeline/timeline_markers.h"
#include "app/views/compare/step_links.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

constexpr double kHeadroom = 1.08;
constexpr double kNarrowestPlaces = 4;
constexpr double kNarrowestNanoseconds = 1000;
/// Share of the view to leave free on either side of the moments that are brought into view.
constexpr double kViewMargin = 0.1;

LinkedTimelines::Side oppositeOf(LinkedTimelines::Side side)
{
    return side == LinkedTimelines::Before ? LinkedTimelines::After : LinkedTimelines::Before;
}

} // namespace

LinkedTimelines::LinkedTimelines(ComparisonState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_links(new StepLinks(m_runs[Before].range, this))
    , m_legend(new QLabel(this))
{
    setObjectName(QStringLiteral("linkedTimelines"));
    buildPlot(Before);
    buildPlot(After);
    layColumn(this,
        {m_runs[Before].caption, {m_runs[Before].plot, 1}, m_links, m_runs[After].caption,
            {m_runs[After].plot, 1}, m_legend});
    m_legend->setObjectName(QStringLiteral("compareLegend"));
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setContentsMargins(14, 0, 14, 4);
    connectRun(Before);
    connectRun(After);
    connect(m_runs[Before].plot, &TimelinePlot::plotEdgesChanged, m_links, &StepLinks::setEdges);
    connect(&m_state, &ComparisonState::runsChanged, this, &LinkedTimelines::followRuns);
    connect(&m_state, &ComparisonState::axisChanged, this, &LinkedTimelines::followAxis);
    connect(&m_state, &ComparisonState::momentsChanged, this, &LinkedTimelines::markMoments);
    connect(&m_state, &ComparisonState::chosenChanged, this, &LinkedTimelines::showChosen);
}

void LinkedTimelines::buildPlot(Side side)
{
    Run& shown = m_runs[side];
    shown.caption = new QLabel(this);
    shown.caption->setObjectName(
        side == Before ? QStringLiteral("beforeCaption") : QStringLiteral("afterCaption"));
    shown.caption->setContentsMargins(14, 5, 14, 1);
    shown.caption->setTextFormat(Qt::RichText);
    shown.bands.preferMode(BandMode::Site);
    shown.plot = new TimelinePlot(shown.range, shown.selection, shown.bands, this);
    shown.plot->setObjectName(
        side == Before ? QStringLiteral("beforeTimeline") : QStringLiteral("afterTimeline"));
    shown.plot->setAccessibleName(
        side == Before ? tr("Timeline of the earlier run") : tr("Timeline of the later run"));
    shown.plot->setMinimumHeight(90);
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
    connect(shown.plot, &TimelinePlot::highlightClosed, this, [this] { m_state.choose({}); });
    connect(shown.plot, &TimelinePlot::pointedAt, this, [this, opposite, side](std::optional<double> place) {
        if (!place) // the cursor stays where the mouse left it
            return;
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
        showCaption(side);
    }
    showLegend();
    followAxis();
}

void LinkedTimelines::showCaption(Side side)
{
    const DeviceAnalysis& analysis = *run(side).analysis;
    const QString title = side == Before ? tr("before") : tr("after");
    m_runs[side].caption->setText(tr("<b>%1 · %2</b> &nbsp; %3 · peak %4 · %5")
                                      .arg(title, toQString(run(side).document->fileName()).toHtmlEscaped(),
                                          toQString(analysis.info().label()),
                                          amountText(analysis, analysis.figures.peakBytes).toHtmlEscaped(),
                                          eventText(analysis.figures.peakEvent)));
    m_runs[side].caption->setToolTip(toQString(run(side).document->path));
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
        shown.plot->setStepsNamed(alignment->marks.size() < 2); // else the lane in between names them
    showLinks();
    markMoments();
}

void LinkedTimelines::showLegend()
{
    QStringList entries;
    QStringList colors; // one colour stands for one category or call site, even if its line number moved
    for (const Run& shown : m_runs) {
        const std::shared_ptr<const BandPalette>& palette = shown.bands.palette();
        if (!palette || !palette->groups())
            continue;
        const BandGroups& groups = *palette->groups();
        for (std::size_t i = 0; i < groups.groups.size(); ++i) {
            const auto group = static_cast<GroupRank>(i);
            const QString color = palette->color(group, m_isDark).name();
            if (!palette->isDistinct(group) || colors.contains(color))
                continue;
            colors << color;
            const QString name = toQString(groups.groups[i].label);
            entries << QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2")
                           .arg(color,
                               name.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
        }
    }
    m_legend->setVisible(!entries.isEmpty());
    m_legend->setText(entries.join(QStringLiteral(" &nbsp; ")));
}

/// Sets the limits of both ranges. The x axis covers both runs; the y axis goes from 0 to the highest total
/// of both runs, or of each run if the scales differ.
void LinkedTimelines::applyLimits()
{
    const std::shared_ptr<const RunAlignment>& alignment = m_state.alignment();
    const double narrowest = alignment->axis == RunAxis::Time ? kNarrowestNanoseconds : kNarrowestPlaces;
    const auto highest = [this](Side side) {
        return std::max(run(side).peak().bytes, run(side).analysis->curve.reservedPeak());
    };
    const Bytes highestOfBoth = std::max(highest(Before), highest(After));
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    for (const Side side : {Before, After})
        m_runs[side].range.setLimits(alignment->begin(), alignment->end(), narrowest,
            static_cast<double>(std::max<Bytes>(m_sameScale ? highestOfBoth : highest(side), 1)) * kHeadroom);
}

void LinkedTimelines::followLeader(Side leader)
{
    if (m_isFollowing)
        return;
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    const AxisWindow& x = m_runs[leader].range.x();
    const AxisWindow& y = m_runs[leader].range.y();
    VisibleRange& other = m_runs[oppositeOf(leader)].range;
    if (m_sameScale)
        other.show(x.begin, x.end, y.begin, y.end);
    else
        other.setX(x.begin, x.end);
}

void LinkedTimelines::setSameScale(bool isSame)
{
    m_sameScale = isSame;
    if (!m_state.comparison())
        return;
    const AxisWindow x = range().x();
    applyLimits();
    range().setX(x.begin, x.end);
    m_runs[After].range.setX(x.begin, x.end);
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

void LinkedTimelines::showChosen()
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    if (!diff || m_state.chosen().empty()) {
        for (Run& of : m_runs)
            of.bands.setHighlighted(nullptr);
        return;
    }
    std::vector<bool> rows(diff->diff.rows.size(), false);
    for (const std::uint32_t row : m_state.chosen())
        rows[row] = true;
    // If a run has none of the chosen rows, fades all its bands, which shows that the rows are missing.
    const auto orNone = [](BandView::Highlight members, const ComparedRun& of) {
        return members ? members
                       : std::make_shared<const std::vector<bool>>(of.analysis->allocations.size(), false);
    };
    m_runs[Before].bands.setHighlighted(orNone(diff->beforeMembers(rows), run(Before)));
    m_runs[After].bands.setHighlighted(orNone(diff->afterMembers(rows), run(After)));
}

void LinkedTimelines::markMoments()
{
    if (!m_state.comparison())
        return;
    const ComparedMoments& moments = m_state.moments();
    m_runs[Before].plot->markers().setComparedEvent(moments.beforeEvent);
    m_runs[After].plot->markers().setComparedEvent(moments.afterEvent);
    for (const Run& shown : m_runs)
        shown.plot->replotLater();
}

void LinkedTimelines::showStep(std::size_t pair)
{
    const Comparison& compared = *m_state.comparison();
    const RunAlignment& alignment = *m_state.alignment();
    const StepPair& steps = compared.runs.steps().pairs[pair];
    double begin = alignment.end();
    double end = alignment.begin();
    const auto include = [&](const EventScale& scale, const Step& step) {
        begin = std::min(begin, scale.positionOf(step.begin));
        end = std::max(end, step.end < scale.eventCount() ? scale.positionOf(step.end) : scale.end());
    };
    if (steps.before)
        include(alignment.before, compared.before.analysis->steps.steps[*steps.before]);
    if (steps.after)
        include(alignment.after, compared.after.analysis->steps.steps[*steps.after]);
    range().setX(begin, end);
}

void LinkedTimelines::showMoments()
{
    const RunAlignment& alignment = *m_state.alignment();
    const double before = alignment.before.positionOf(m_state.moments().beforeEvent);
    const double after = alignment.after.positionOf(m_state.moments().afterEvent);
    const auto [low, high] = std::minmax(before, after);
    const AxisWindow& x = range().x();
    if (low >= x.begin && high <= x.end)
        return;
    const double width = std::max(x.width(), (high - low) / (1 - 2 * kViewMargin));
    range().setX((low + high - width) / 2, (low + high + width) / 2);
}

void LinkedTimelines::showEvents(Side side, std::int64_t first, std::int64_t last)
{
    const EventScale& scale = *m_runs[side].plot->scale();
    range().setX(scale.positionOf(first), last < scale.eventCount() ? scale.positionOf(last) : scale.end());
}

void LinkedTimelines::centre(Side side, std::int64_t event)
{
    const double at = m_runs[side].plot->scale()->positionOf(event);
    const AxisWindow& x = range().x();
    if (at < x.begin || at >= x.end)
        range().setX(at - x.width() / 2, at + x.width() / 2);
    m_runs[side].selection.setCursor(event);
}

void LinkedTimelines::fit()
{
    range().fit();
}

void LinkedTimelines::zoom(double factor)
{
    const bool isAfter = m_runs[After].plot->isPointedAt();
    range().zoomX(m_runs[isAfter ? After : Before].plot->zoomCentre(), factor);
}

void LinkedTimelines::pan(double shareOfView)
{
    range().pan(shareOfView * range().x().width(), 0);
}

bool LinkedTimelines::isSettled() const
{
    return std::all_of(
        m_runs.begin(), m_runs.end(), [](const Run& shown) { return shown.plot->isSettled(); });
}

QString LinkedTimelines::cursorText() const
{
    const std::optional<std::int64_t> before = m_runs[Before].selection.cursor();
    const std::optional<std::int64_t> after = m_runs[After].selection.cursor();
    if (!m_state.comparison() || (!before && !after))
        return {};
    const auto bytesAt
        = [this](Side side, std::int64_t event) { return run(side).analysis->curve.at(event); };
    const auto text = [&](Side side, const std::optional<std::int64_t>& event) {
        return event ? tr("%1, %2").arg(bytesText(bytesAt(side, *event)), eventText(*event)) : tr("–");
    };
    QString summary = tr("before %1 · after %2").arg(text(Before, before), text(After, after));
    if (before && after)
        summary += QStringLiteral(" · ")
            + QString::fromStdString(formatBytesDelta(bytesAt(After, *after) - bytesAt(Before, *before)));
    return summary;
}

void LinkedTimelines::setColors(const ThemeColors& colors)
{
    m_isDark = colors.dark;
    m_links->setColors(colors);
    for (const Run& of : m_runs)
        of.plot->setColors(colors);
    showLegend();
}

} // namespace highwater::gui
