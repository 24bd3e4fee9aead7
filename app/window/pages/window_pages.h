#pragma once

#include "app/views/pages/page_stack.h"

namespace highwater::gui {

class ComparePage;
class DocumentPage;
class LogCompareView;
class LogPage;
struct OpenSessions;
class RecentFiles;
class RecordingPage;
class ReportView;
class StartPage;
class SweepView;
struct Document;

/// The pages of a window, one of each, and the stack that shows them.
struct WindowPages
{
    /// The pages belong to the stack, which belongs to `parent`. Sessions and recent files must outlive them.
    WindowPages(OpenSessions& sessions, const RecentFiles& recent, QWidget* parent);

    PageStack& stack;
    StartPage& start;
    DocumentPage& document; ///< holds the open run, even while another page is shown
    RecordingPage& recording; ///< for a file without memory events
    LogPage& log;
    ComparePage& compare;
    LogCompareView& logCompare;
    SweepView& table;
    ReportView& report; ///< covers the page that it reports on

    /// Shows a file on its page. `sameRun`: it replaces another file of the same run.
    void open(const std::shared_ptr<const Document>& document, bool sameRun);
    /// Shows the page of the open file; without one, the start page.
    void showRun();

private:
    Page& pageOf(const Document* file) const;
};

} // namespace highwater::gui
