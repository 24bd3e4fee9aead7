#pragma once

#include <QObject>

class QAction;
class QMenu;

namespace highwater::gui {

class DocumentPage;

/// The command that edits the user's category rules. They apply to every file and are stored in the settings
/// if the window stores any.
class RulesCommand : public QObject
{
    Q_OBJECT

public:
    /// Adds its command to the menu.
    RulesCommand(DocumentPage& page, QMenu& menu, bool remember, QWidget* window);

    QAction* const edit;

private:
    void editRules();
    void refresh();

    DocumentPage& m_page;
    bool m_remember;
    QWidget* m_window;
};

} // namespace highwater::gui
