#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;
class QMenu;

namespace highwater::gui {

/// Lists every command of the menus by name: typing filters the list, Enter runs the selected command.
/// Commands that cannot be run now are listed as such.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    explicit CommandPalette(const QList<QAction*>& menus, QWidget* parent = nullptr);

    /// Returns the selected command; null if there is none or it cannot be run now.
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

/// Shows the palette and runs the selected command.
void runCommandPalette(const QList<QAction*>& menus, QWidget* parent);

} // namespace highwater::gui
