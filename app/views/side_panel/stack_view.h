#pragma once

#include <QTreeWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/stacks/folded_stack.h"

namespace highwater::gui {

/// A stack, Python frames first. Consecutive library or C++ frames are folded into one row; a click or Enter
/// unfolds the row, or folds it again. A click on a frame chooses it, a double click or Enter opens it, and
/// its context menu has the other commands. Items are reused, and items of folded frames are made only when a
/// row is unfolded, because the view follows the mouse.
class StackView : public QTreeWidget
{
    Q_OBJECT

public:
    explicit StackView(QWidget* parent = nullptr);

    void setStack(std::vector<StackLine> lines);
    void setColors(const ThemeColors& colors);
    /// Chooses the row of a frame, as a click on it does. Does nothing for a frame in a fold.
    void chooseFrame(FrameId frame);

signals:
    /// Asks for the source of this frame.
    void frameChosen(highwater::FrameId frame);
    /// Asks to open the source of this frame in the editor.
    void openRequested(highwater::FrameId frame);
    /// Asks to highlight the allocations with this frame in their stack.
    void highlightRequested(highwater::FrameId frame);
    void copyRequested();
    void folderRequested();

protected:
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    const StackLine& lineOf(const QTreeWidgetItem& item) const;
    bool isFold(const QTreeWidgetItem& item) const;
    void showLine(QTreeWidgetItem& item);
    void addFoldedItems(QTreeWidgetItem* item);
    void choose(QTreeWidgetItem* item);
    void open(QTreeWidgetItem* item);
    FrameId currentFrame() const;
    void addCommands();
    void offerCommands();

    ThemeColors m_colors;
    std::vector<StackLine> m_lines; ///< in the order of the top-level items
    std::vector<QAction*> m_frameCommands; ///< commands on the current frame
};

} // namespace highwater::gui
