#pragma once

#include <QFrame>

#include "app/views/charts/memory_gauge.h"
#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/diff/logs/log_diff.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace highwater::gui {

/// The outcome of a comparison and the first sentence on its causes; "More" shows the others in place. On the
/// right, or below where the header is narrow, are the totals before and after, their difference, and how
/// much of its GPU each run used. If the peaks are of unequal steps, the caption names these.
class CompareHeader : public QFrame
{
    Q_OBJECT

public:
    explicit CompareHeader(QWidget* parent = nullptr);

    /// Shows the comparison of two runs at two moments. Null hides everything.
    void show(const MomentDiff* diff);
    /// Shows how much of its GPU each run used at the compared moment, on one scale. Not for two moments of
    /// one run. A capacity that is known for only one run is marked in both.
    void showGauges(GaugeFigures before, GaugeFigures after);
    /// Shows the comparison of two logs, with the largest values of the compared series if there is one;
    /// `measure` names that series. Null hides everything.
    void show(const LogDiff* diff, const QString& measure);
    void setColors(const ThemeColors& colors);
    /// Return the outcome, and all sentences after it.
    QString headline() const;
    QString details() const;
    /// Shows all sentences, or only the first in one line.
    void unfold(bool open);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* makeFigure(const char* name);
    QLabel* makeCaption();
    QWidget* makeGauges();
    void showVerdict(const DiffVerdict& verdict);
    void offerMore();
    void showFigures(Bytes before, Bytes after, const QString& caption);
    void setFiguresVisible(bool visible);
    void paintDelta();
    void fitSentences();

    QBoxLayout* m_halves = nullptr; ///< the sentences and the figures
    QLabel* m_totals;
    QLabel* m_delta;
    QLabel* m_caption; ///< names the totals
    QLabel* m_outcome; ///< the headline
    QLabel* m_first; ///< the first sentence after the headline, in one line
    QLabel* m_verdict; ///< all sentences after the headline
    QToolButton* m_more; ///< checked while all sentences are shown
    bool m_hasMore = false; ///< there are further sentences
    QWidget* m_gauges = nullptr;
    MemoryGauge* m_beforeGauge = nullptr;
    MemoryGauge* m_afterGauge = nullptr;
    Bytes m_deltaBytes = 0;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
