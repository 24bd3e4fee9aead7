#include "app/window/commands/command_palette.h"

#include <algorithm>

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

namespace {

constexpr QSize kSize(560, 420);

QString withoutMnemonic(const QString& text)
{
    return QString(text).remove(QLatin1Char('&'));
}

} // namespace

CommandPalette::CommandPalette(const QList<QAction*>& menus, QWidget* parent)
    : QDialog(parent)
    , m_field(named(new QLineEdit(this), "paletteField", tr("Command")))
    , m_list(named(new QListWidget(this), "paletteList", tr("Commands")))
{
    setWindowTitle(tr("Commands"));
    resize(kSize);
    m_field->setPlaceholderText(tr("Type part of a command's name"));
    m_field->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    layColumn(this, {m_field, {m_list, 1}}, {{8, 8, 8, 8}, 8});
    for (const QAction* menu : menus)
        if (menu->menu())
            collect(*menu->menu(), withoutMnemonic(menu->text()));
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_field, &QLineEdit::returnPressed, this, &QDialog::accept);
    connect(m_list, &QListWidget::itemClicked, this, &QDialog::accept);
    narrow({});
}

void CommandPalette::collect(const QMenu& menu, const QString& path)
{
    for (QAction* action : menu.actions()) {
        const QString name = QStringLiteral("%1 › %2").arg(path, withoutMnemonic(action->text()));
        if (action->menu())
            collect(*action->menu(), name);
        if (action->menu() || action->isSeparator() || !action->isVisible())
            continue;
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        auto* row = new QListWidgetItem(key.isEmpty() ? name : name + QStringLiteral("    ") + key, m_list);
        row->setToolTip(action->isEnabled() ? action->toolTip() : tr("Not available here"));
        if (!action->isEnabled())
            row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
        m_commands << action;
    }
}

/// Shows the commands whose names contain every word.
void CommandPalette::narrow(const QString& text)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_list->count(); ++row) {
        const QString name = m_list->item(row)->text();
        const bool fits = std::ranges::all_of(
            words, [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
        m_list->item(row)->setHidden(!fits);
        if (fits && first < 0 && m_commands[row]->isEnabled())
            first = row;
    }
    m_list->setCurrentRow(first);
}

QAction* CommandPalette::chosen() const
{
    QAction* const action = m_commands.value(m_list->currentRow());
    return action && action->isEnabled() ? action : nullptr;
}

/// Up and Down move through the list while the keyboard focus stays in the field.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown)
            return QCoreApplication::sendEvent(m_list, event);
    }
    return QDialog::eventFilter(watched, event);
}

void runCommandPalette(const QList<QAction*>& menus, QWidget* parent)
{
    CommandPalette palette(menus, parent);
    if (palette.exec() != QDialog::Accepted)
        return;
    if (QAction* const action = palette.chosen())
        action->trigger();
}

} // namespace highwater::gui
