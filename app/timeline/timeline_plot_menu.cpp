#include <algorithm>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

#include "app/timeline/note_flags.h"
#include "app/timeline/timeline_plot.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"

// Context menu of the plot: what belongs to the band, the notes and the place under the mouse.

namespace highwater::gui {

void TimelinePlot::contextMenuEvent(QContextMenuEvent* event)
{
    const QPointF position = event->pos();
    if (!m_analysis || !area().rect.contains(position))
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const NoteFlags::Flag* const flag = m_notes->flagAt(position))
        for (std::size_t i = 0; i < std::min<std::size_t>(flag->notes.size(), 10); ++i)
            menu->addAction(tr("Edit note %1").arg(flag->notes[i]->number), this,
                [this, number = flag->notes[i]->number] { emit noteClicked(number); });
    menu->addSeparator();
    const Pointed pointed = pointedPlace(position);
    addBandActions(*menu, pointed);
    menu->addSeparator();
    addNoteActions(*menu, pointed);
    menu->addSeparator();
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

TimelinePlot::Pointed TimelinePlot::pointedPlace(const QPointF& position) const
{
    // Half a pixel more is the middle of the pixel, as in pointAt().
    const double key = area().keyAt(position.x() + 0.5);
    const std::shared_ptr<const BandImage> shown = image();
    return {shown ? shown->allocationAt(key, area().bytesAt(position.y() + 0.5)) : Selection::kNone,
        eventAt(key)};
}

/// Adds commands for the allocation under the mouse.
void TimelinePlot::addBandActions(QMenu& menu, const Pointed& pointed)
{
    if (pointed.allocation == Selection::kNone)
        return;
    for (const ContextEntry<BandCommand>& entry : bandEntries({*m_analysis, pointed.allocation,
             m_selection.pinned() == pointed.allocation, m_offersViewCommands}))
        menu.addAction(entry.text, this, [this, command = entry.command, pointed, analysis = m_analysis] {
            if (analysis == m_analysis) // the file may have changed while the menu was open
                runOnBand(command, pointed);
        });
}

void TimelinePlot::runOnBand(BandCommand command, const Pointed& pointed)
{
    switch (command) {
    case BandCommand::HighlightSite: emit siteHighlightRequested(pointed.allocation); return;
    case BandCommand::CopyPlace:
        QGuiApplication::clipboard()->setText(placeOf(*m_analysis, pointed.allocation));
        return;
    case BandCommand::Pin: m_selection.pin(pointed.allocation); return;
    case BandCommand::ShowMoment: break;
    }
    m_selection.setCursor(pointed.event);
    m_selection.pin(pointed.allocation);
    emit momentRequested();
}

/// Adds commands for notes on the moment, the marked range, the allocation that is pinned or under the mouse,
/// its call site, and the step.
void TimelinePlot::addNoteActions(QMenu& menu, const Pointed& pointed)
{
    const auto add = [&](const QString& where, const NotePlace& place) {
        menu.addAction(tr("Add a note %1").arg(QString(where).replace(QLatin1Char('&'), QLatin1String("&&"))),
            this, [this, place] { emit noteRequested(noteAt(place)); });
    };
    const std::int64_t event = pointed.event;
    if (event == kNoState)
        return;
    add(tr("at %1").arg(eventText(event)), NotedMoment{event});
    if (const auto& range = m_selection.range())
        add(tr("on the marked range, %1").arg(eventRangeText(range->first, range->second)),
            NotedRange{range->first, range->second});
    const AllocationIndex allocation = m_selection.isPinned() ? m_selection.pinned() : pointed.allocation;
    if (allocation != Selection::kNone) {
        const CallSite& site = m_analysis->sites.site(m_analysis->sites.of(allocation));
        add((m_selection.isPinned() ? tr("on the pinned allocation, %1") : tr("on the allocation here, %1"))
                .arg(bytesText(m_analysis->allocations.bytes(allocation))),
            notedAllocation(m_analysis->allocations, allocation));
        add(tr("on its call site, %1").arg(toQString(site.label)), NotedSite{site.key});
    }
    if (const auto step = m_analysis->steps.stepOf(std::max<std::int64_t>(0, event)))
        add(tr("on %1").arg(toQString(m_analysis->steps.steps[*step].name)),
            NotedStep{static_cast<std::int64_t>(*step)});
}

} // namespace highwater::gui
