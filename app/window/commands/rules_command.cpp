#include "app/window/commands/rules_command.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

#include "app/window/commands/rules_dialog.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

namespace {
const char* const kRulesKey = "categoryRules";
} // namespace

RulesCommand::RulesCommand(DocumentPage& page, QMenu& menu, bool remember, QWidget* window)
    : QObject(window)
    , edit(menu.addAction(tr("Category &rules…")))
    , m_page(page)
    , m_remember(remember)
    , m_window(window)
{
    edit->setToolTip(tr("Assign categories to allocations by their frames and sizes"));
    edit->setStatusTip(edit->toolTip());
    connect(edit, &QAction::triggered, this, &RulesCommand::editRules);
    connect(&m_page, &DocumentPage::statusChanged, this, &RulesCommand::refresh);
    if (m_remember)
        if (const auto rules = parseCategoryRules(QSettings().value(kRulesKey).toString().toStdString()))
            m_page.analysisSettings().setRules(*rules);
    refresh();
}

void RulesCommand::refresh()
{
    edit->setEnabled(m_page.analysis() != nullptr);
}

void RulesCommand::editRules()
{
    RulesDialog dialog(m_page.analysis(), m_page.analysisSettings().rules(), m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_page.analysisSettings().setRules(dialog.rules());
    if (m_remember)
        QSettings().setValue(kRulesKey, QString::fromStdString(toJsonText(dialog.rules())));
}

} // namespace highwater::gui
