#pragma once

#include <memory>

#include <QWidget>

#include "app/workspace/source/source_lookup.h"
#include "app/workspace/theme/theme_colors.h"

class QLabel;

namespace highwater::gui {

class StackView;

/// The stack of a row of the comparison, under a line that names the run. Enter or a double click on a frame
/// opens its source in the editor. Hidden at first and after `clear`.
class RowStack : public QWidget
{
    Q_OBJECT

public:
    explicit RowStack(QWidget* parent = nullptr);

    void show(const QString& title, std::shared_ptr<const Trace> trace, StackId stack);
    void clear();
    void setColors(const ThemeColors& colors);
    StackView& stack() { return *m_stack; }

private:
    void openFrame(FrameId frame);
    void openSource(const SourceAnswer& answer);
    void askForFolder();
    void copy() const;

    std::shared_ptr<const Trace> m_trace;
    StackId m_shown; ///< isNone() while nothing is shown
    QLabel* m_title;
    StackView* m_stack;
    SourceLookup m_lookup;
};

} // namespace highwater::gui
