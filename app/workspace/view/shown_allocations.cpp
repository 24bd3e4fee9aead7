#include "app/workspace/view/shown_allocations.h"

#include <algorithm>
#include <utility>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/composition/step_figures.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

namespace {

/// Returns how the chosen allocations relate to the moment or range.
LiveSetKind kindOf(MomentChoice choice)
{
    switch (choice) {
    case MomentChoice::Born: return LiveSetKind::Born;
    case MomentChoice::Freed: return LiveSetKind::Freed;
    case MomentChoice::Survived: return LiveSetKind::Survived;
    case MomentChoice::Cursor:
    case MomentChoice::Peak:
    case MomentChoice::StepPeak: break;
    }
    return LiveSetKind::Alive;
}

QString placeText(
    const DeviceAnalysis& analysis, std::int64_t event, MomentChoice choice, std::int64_t cursor)
{
    const bool isPeak
        = event == analysis.figures.peakEvent && isPeakAtEvent(analysis.info(), analysis.figures);
    const auto step = stepAt(analysis, cursor);
    if (choice == MomentChoice::StepPeak && step)
        return ShownAllocations::tr("At the peak of %1, %2%3")
            .arg(toQString(analysis.steps.steps[*step].name), eventText(event),
                isPeak ? ShownAllocations::tr(", the peak of the run") : QString());
    const bool ranOut
        = std::ranges::find(analysis.figures.ooms, event, &OomEvent::event) != analysis.figures.ooms.end();
    return QStringLiteral("%1%2").arg(toQString(upperFirst(momentAndHighest(analysis.study, event))),
        ranOut && !isPeak ? ShownAllocations::tr(", out of memory") : QString());
}

/// Returns the step that begins with this event; nullopt if none does.
std::optional<std::size_t> stepThatBegins(const DeviceAnalysis& analysis, std::int64_t first)
{
    const auto step = stepAt(analysis, first);
    if (!step || analysis.steps.source == StepSource::Whole)
        return std::nullopt;
    return analysis.steps.steps[*step].begin == first ? step : std::nullopt;
}

/// Returns the step that ends right before this event; nullopt if none does.
std::optional<std::size_t> stepThatEnds(const DeviceAnalysis& analysis, std::int64_t last)
{
    const auto step = stepAt(analysis, last - 1);
    if (!step || analysis.steps.source == StepSource::Whole)
        return std::nullopt;
    return analysis.steps.steps[*step].end == last ? step : std::nullopt;
}

/// Returns the step with exactly these events; nullopt if there is none.
std::optional<std::size_t> stepWithEvents(
    const DeviceAnalysis& analysis, std::int64_t first, std::int64_t last)
{
    const auto step = stepThatBegins(analysis, first);
    return step && analysis.steps.steps[*step].end == last ? step : std::nullopt;
}

/// Returns "step 3, events 651 – 1,209", "events 40 – 89" or "the whole trace".
QString placeText(const DeviceAnalysis& analysis, const LiveSetSpec& spec)
{
    if (spec.first == 0 && spec.last == analysis.allocations.eventCount())
        return ShownAllocations::tr("the whole trace");
    const auto begin = stepThatBegins(analysis, spec.first);
    const auto end = stepThatEnds(analysis, spec.last);
    const QString events = eventRangeText(spec.first, spec.last);
    if (!begin || !end)
        return events;
    const auto nameOf = [&](std::size_t step) { return toQString(analysis.steps.steps[step].name); };
    const QString steps
        = begin == end ? nameOf(*begin) : ShownAllocations::tr("%1 to %2").arg(nameOf(*begin), nameOf(*end));
    return QStringLiteral("%1, %2").arg(steps, events);
}

/// Names a set that belongs to a range: "Allocated in step 3, events 651 – 1,209".
QString rangeText(const DeviceAnalysis& analysis, const LiveSetSpec& spec)
{
    if (const auto step = stepWithEvents(analysis, spec.first, spec.last); step && spec.until)
        return ShownAllocations::tr("Left behind by %1, %2")
            .arg(toQString(analysis.steps.steps[*step].name), toQString(analysis.steps.keptUntilText(*step)));
    const QString range = placeText(analysis, spec);
    switch (spec.kind) {
    case LiveSetKind::Born: return ShownAllocations::tr("Allocated in %1").arg(range);
    case LiveSetKind::Freed: return ShownAllocations::tr("Freed in %1").arg(range);
    case LiveSetKind::Survived: return ShownAllocations::tr("Allocated in %1 and in use after it").arg(range);
    case LiveSetKind::Alive: break;
    }
    return {};
}

/// Leaves out the allocations of other categories.
LiveSet onlyCategory(LiveSet set, const DeviceAnalysis& analysis, Category category)
{
    std::erase_if(set.allocations, [&](AllocationIndex i) { return analysis.categories.of(i) != category; });
    set.total = {};
    for (const AllocationIndex i : set.allocations)
        set.total.add(analysis.allocations.bytes(i));
    return set;
}

} // namespace

std::optional<std::size_t> stepAt(const DeviceAnalysis& analysis, std::int64_t event)
{
    const std::vector<Step>& steps = analysis.steps.steps;
    if (steps.empty())
        return std::nullopt;
    const auto next = std::upper_bound(steps.begin(), steps.end(), event,
        [](std::int64_t wanted, const Step& step) { return wanted < step.begin; });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, next - steps.begin()) - 1);
}

ShownAllocations::ShownAllocations(Selection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_throttle([this] { refresh(); })
{
    connect(&m_selection, &Selection::cursorChanged, this, &ShownAllocations::followCursor);
    connect(&m_selection, &Selection::rangeChanged, this, &ShownAllocations::followRange);
}

void ShownAllocations::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis)
{
    if (analysis == m_analysis)
        return;
    // The same device in another quantity has the same events.
    if (!analysis || !m_analysis || analysis->trace != m_analysis->trace
        || analysis->device != m_analysis->device) {
        m_choice = MomentChoice::Cursor;
        m_range.reset();
    }
    m_task.drop();
    m_analysis = std::move(analysis);
    m_requestedSet.reset();
    m_moment.reset();
    emit changed();
    refresh();
}

void ShownAllocations::choose(MomentChoice choice)
{
    if (choice != m_choice)
        m_requestedSet.reset(); // the title differs even if the set is the same
    m_choice = choice;
    takeRange();
    moveCursor();
    refresh();
}

void ShownAllocations::setCategory(std::optional<Category> category)
{
    if (std::exchange(m_category, category) == category)
        return;
    m_requestedSet.reset();
    refresh();
}

void ShownAllocations::takeRange()
{
    m_range = m_selection.range() ? m_selection.range() : m_selection.view();
}

/// Moves the cursor to a moment chosen by name, so that the timeline and the other views show it.
void ShownAllocations::moveCursor()
{
    const bool isPlace = m_choice == MomentChoice::Peak || m_choice == MomentChoice::StepPeak;
    if (m_analysis && m_active && isPlace)
        m_selection.setCursor(wantedSet().first);
}

void ShownAllocations::setActive(bool active)
{
    m_active = active;
    refresh();
}

void ShownAllocations::followCursor()
{
    if (m_choice == MomentChoice::Cursor || m_choice == MomentChoice::StepPeak)
        m_throttle.request();
}

/// Takes a range that the user marks. After the end of a range, its allocations stay.
void ShownAllocations::followRange()
{
    if (kindOf(m_choice) == LiveSetKind::Alive || !m_selection.range())
        return;
    takeRange();
    m_throttle.request();
}

std::int64_t ShownAllocations::cursorEvent() const
{
    return std::clamp<std::int64_t>(m_selection.cursor().value_or(keyMoment(m_analysis->study).event), -1,
        m_analysis->allocations.eventCount() - 1);
}

QString ShownAllocations::cursorName() const
{
    return m_selection.cursor() || !m_analysis
        ? tr("At: Cursor")
        : toQString(upperFirst(std::string(inWords(keyMoment(m_analysis->study).kind))));
}

bool ShownAllocations::isPeakWithoutCursor() const
{
    return !m_selection.cursor() && m_analysis && keyMoment(m_analysis->study).kind == KeyMomentKind::Peak;
}

LiveSetSpec ShownAllocations::wantedSet() const
{
    const std::int64_t count = m_analysis->allocations.eventCount();
    const LiveSetKind kind = kindOf(m_choice);
    if (kind != LiveSetKind::Alive) {
        const LiveSetSpec spec{kind, m_range ? std::clamp<std::int64_t>(m_range->first, 0, count) : 0,
            m_range ? std::clamp<std::int64_t>(m_range->second, 0, count) : count};
        const auto step = stepWithEvents(*m_analysis, spec.first, spec.last);
        return step && kind == LiveSetKind::Survived ? leftBehindBy(m_analysis->steps, *step) : spec;
    }
    if (m_choice == MomentChoice::Peak)
        return LiveSetSpec::aliveAt(m_analysis->figures.peakEvent);
    if (const auto step = stepAt(*m_analysis, cursorEvent()); step && m_choice == MomentChoice::StepPeak)
        return LiveSetSpec::aliveAt(m_analysis->steps.steps[*step].peakEvent);
    return LiveSetSpec::aliveAt(cursorEvent());
}

void ShownAllocations::refresh()
{
    if (!m_active || !m_analysis)
        return;
    const LiveSetSpec spec = wantedSet();
    if (spec == m_requestedSet)
        return;
    m_requestedSet = spec;
    const auto analysis = m_analysis;
    const MomentChoice choice = m_choice;
    const std::int64_t cursor = cursorEvent();
    m_task.run([this, analysis, spec, choice, cursor, category = m_category]() -> LatestTask::Delivery {
        auto moment = std::make_shared<Moment>();
        moment->analysis = analysis;
        moment->set = liveSet(analysis->live, spec);
        if (category)
            moment->set = onlyCategory(std::move(moment->set), *analysis, *category);
        const QString place = spec.kind == LiveSetKind::Alive
            ? placeText(*analysis, spec.first, choice, cursor)
            : rangeText(*analysis, spec);
        moment->title
            = tr("%1: %2 in %3")
                  .arg(category ? tr("%1, only %2").arg(place, toQString(titleOf(*category))) : place,
                      amountText(*analysis, moment->set.total.bytes),
                      countedText(moment->set.total.count, "allocation", "allocations"));
        return [this, analysis, moment] {
            if (analysis != m_analysis)
                return;
            m_moment = moment;
            emit changed();
        };
    });
}

} // namespace highwater::gui
