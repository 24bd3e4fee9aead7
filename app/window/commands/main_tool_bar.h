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
/// and the search. In a narrow window the row takes less room step by step (`Density`), so that nothing
/// leaves it from 960 pixels up.
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

    /// The ways to fit a narrow window; each leaves out more than the one before.
    enum class Density
    {
        Roomy,
        BandsInMenu, ///< the ways to stack bands are one button with a menu
        IconsOnly, ///< commands have no text
        MoreMenu ///< the choices of bytes and axis are in the menu of a » button
    };
    Density density() const { return m_density; }

private:
    void fill(const Parts& parts);
    void connectChoosers();
    void showFiles();
    void showDevices();
    void showModes();
    void showChoices();
    void makeMore(const QList<QAction*>& choices);
    void apply(Density density);

    /// A button with a menu of exclusive choices, and its place in the bar.
    struct Choice
    {
        QToolButton* button;
        QAction* place;
        QList<QAction*> actions;
        bool isOffered = false; ///< there is a choice
    };

    RunSession& m_session;
    DocumentPage& m_page;
    std::shared_ptr<const Document> m_document; ///< the document whose devices are listed
    QComboBox* m_files;
    QComboBox* m_devices;
    QWidget* m_modes; ///< one button per mode
    QToolButton* m_modeMenu; ///< the same as a menu, for narrow windows
    QToolButton* m_more; ///< menu of the choices without room
    QList<QToolButton*> m_commands; ///< buttons that lose their text if room is short
    QAction* m_filesAction = nullptr;
    QAction* m_devicesAction = nullptr;
    QAction* m_modesAction = nullptr;
    QAction* m_modeMenuAction = nullptr;
    QAction* m_moreAction = nullptr;
    QAction* m_searchAction = nullptr;
    bool m_hasModes = false;
    Density m_density = Density::Roomy;
    QList<Choice> m_choices;
};

} // namespace highwater::gui
