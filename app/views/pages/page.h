#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/parts/picture_export.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/diff/side_names.h"

class QSettings;

namespace highwater::gui {

/// Commands of the window that a page supports; the others are disabled or hidden.
struct PageOffers
{
    bool view = false; ///< fit, zoom, pan, peak, steps, Esc
    bool search = false; ///< going to a place, and searching
    bool times = false; ///< the x axis can show time
    bool steps = false; ///< the x axis can show steps
    bool outOfMemory = false; ///< the run has out-of-memory events
    bool another = false; ///< another run can be compared with the page's run
    bool swap = false; ///< the two runs can be swapped
    bool close = false; ///< the page can be closed
    bool toolBar = true; ///< the tool bar of the window, whose commands need one run
    bool sidePanel = false;
};

/// A page that fills the window: one run, a comparison, a table of runs, the report, or the start page. The
/// commands of the window call the page on screen; `offers` says which commands it supports. Functions that a
/// page does not support do nothing.
class Page : public QWidget, public PictureTitler
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Returns the runs on the page: one, or the runs before and after; empty if the page shows neither.
    virtual std::vector<NoteSubject> subjects() const { return {}; }
    /// Returns the names of the page's files, and whether a run was rehearsed, for the title of the window.
    virtual QString title() const;
    virtual PageOffers offers() const { return {}; }
    /// Returns the width in pixels below which the page loses a part; the notes beside it give way first. 0
    /// if it loses none.
    virtual int leastWidth() const { return 0; }
    /// Returns the two moments of one run if the page compares two; else nullopt.
    virtual std::optional<ComparedEvents> comparedMoments() const { return {}; }
    /// True if a report can be made of its runs.
    virtual bool isReportable() const { return !subjects().empty(); }
    virtual QString statusText() const { return {}; }
    virtual QString cursorText() const { return {}; }
    /// True if everything on screen is complete and nothing is being computed.
    virtual bool isSettled() const { return true; }
    virtual void setColors(const ThemeColors& colors) { Q_UNUSED(colors); }
    virtual void saveLayout(QSettings& settings) const { Q_UNUSED(settings); }
    virtual void restoreLayout(const QSettings& settings) { Q_UNUSED(settings); }
    /// Returns the largest visible picture; an offer without a source if no picture is visible.
    virtual PictureOffer picture() const;
    PictureTitle pictureTitle() const override;
    /// Returns "<stem>-<name of the view>.png", with the folder and the stem of the page's file. If the page
    /// has two files, the file after is meant. Empty without a file.
    QString picturePath(const QWidget& view) const override;
    /// Moves the keyboard focus to the main part.
    virtual void takeFocus() { setFocus(); }

    /// Shows everything.
    virtual void fit() { }
    /// Fits the y axis to the highest total in view.
    virtual void fitHeight() { }
    virtual void zoom(double factor) { Q_UNUSED(factor); }
    virtual void pan(double shareOfView) { Q_UNUSED(shareOfView); }
    virtual void goToPeak() { }
    virtual void goToNeighbourStep(int by) { Q_UNUSED(by); }
    /// True if there is a view to return to. `statusChanged` says that it may have changed.
    virtual bool canGoBack() const { return false; }
    virtual void goBack() { }
    /// Handles Esc: ends the innermost choice, such as a pinned allocation.
    virtual void release() { }
    /// Swaps the runs before and after.
    virtual void swap() { }

    /// Shows these notes, and marks the one with the chosen number. `notes` must outlive the page; after a
    /// change, call this again.
    virtual void showNotes(const Notes& notes, int chosenNumber);
    /// Returns a new note about the current place.
    virtual Note noteHere() const { return {}; }
    /// Goes to a note's place; returns false if the place is not on this page.
    virtual bool goTo(const Note&) { return false; }

signals:
    /// `subjects`, `title` or `offers` may have changed.
    void changed();
    /// `statusText` or `cursorText` may have changed.
    void statusChanged();
    /// One sentence for the status bar, about what has just been done.
    void said(const QString& text);
    /// `isSettled` may have become true.
    void settled();
    void closeRequested();
    /// The user wants to add this note.
    void noteRequested(const highwater::Note& draft);
    void noteClicked(int number);
    /// The user looked for a note and wants to go to its place.
    void noteSought(int number);
    void noteMoved(int number, qint64 event);
};

} // namespace highwater::gui
