#pragma once

#include <optional>

#include <QObject>

#include "core/run/note.h"

namespace highwater::gui {

class DocumentPage;
class NoteCommands;
class PageStack;
class RunSession;

/// Notes and pages: shows the notes on the pages, makes new ones of where the page is, and goes to their
/// places, also in another file of the run.
class NoteNavigation : public QObject
{
    Q_OBJECT

public:
    /// All of them must outlive it. `page` shows the run that was opened, also while a comparison is open.
    NoteNavigation(NoteCommands& notes, PageStack& pages, DocumentPage& page, RunSession& session,
        QObject* parent = nullptr);

    /// Goes on to the note whose file is on screen by now.
    void goToWanted();

private:
    void connectPages();
    void followPage();
    void showNotes();
    Note noteHere() const;
    bool isCovered() const;
    void add(const Note& draft);
    void goTo(int index);
    QString goTo(const Note& note);
    QString goElsewhere(const Note& note);
    QString goToFileOf(const Note& note);

    NoteCommands& m_notes;
    PageStack& m_pages;
    DocumentPage& m_page;
    RunSession& m_session;
    std::optional<Note> m_wanted; ///< to go to as soon as its file is on screen
};

} // namespace highwater::gui
