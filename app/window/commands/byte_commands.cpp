#include "app/window/commands/byte_commands.h"
#include "app/window/commands/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QSettings>

#include "app/views/pages/verdict_bar.h"
#include "app/window/commands/capacity_dialog.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

namespace {

const char* const kPeakSoFar = "showPeakSoFar";

} // namespace

ByteCommands::ByteCommands(DocumentPage& page, QMenu& menu, bool remember, QWidget* window)
    : QObject(window)
    , requested(makeCommand(
          *window, tr("&Requested bytes"), tr("Bytes that the program requested, as recorded in the file")))
    , allocated(makeCommand(*window, tr("&Allocated bytes"),
          tr("Bytes that the blocks occupy: recorded if the snapshot still has the block, else inferred")))
    , peakSoFar(makeCommand(*window, tr("Peak &so far"), tr("Show a line at the peak up to each moment")))
    , capacity(makeCommand(*window, tr("C&apacity…"), tr("Choose a GPU or a size to see if the run fits it")))
    , fitWithCapacity(makeCommand(*window, tr("Fit &with capacity"),
          tr("Show the whole trace up to the capacity of the GPU"), QKeySequence(Qt::CTRL | Qt::Key_0)))
    , m_page(page)
    , m_remember(remember)
    , m_window(window)
    , m_capacities(remember)
{
    fillMenu(menu);
    m_page.setCapacityChoices(m_capacities);
    connectCommands();
    refresh();
}

void ByteCommands::fillMenu(QMenu& menu)
{
    auto* quantities = new QActionGroup(this);
    for (QAction* action : {requested, allocated}) {
        action->setCheckable(true);
        quantities->addAction(action);
    }
    requested->setIconText(tr("Requested"));
    allocated->setIconText(tr("Allocated"));
    requested->setChecked(true);
    peakSoFar->setCheckable(true);
    const bool shown = m_remember && QSettings().value(kPeakSoFar, false).toBool();
    peakSoFar->setChecked(shown);
    m_page.setPeakSoFarShown(shown);
    menu.addSeparator();
    menu.addActions({requested, allocated});
    menu.addSeparator();
    menu.addActions({peakSoFar, capacity, fitWithCapacity});
}

void ByteCommands::connectCommands()
{
    connect(requested, &QAction::triggered, this, [this] { m_page.analysisSettings().setAllocated(false); });
    connect(allocated, &QAction::triggered, this, [this] { m_page.analysisSettings().setAllocated(true); });
    connect(peakSoFar, &QAction::toggled, this, [this](bool shown) {
        m_page.setPeakSoFarShown(shown);
        if (m_remember)
            QSettings().setValue(kPeakSoFar, shown);
    });
    connect(capacity, &QAction::triggered, this, &ByteCommands::askForCapacity);
    connect(&m_page.verdict(), &VerdictBar::capacityRequested, this, &ByteCommands::askForCapacity);
    connect(fitWithCapacity, &QAction::triggered, &m_page, &DocumentPage::fitWithCapacity);
    connect(&m_page, &DocumentPage::changed, this, &ByteCommands::refresh);
}

void ByteCommands::setOffered(bool offered)
{
    m_isOffered = offered;
    refresh();
}

void ByteCommands::refresh()
{
    const bool isOpen = m_isOffered && m_page.analysis();
    const bool hasChoice = m_page.analysisSettings().offersAllocated();
    for (QAction* action : {requested, allocated})
        action->setVisible(hasChoice);
    (m_page.analysisSettings().wantsAllocated() ? allocated : requested)->setChecked(true);
    for (QAction* action : {peakSoFar, capacity})
        action->setEnabled(isOpen);
    fitWithCapacity->setEnabled(isOpen && m_page.capacity().has_value());
}

void ByteCommands::askForCapacity()
{
    if (!m_page.analysis())
        return;
    const QString path = QString::fromStdString(m_page.document()->path);
    CapacityDialog dialog(m_page.analysis()->capacity, m_capacities.of(path), m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (dialog.isForAllFiles())
        m_capacities.chooseForAll(dialog.choice());
    else
        m_capacities.choose(path, dialog.choice());
}

} // namespace highwater::gui
