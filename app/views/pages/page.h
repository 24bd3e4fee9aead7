#pragma once

#include <vector>

#include <QWidget>

#include "app/views/parts/picture_export.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"

class QSettings;

namespace highwater::gui {

/// The commands of the window that a page takes part in; the others are disabled or hidden.
struct PageOffers
{
    bool view = false; ///< fit, zoom, pan, peak, steps, release
    bool search = false; ///< going to a place, searching
    bool times = false; ///< its axis can be time
    bool steps = false; ///< its axis can be steps
    bool outOfMemory = false; ///< it has places where memory ran out
    bool another = false; ///< another run can be compared with it
    bool swap = false; ///< its two runs can be exchanged
    bool close = false; ///< it can be closed
    bool toolBar = true; ///< the tool bar, whose commands are of one run
    bool sidePanel = false;
};

/// What fills the window: one run, a comparison, a table of runs, the report, or how to open something. The
/// commands of the window go to the page on screen.
class Page : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The runs on it: one, or the one before and then the one after; none: it shows no single run.
    virtual std::vector<NoteSubject> subjects() const { return {}; }
    /// For the title of the window: the names of its files.
    virtual QString title() const;
    virtual PageOffers offers() const { return {}; }
    /// Whether a report can be made of its runs.
    virtual bool isReportable() const { return !subjects().empty(); }
    virtual QString statusText() const { return {}; }
    virtual QString cursorText() const { return {}; }
    /// Whether all that it shows now is complete (nothing is being worked out).
    virtual bool isSettled() const { return true; }
    virtual void setColors(const ThemeColors& colors) { Q_UNUSED(colors); }
    virtual void saveLayout(QSettings& settings) const { Q_UNUSED(settings); }
    virtual void restoreLayout(const QSettings& settings) { Q_UNUSED(settings); }
    /// The largest of those in view; empty: it has none.
    virtual Picture picture() const;
    /// Gives the keyboard to its main part.
    virtual void takeFocus() { setFocus(); }

    /// Everything in view.
    virtual void fit() { }
    virtual void zoom(double factor) { Q_UNUSED(factor); }
    virtual void pan(double shareOfView) { Q_UNUSED(shareOfView); }
    virtual void goToPeak() { }
    virtual void goToNeighbourStep(int by) { Q_UNUSED(by); }
    /// What Esc does: lets go of what was chosen last.
    virtual void release() { }
    /// What was before is after.
    virtual void swap() { }

    /// `notes` must outlive the page, and what it shows of them stays as it is until they are shown again.
    virtual void showNotes(const Notes& notes, int chosenNumber);
    /// What a new note would be about.
    virtual Note noteHere() const { return {}; }
    /// False: the place is not on the page.
    virtual bool goTo(const Note&) { return false; }

signals:
    /// Other runs, or another way to read them: `subjects`, `title` or `offers` may be other ones.
    void changed();
    /// `statusText` or `cursorText`.
    void statusChanged();
    /// `isSettled` may have become true.
    void settled();
    void closeRequested();
    /// The user wants a note like this one.
    void noteRequested(const highwater::Note& draft);
    void noteClicked(int number);
    void noteMoved(int number, qint64 event);
};

} // namespace highwater::gui
