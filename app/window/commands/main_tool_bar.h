#pragma once

#include <memory>

#include <QToolBar>

#include "app/window/commands/actions.h"
#include "app/workspace/document/document.h"

class QComboBox;

namespace highwater::gui {

class DocumentPage;
class RunSession;

/// The tool bar: commands, and choosers for the file, the device and what bands are stacked by, where there
/// is a choice.
class MainToolBar : public QToolBar
{
    Q_OBJECT

public:
    /// Session and page must outlive it.
    MainToolBar(const Actions& actions, RunSession& session, DocumentPage& page, QWidget* parent = nullptr);

private:
    QComboBox* makeChooser(const QString& name, const QString& accessibleName, const QString& tip);
    void connectChoosers();
    void showFiles();
    void showDevices();
    void showModes();

    RunSession& m_session;
    DocumentPage& m_page;
    std::shared_ptr<const Document> m_document; ///< the one whose devices are listed
    QComboBox* m_files;
    QComboBox* m_devices;
    QComboBox* m_modes;
    QAction* m_filesAction;
    QAction* m_devicesAction;
    QAction* m_modesAction;
};

} // namespace highwater::gui
