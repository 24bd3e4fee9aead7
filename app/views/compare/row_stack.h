#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "app/workspace/source/source_lookup.h"
#include "app/workspace/theme/theme_colors.h"

class QLabel;
class QToolButton;

namespace highwater::gui {

class StackView;

/// The stacks of a row of the comparison, one at a time, under a line that names the run and turns to the
/// others. Enter or a double click on a frame opens its source in the editor. Hidden without stacks.
class RowStack : public QWidget
{
    Q_OBJECT

public:
    struct Entry
    {
        QString title;
        std::shared_ptr<const Trace> trace;
        StackId stack;
    };

    explicit RowStack(QWidget* parent = nullptr);

    /// Shows the first of these stacks.
    void show(std::vector<Entry> entries);
    void clear() { show({}); }
    void setColors(const ThemeColors& colors);
    StackView& stack() { return *m_stack; }

private:
    void turnTo(std::size_t entry);
    void openFrame(FrameId frame);
    void openSource(const SourceAnswer& answer);
    void askForFolder();
    void copy() const;

    std::vector<Entry> m_entries;
    std::size_t m_shown = 0; ///< index in m_entries
    QLabel* m_title;
    QToolButton* m_previous;
    QLabel* m_place;
    QToolButton* m_next;
    StackView* m_stack;
    SourceLookup m_lookup;
};

} // namespace highwater::gui
