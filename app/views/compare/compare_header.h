#pragma once

#include <QFrame>

#include "app/workspace/comparison_state.h"
#include "app/workspace/theme_colors.h"

class QLabel;

namespace highwater::gui {

/// What came of it, in two figures and a sentence: the totals before and after, their difference, and what
/// made it.
class CompareHeader : public QFrame
{
    Q_OBJECT

public:
    explicit CompareHeader(QWidget* parent = nullptr);

    /// Null: nothing to say yet.
    void show(const MomentDiff* diff);
    void setColors(const ThemeColors& colors);
    /// All that it says, one figure or sentence a line.
    QString text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Figure
    {
        QLabel* value;
        QLabel* caption;
    };

    Figure addFigure(const QString& name);
    void paintDelta();
    void fitSentences();

    Figure m_totals;
    Figure m_delta;
    QLabel* m_verdict;
    Bytes m_deltaBytes = 0;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
