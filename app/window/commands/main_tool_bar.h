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

/// One row with commands, choosers for file, device, bytes, axis and stacking of bands if there is a choice,
/// and the search.
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

    /// All of them must outlive the tool bar.
    explicit MainToolBar(const Parts& parts, QWidget* parent = nullptr);

    /// Shows the commands and choosers that the page on screen supports.
    void follow(const PageOffers& offers);

private:
    QToolButton* makeMenuButton(const char* name, const QString& tip, const QList<QAction*>& choices);
    void fill(const Parts& parts);
    void connectChoosers();
    void showFiles();
    void showDevices();
    void showModes();
    void showChoices();

    /// A button with a menu of exclusive choices, and its place in the bar.
    struct Choice
    {
        QToolButton* button;
        QAction* place;
        QList<QAction*> actions;
    };

    RunSession& m_session;
    DocumentPage& m_page;
    std::shared_ptr<const Document> m_document; ///< the document whose devices are listed
    QComboBox* m_files;
    QComboBox* m_devices;
    QWidget* m_modes; ///< one button per mode
    QAction* m_filesAction = nullptr;
    QAction* m_devicesAction = nullptr;
    QAction* m_modesAction = nullptr;
    QAction* m_searchAction = nullptr;
    QList<Choice> m_choices;
};

} // namespace highwater::gui
