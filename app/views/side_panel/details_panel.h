#pragma once

#include <functional>
#include <memory>

#include <QWidget>

#include "app/views/side_panel/allocation_facts.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/selection.h"
#include "core/run/note.h"

class QMenu;
class QPushButton;

namespace highwater::gui {

class FactSheet;
class StackView;

/// Details of the allocation that is pinned or under the mouse. Positions its parts itself: a layout would
/// make the whole window lay itself out on every change.
class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(Selection& selection, QWidget* parent = nullptr);

    void show(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);
    /// What is noted of an allocation, a line for each note.
    using NotesOf = std::function<QStringList(AllocationIndex)>;
    void setNotes(NotesOf notes);
    /// Everything shown, as text; empty when nothing is.
    QString text() const;

    QSize sizeHint() const override { return {330, 600}; }
    QSize minimumSizeHint() const override { return {260, 200}; }

signals:
    /// The user wants a note on what is shown.
    void noteRequested(const highwater::Note& draft);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent*) override { arrange(); }
    void showEvent(QShowEvent*) override { refresh(); }

private:
    void refresh();
    void arrange();
    void copyAll();
    void addNoteActions(QMenu& menu);

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    FrameThrottle m_pace; ///< it follows the mouse
    FactSheet* m_sheet;
    StackView* m_stack;
    QPushButton* m_copy;
    NotesOf m_notes;
    StackId m_shownStack; ///< the one that m_stack has; none: none
};

} // namespace highwater::gui
