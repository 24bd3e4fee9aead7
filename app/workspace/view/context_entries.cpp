#include "app/workspace/view/context_entries.h"

#include <algorithm>

#include <QCoreApplication>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

QString entryText(const char* text)
{
    return QCoreApplication::translate("highwater::gui::ContextEntry", text);
}

/// Doubles ampersands, because a single one marks a key in a menu.
QString menuName(QString name)
{
    return name.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

QString placeOf(const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    const FrameId id = analysis.sites.frame(analysis.sites.of(allocation));
    if (id.isNone())
        return {};
    const Frame frame = analysis.trace->stacks.frame(id);
    const QString file = toQString(analysis.trace->text(frame.file));
    return frame.line > 0 ? QStringLiteral("%1:%2").arg(file).arg(frame.line) : file;
}

std::vector<ContextEntry<BandCommand>> bandEntries(const BandTarget& target)
{
    std::vector<ContextEntry<BandCommand>> entries;
    if (!target.isPinned)
        entries.push_back({BandCommand::Pin, entryText("Pin this allocation")});
    const SiteId site = target.analysis.sites.of(target.allocation);
    if (target.hasViews && target.analysis.sites.kind(site) != SiteKind::NoStack)
        entries.push_back({BandCommand::HighlightSite,
            entryText("Highlight call site %1")
                .arg(menuName(toQString(target.analysis.sites.site(site).label)))});
    if (const QString place = placeOf(target.analysis, target.allocation); !place.isEmpty())
        entries.push_back({BandCommand::CopyPlace,
            entryText("Copy %1").arg(menuName(place.section(QLatin1Char('/'), -1)))});
    if (target.hasViews)
        entries.push_back({BandCommand::ShowMoment, entryText("Show in Moment at this event")});
    return entries;
}

std::size_t highestStep(const StepTable& table)
{
    return static_cast<std::size_t>(
        std::ranges::max_element(table.steps, {}, &Step::peakBytes) - table.steps.begin());
}

std::vector<std::size_t> comparableSteps(
    const StepTable& table, std::size_t step, std::optional<std::size_t> selected)
{
    std::vector<std::size_t> others;
    const auto add = [&](std::size_t other) {
        if (other != step && other < table.steps.size() && std::ranges::count(others, other) == 0)
            others.push_back(other);
    };
    add(selected.value_or(step));
    if (step > 0)
        add(step - 1);
    add(step + 1);
    add(highestStep(table));
    return others;
}

std::vector<ContextEntry<StepCommand>> stepEntries(
    const StepTable& table, std::size_t step, std::optional<std::size_t> selected)
{
    const auto name = [&](std::size_t index) { return menuName(toQString(table.steps[index].name)); };
    std::vector<ContextEntry<StepCommand>> entries
        = {{StepCommand::Select, entryText("Select %1").arg(name(step))},
            {StepCommand::Zoom, entryText("Zoom to %1").arg(name(step))}};
    for (const std::size_t other : comparableSteps(table, step, selected))
        entries.push_back({StepCommand::Compare, entryText("Compare with %1").arg(name(other)), other});
    entries.push_back({StepCommand::ShowLeftBehind, entryText("What %1 left behind").arg(name(step))});
    entries.push_back(
        {StepCommand::ShowLargest, entryText("Largest allocation at the peak of %1").arg(name(step))});
    entries.push_back({StepCommand::AddNote, entryText("Add a note on %1").arg(name(step))});
    return entries;
}

} // namespace highwater::gui
