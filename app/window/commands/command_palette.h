#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;
class QMenu;

namespace highwater::gui {

/// Every command of the menus by its name: what is typed narrows the list, Enter runs the chosen one. Those
/// that cannot be run now are listed and say so.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    explicit CommandPalette(const QList<QAction*>& menus, QWidget* parent = nullptr);

    /// The command chosen; null: none, or it cannot be run now.
    QAction* chosen() const;
    QListWidget& list() const { return *m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void collect(const QMenu& menu, const QString& path);
    void narrow(const QString& text);

    QLineEdit* m_field;
    QListWidget* m_list;
    QList<QAction*> m_commands; ///< by row
};

/// Shows it and runs what is chosen.
void runCommandPalette(const QList<QAction*>& menus, QWidget* parent);

} // namespace highwater::gui
