#pragma once

#include <memory>

#include "app/views/parts/tool_bar.h"
#include "app/window/commands/actions.h"
#include "app/workspace/document/document.h"

class QComboBox;
class QToolButton;

namespace highwater::gui {

class ByteCommands;
class DocumentPage;
class NoteCommands;
class RunSession;

/// One row: commands, choosers for the file, the device, the bytes, the axis and what bands are stacked by,
/// where there is a choice, and the search.
class MainToolBar : public ToolBar
{
    Q_OBJECT

public:
    struct Parts
    {
        const Actions& actions;
        const ByteCommands& bytes;
        const NoteCommands& notes;
        RunSession& session;
        DocumentPage& page;
    };

    /// All of them must outlive it.
    explicit MainToolBar(const Parts& parts, QWidget* parent = nullptr);

    /// Shows what the page on screen takes part in.
    void follow(const PageOffers& offers);

private:
    QToolButton* makeMenuButton(const char* name, const QString& tip, const QList<QAction*>& choices);
    void fill(const Parts& parts);
    void connectChoosers();
    void showFiles();
    void showDevices();
    void showModes();
    void showChoices();

    /// A button whose menu has choices of which one is checked, and where it is in the bar.
    struct Choice
    {
        QToolButton* button;
        QAction* place;
        QList<QAction*> actions;
    };

    RunSession& m_session;
    DocumentPage& m_page;
    std::shared_ptr<const Document> m_document; ///< the one whose devices are listed
    QComboBox* m_files;
    QComboBox* m_devices;
    QWidget* m_modes; ///< a button a mode
    QAction* m_filesAction = nullptr;
    QAction* m_devicesAction = nullptr;
    QAction* m_modesAction = nullptr;
    QAction* m_searchAction = nullptr;
    QList<Choice> m_choices;
};

} // namespace highwater::gui
