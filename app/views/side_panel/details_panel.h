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

/// Shows details of the allocation that is pinned or under the mouse. It places its parts itself, because a
/// layout would lay out the whole window again on every change. `selection` must outlive the panel.
class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(Selection& selection, QWidget* parent = nullptr);

    void show(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);
    /// Returns the notes on an allocation, one line each.
    using NotesOf = std::function<QStringList(AllocationIndex)>;
    void setNotes(NotesOf notes);
    /// All details as text; empty if no allocation is shown.
    QString text() const;

    QSize sizeHint() const override { return {330, 600}; }
    QSize minimumSizeHint() const override { return {260, 200}; }

signals:
    /// The user wants to add this note on the shown allocation.
    void noteRequested(const highwater::Note& draft);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent*) override { placeParts(); }
    void showEvent(QShowEvent*) override { refresh(); }

private:
    void refresh();
    void placeParts();
    void copyAll();
    void addNoteActions(QMenu& menu);

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    FrameThrottle m_throttle; ///< limits updates, because the panel follows the mouse
    FactSheet* m_sheet;
    StackView* m_stack;
    QPushButton* m_copy;
    NotesOf m_notes;
    StackId m_shownStack; ///< stack in m_stack; none if it is empty
};

} // namespace highwater::gui
