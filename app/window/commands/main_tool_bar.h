#pragma once

#include <vector>

#include <QToolBar>

#include "app/window/commands/actions.h"
#include "app/workspace/document/document.h"
#include "app/workspace/document/run_session.h"
#include "core/analysis/composition/band_groups.h"

class QComboBox;

namespace highwater::gui {

/// The tool bar: commands, and choosers for the file and the device where there is a choice.
class MainToolBar : public QToolBar
{
    Q_OBJECT

public:
    explicit MainToolBar(const Actions& actions, QWidget* parent = nullptr);

    /// The files of the run that is open, with the one on screen or on its way there.
    void showFiles(const RunSession& session);
    /// The devices of the file on screen.
    void showDevices(const Document& document);
    /// What bands can be stacked by on the device shown, and by what they are.
    void showModes(const std::vector<BandMode>& modes, BandMode current);
    /// Nothing is open: nothing to choose.
    void hideChoosers();

signals:
    /// In `RunLoader::files`.
    void fileChosen(int file);
    void deviceChosen(int index);
    void modeChosen(highwater::BandMode mode);

private:
    QComboBox* makeChooser(const QString& name, const QString& accessibleName, const QString& tip);

    QComboBox* m_files;
    QComboBox* m_devices;
    QComboBox* m_modes;
    QAction* m_filesAction;
    QAction* m_devicesAction;
    QAction* m_modesAction;
};

} // namespace highwater::gui
