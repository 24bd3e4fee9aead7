#include "app/workspace/view/selection_text.h"

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

QString allocationTitle(const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    const std::int64_t birth = analysis.allocations.birth(allocation);
    return birth < 0 ? Selection::tr("Allocation before recording began")
                     : Selection::tr("Allocation of %1").arg(eventText(birth));
}

QString runPeakMomentText(const DeviceAnalysis& analysis)
{
    const KeyMomentKind kind = peakMoment(analysis.study).kind;
    return kind == KeyMomentKind::Peak ? Selection::tr("at the run's peak") : toQString(inWords(kind));
}

QString momentText(const DeviceAnalysis& analysis, std::int64_t event)
{
    const auto step = analysis.steps.stepOf(event);
    if (!step || analysis.steps.source == StepSource::Whole)
        return eventText(event);
    const Step& current = analysis.steps.steps[*step];
    const QString name = toQString(current.name);
    return event == current.peakEvent ? Selection::tr("%1, peak of %2").arg(eventText(event), name)
                                      : QStringLiteral("%1, %2").arg(eventText(event), name);
}

QString stepText(const DeviceAnalysis& analysis, std::size_t step)
{
    const Step& chosen = analysis.steps.steps[step];
    return Selection::tr("%1, peak %2").arg(toQString(chosen.name), bytesText(chosen.peakBytes));
}

QString selectionText(const DeviceAnalysis& analysis, const Selection& selection)
{
    switch (selection.subject()) {
    case Selection::Kind::Moment: return momentText(analysis, *selection.cursor());
    case Selection::Kind::Allocation: return allocationTitle(analysis, selection.pinned());
    case Selection::Kind::Step:
        if (*selection.step() < analysis.steps.steps.size())
            return stepText(analysis, *selection.step());
        break; // the steps were detected anew after this one was selected
    case Selection::Kind::Range:
        return namedRangeText(selection.rangeName(), selection.range()->first, selection.range()->second);
    case Selection::Kind::Highlight:
        return selection.highlight().name.isEmpty() ? Selection::tr("Highlighted allocations")
                                                    : selection.highlight().name;
    case Selection::Kind::Nothing: break;
    }
    return {};
}

} // namespace highwater::gui
