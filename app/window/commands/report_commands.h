#pragma once

#include <QObject>

#include "app/workspace/saved/report_subject.h"

namespace highwater::gui {

struct Actions;
class CapacityChoices;
class DocumentPage;
class NoteList;
class PageStack;
class ReportView;
class RunSession;
struct NoteSubject;

/// The report on what is open: covers the page that it reports on, and is updated with it.
class ReportCommands : public QObject
{
    Q_OBJECT

public:
    /// The sources of a report. `page` shows the open run.
    struct Sources
    {
        PageStack& pages;
        DocumentPage& page;
        RunSession& session;
        const CapacityChoices& capacities;
        const NoteList& notes;
    };

    /// All of them must outlive the commands.
    ReportCommands(Actions& actions, ReportView& view, const Sources& sources, QObject* parent = nullptr);

    /// Shows the report if there is something to report on.
    void show();
    void hide();

private:
    void connectSources();
    void enableCommand();
    void refresh();
    ReportSubject subject() const;
    ReportedRun runOf(const NoteSubject& subject) const;

    Actions& m_actions;
    ReportView& m_view;
    Sources m_sources;
};

} // namespace highwater::gui
