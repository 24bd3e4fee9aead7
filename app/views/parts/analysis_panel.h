#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// One tab below the timeline, which answers one question about the run or the device on screen. A hidden
/// panel puts off what takes long until it is shown.
class AnalysisPanel : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Shows another device; null shows none.
    virtual void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) = 0;
    virtual void setColors(const ThemeColors& colors) = 0;
    /// Sets the capacity of the device, from the file or from the user; nullopt if unknown.
    virtual void setCapacity(const std::optional<DeviceCapacity>& capacity) { Q_UNUSED(capacity); }
    /// True if everything on screen is complete and nothing is being computed.
    virtual bool isSettled() const { return true; }
    /// True if a click shows allocations in the details, which therefore keep their room.
    virtual bool fillsDetails() const { return false; }
    /// Returns a new note on the row or bar with the keyboard focus; nullopt if the panel has none.
    virtual std::optional<Note> noteHere() const { return std::nullopt; }
    /// Shows the notes whose place is in the panel. `subject` is the run that the page shows.
    virtual void showNotes(const Notes& notes, const NoteSubject& subject)
    {
        Q_UNUSED(notes);
        Q_UNUSED(subject);
    }

signals:
    /// Requests to show this event in the timeline.
    void eventRequested(qint64 event);
    /// The cursor is about to move to this event without the mouse. Requests that the timeline shows the
    /// event; its view moves only if the event is outside.
    void viewOfEventRequested(qint64 event);
    /// Requests to zoom the timeline to the events [first, last).
    void rangeRequested(qint64 first, qint64 last);
    /// Requests to pin this allocation.
    void allocationRequested(quint32 allocation);
    /// Requests to pin this allocation at the moment on screen, without going elsewhere.
    void allocationPinned(quint32 allocation);
    /// Requests to make the timeline visible, because something is shown there.
    void timelineWanted();
    /// The user wants to add this note.
    void noteRequested(const highwater::Note& draft);
    /// The content on screen is complete.
    void settled();
};

} // namespace highwater::gui
