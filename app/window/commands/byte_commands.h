#pragma once

#include <QObject>

#include "app/workspace/view/capacity_choices.h"

class QAction;
class QMenu;

namespace highwater::gui {

class DocumentPage;

/// The commands for the counted bytes and their reference lines: requested or allocated bytes, the peak so
/// far, the capacity of the device. The choices of lines and capacity are saved with the window's settings,
/// that of bytes is not.
class ByteCommands : public QObject
{
    Q_OBJECT

public:
    /// Adds the commands to the menu. With `remember` false, settings are neither read nor written.
    ByteCommands(DocumentPage& page, QMenu& menu, bool remember, QWidget* window);

    QAction* const requested;
    QAction* const allocated;
    QAction* const peakSoFar;
    QAction* const capacity;
    QAction* const fitWithCapacity;

    CapacityChoices& capacities() { return m_capacities; }
    /// Disables the commands on lines and capacity while the page that they act on is not on screen.
    void setOffered(bool offered);

private:
    void fillMenu(QMenu& menu);
    void connectCommands();
    void refresh();
    void askForCapacity();

    DocumentPage& m_page;
    bool m_remember;
    bool m_isOffered = false;
    QWidget* m_window;
    CapacityChoices m_capacities;
};

} // namespace highwater::gui
