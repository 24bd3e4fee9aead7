#pragma once

#include <optional>

#include <QObject>

#include "core/run/note.h"

namespace highwater::gui {

class DocumentPage;
class NoteCommands;
class Page;
class PageStack;
class RunSession;

/// Connects notes and pages: shows the notes on the pages, adds new notes at the current place, and goes to
/// the places of notes, also in another file of the run.
class NoteNavigation : public QObject
{
    Q_OBJECT

public:
    /// All arguments must outlive this object. `page` shows the open run, even while a comparison is on
    /// screen.
    NoteNavigation(NoteCommands& notes, PageStack& pages, DocumentPage& page, RunSession& session,
        QObject* parent = nullptr);

    /// Must be called when another file is on screen: goes to the note that waits for it, if there is one.
    void goToPendingNote();

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
    const Page* m_shown = nullptr; ///< the page of the latest `followPage`
    std::optional<Note> m_pendingNote; ///< pending until its file is on screen
};

} // namespace highwater::gui
