#pragma once

#include <QFrame>

#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/diff/log_diff.h"

class QLabel;

namespace highwater::gui {

/// The result in two figures and a sentence: the totals before and after, their difference, and its main
/// cause.
class CompareHeader : public QFrame
{
    Q_OBJECT

public:
    explicit CompareHeader(QWidget* parent = nullptr);

    /// Null: nothing to say yet.
    void show(const MomentDiff* diff);
    /// Of two logs: the largest values of the series that is compared, if there is one. Null: nothing yet.
    void show(const LogDiff* diff, const QString& measure);
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
    void showVerdict(const DiffVerdict& verdict);
    void showFigures(Bytes before, Bytes after, const QString& caption, const QString& deltaCaption);
    void setFiguresVisible(bool visible);
    void paintDelta();
    void fitSentences();

    Figure m_totals;
    Figure m_delta;
    QLabel* m_verdict;
    Bytes m_deltaBytes = 0;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
