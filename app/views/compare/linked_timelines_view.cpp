#include <algorithm>
#include <cmath>

#include <QLabel>
#include <QScopedValueRollback>

#include "app/views/compare/color_key.h"
#include "app/views/compare/linked_timelines.h"
#include "app/views/compare/step_links.h"
#include "app/views/parts/arrange.h"

// The part of the runs in view, and the places to go to.

namespace highwater::gui {

namespace {

constexpr double kNarrowestPlaces = 4;
constexpr double kNarrowestNanoseconds = 1000;
/// Least share of the view to leave free on either side of the moments that are brought into view.
constexpr double kViewMargin = 0.1;
constexpr int kWantedPlot = 180; ///< height of the data, in pixels
constexpr int kMarkerRoom = 10; ///< above the highest total; labels have a row above the plot
constexpr double kLeastDataShare = 0.6; ///< of the height of a plot

/// Returns the height that a row needs at this width.
int heightAt(const QWidget& row, int width)
{
    return row.hasHeightForWidth() ? row.heightForWidth(width) : row.sizeHint().height();
}

} // namespace

LinkedTimelines::Side LinkedTimelines::oppositeOf(Side side)
{
    return side == Before ? After : Before;
}

int LinkedTimelines::wantedHeight() const
{
    int height = 0;
    for (const Run& shown : m_runs) {
        const int axis = shown.plot->height() - static_cast<int>(shown.plot->area().rect.height());
        height += kWantedPlot + axis + heightAt(*shown.caption, width());
    }
    for (const QWidget* row : {static_cast<const QWidget*>(m_links), static_cast<const QWidget*>(m_legend)})
        height += row->isVisibleTo(this) ? heightAt(*row, width()) : 0;
    return height;
}

/// Returns the bytes at the top of a plot so that a marker has room above the highest total.
double LinkedTimelines::topAbove(Bytes highest) const
{
    const double height
        = std::min(m_runs[Before].plot->area().rect.height(), m_runs[After].plot->area().rect.height());
    const double share = height > 0 ? std::max(1 - kMarkerRoom / height, kLeastDataShare) : kLeastDataShare;
    return static_cast<double>(std::max<Bytes>(highest, 1)) / share;
}

/// Sets the limits of both ranges. The x axis covers both runs; the y axis goes from 0 to above the highest
/// total, also of reserved memory, of both runs, or of each run if the scales differ.
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
            topAbove(m_sameScale ? highestOfBoth : highest(side)));
}

/// Keeps the room for markers after the height of the plots has changed.
void LinkedTimelines::keepHeadroom()
{
    if (!m_state.comparison())
        return;
    using View = std::pair<AxisWindow, AxisWindow>;
    const std::array views{View(m_runs[Before].range.x(), m_runs[Before].range.y()),
        View(m_runs[After].range.x(), m_runs[After].range.y())};
    applyLimits();
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    for (const Side side : {Before, After}) {
        const auto& [x, y] = views[side];
        if (y.isWhole())
            m_runs[side].range.setX(x.begin, x.end);
        else
            m_runs[side].range.show(x.begin, x.end, y.begin, y.end);
    }
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

/// Returns the highest total of a run between two places; 0 if the run has no events there.
Bytes LinkedTimelines::highestBetween(Side side, double begin, double end) const
{
    const EventScale& scale = *m_runs[side].plot->scale();
    const std::int64_t first = scale.covers(begin) ? scale.eventAt(begin) : scale.firstEventFrom(begin);
    const std::int64_t last = std::min(scale.firstEventFrom(end), scale.eventCount());
    return first < last ? run(side).analysis->curve.peak(std::max<std::int64_t>(first, -1), last).bytes : 0;
}

void LinkedTimelines::fitHeight()
{
    if (!m_state.comparison())
        return;
    const AxisWindow x = range().x();
    const std::array highest{highestBetween(Before, x.begin, x.end), highestBetween(After, x.begin, x.end)};
    const Bytes highestOfBoth = std::max(highest[Before], highest[After]);
    if (highestOfBoth == 0)
        return;
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    for (const Side side : {Before, After})
        m_runs[side].range.show(x.begin, x.end, 0, topAbove(m_sameScale ? highestOfBoth : highest[side]));
}

/// Shows this part of the axis and fits the height to it.
void LinkedTimelines::showPlaces(double begin, double end)
{
    range().setX(begin, end);
    fitHeight();
}

void LinkedTimelines::returnTo(const AxisWindow& places)
{
    if (places.isWhole())
        fit();
    else
        showPlaces(places.begin, places.end);
}

/// Returns the places of the events [first, last) of a run.
std::pair<double, double> LinkedTimelines::placesOf(Side side, std::int64_t first, std::int64_t last) const
{
    const EventScale& scale = *m_runs[side].plot->scale();
    return {scale.positionOf(first), last < scale.eventCount() ? scale.positionOf(last) : scale.end()};
}

void LinkedTimelines::showStep(std::size_t pair)
{
    const StepPair& steps = m_state.comparison()->runs.steps().pairs[pair];
    double begin = m_state.alignment()->end();
    double end = m_state.alignment()->begin();
    for (const auto& [side, index] : {std::pair(Before, steps.before), std::pair(After, steps.after)}) {
        if (!index)
            continue;
        const Step& step = run(side).analysis->steps.steps[*index];
        const auto [stepBegin, stepEnd] = placesOf(side, step.begin, step.end);
        begin = std::min(begin, stepBegin);
        end = std::max(end, stepEnd);
    }
    showPlaces(begin, end);
}

void LinkedTimelines::goToEvents(const SideEvents& events)
{
    double begin = m_state.alignment()->end();
    double end = m_state.alignment()->begin();
    for (const Side side : {Before, After}) {
        m_runs[side].selection.release();
        m_runs[side].plot->setLinkedKey(std::nullopt);
        if (!events[side])
            continue;
        const StepTable& steps = run(side).analysis->steps;
        const std::optional<std::size_t> step = steps.stepOf(*events[side]);
        const auto [stepBegin, stepEnd] = step
            ? placesOf(side, steps.steps[*step].begin, steps.steps[*step].end)
            : placesOf(side, *events[side], *events[side] + 1);
        begin = std::min(begin, stepBegin);
        end = std::max(end, stepEnd);
        m_lastPlace = m_runs[side].plot->scale()->positionOf(*events[side]);
        m_lastSide = side;
    }
    if (begin < end)
        showPlaces(begin, end);
    for (const Side side : {Before, After})
        m_runs[side].selection.setCursor(events[side]);
    emit cursorMoved();
}

void LinkedTimelines::showMoments()
{
    const RunAlignment& alignment = *m_state.alignment();
    const double before = alignment.before.positionOf(m_state.moments().beforeEvent);
    const double after = alignment.after.positionOf(m_state.moments().afterEvent);
    const auto [first, last] = std::minmax(before, after);
    const AxisWindow& x = range().x();
    if (first >= x.begin && last <= x.end)
        return;
    const double width = std::max(x.width(), (last - first) / (1 - 2 * kViewMargin));
    showPlaces((first + last - width) / 2, (first + last + width) / 2);
}

void LinkedTimelines::showEvents(Side side, std::int64_t first, std::int64_t last)
{
    const auto [begin, end] = placesOf(side, first, last);
    showPlaces(begin, end);
}

void LinkedTimelines::centre(Side side, std::int64_t event)
{
    const double place = m_runs[side].plot->scale()->positionOf(event);
    const AxisWindow& x = range().x();
    if (place < x.begin || place >= x.end)
        showPlaces(place - x.width() / 2, place + x.width() / 2);
    m_runs[side].selection.setCursor(event);
}

void LinkedTimelines::fit()
{
    for (Run& shown : m_runs)
        shown.range.fit();
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

} // namespace highwater::gui
