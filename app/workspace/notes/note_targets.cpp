#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/selection_text.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

// The words for what a note is on.

namespace highwater::gui {

namespace {

/// Returns ", 1.28 s", the time since the first event; empty without recorded times.
QString timeSuffix(const DeviceAnalysis& analysis, std::int64_t event)
{
    if (event < 0 || !analysis.trace->hasTimes(analysis.device))
        return {};
    const double time = analysis.scale(AxisKind::Time).positionOf(event);
    return QStringLiteral(", ") + QString::fromStdString(formatDuration(static_cast<Nanoseconds>(time)));
}

/// Returns "the peak of step 3, 1.28 s"; for a moment that is no peak `momentText` and its time.
QString momentTarget(const DeviceAnalysis& analysis, std::int64_t event)
{
    const std::optional<std::size_t> step
        = analysis.steps.source == StepSource::Whole ? std::nullopt : analysis.steps.stepOf(event);
    const bool isStepPeak = step && analysis.steps.steps[*step].peakEvent == event;
    const QString words = !analysis.trace->metadata.hasHistory ? toQString(momentIn(*analysis.trace, event))
        : isStepPeak ? QObject::tr("the peak of %1").arg(toQString(analysis.steps.steps[*step].name))
        : event == analysis.figures.peakEvent ? QObject::tr("the peak of the run")
                                              : momentText(analysis, event);
    return words + timeSuffix(analysis, event);
}

} // namespace

QString placeWithRole(const NotePlace& place, const DeviceAnalysis& analysis)
{
    if (!eventsOf(place, analysis))
        return placeWithFigures(place, analysis);
    if (const auto* moment = std::get_if<NotedMoment>(&place))
        return momentTarget(analysis, moment->event);
    if (const auto* step = std::get_if<NotedStep>(&place))
        return stepText(analysis, static_cast<std::size_t>(step->step));
    return QObject::tr("%1%2").arg(
        std::holds_alternative<NotedAllocation>(place) ? QObject::tr("the ") : QString(),
        placeWithFigures(place, analysis));
}

} // namespace highwater::gui
