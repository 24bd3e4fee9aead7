#pragma once

#include <functional>
#include <vector>

#include <QToolBar>

class QToolButton;

namespace highwater::gui {

/// A tool bar whose buttons can be reached with Tab, since the buttons of QToolBar are only for the mouse,
/// and which can save room so that nothing leaves a narrow window.
class ToolBar : public QToolBar
{
    Q_OBJECT

public:
    using QToolBar::QToolBar;

    /// Makes a button that opens a menu; the caller adds it.
    QToolButton* makeMenuButton(const char* name, const QString& tip, const QList<QAction*>& choices);

    /// Sets the ways to save room, the first to use first. Each is called with true to save room, and with
    /// false to undo this.
    void setSavings(std::vector<std::function<void(bool)>> savings);

protected:
    void actionEvent(QActionEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    /// Uses as few savings as the width allows. The bar calls it when the width or a part changes.
    void fitWidth();

private:
    std::vector<std::function<void(bool)>> m_savings;
    bool m_isFitting = false;
    int m_fittedHint = -1; ///< the width of all shown parts after the last fitting, in pixels
};

} // namespace highwater::gui
