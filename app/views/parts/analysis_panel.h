#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// One tab below the timeline: answers one question about the device on screen. It follows and sets the
/// Selection that it is given, and works only while it is visible: what changes meanwhile is caught up with
/// when it is shown.
class AnalysisPanel : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Another device; null: none.
    virtual void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) = 0;
    virtual void setColors(const ThemeColors& colors) = 0;
    /// What the device has, as the file says or the user has chosen; none: not known.
    virtual void setCapacity(const std::optional<DeviceCapacity>& capacity) { Q_UNUSED(capacity); }
    /// Whether all that it shows now is complete (nothing is being worked out).
    virtual bool isSettled() const { return true; }
    /// A new note on what the keyboard is at in it; none: on nothing of its own.
    virtual std::optional<Note> noteHere() const { return std::nullopt; }
    /// Those of the notes that lie in it; `subject` is what the page shows.
    virtual void showNotes(const Notes& notes, const NoteSubject& subject)
    {
        Q_UNUSED(notes);
        Q_UNUSED(subject);
    }

signals:
    /// Take the timeline to this event.
    void eventRequested(qint64 event);
    /// Fill the timeline with the events [first, last).
    void rangeRequested(qint64 first, qint64 last);
    /// Pin this allocation.
    void allocationRequested(quint32 allocation);
    /// The user wants a note like this one.
    void noteRequested(const highwater::Note& draft);
    /// What it shows has become complete.
    void settled();
};

} // namespace highwater::gui
