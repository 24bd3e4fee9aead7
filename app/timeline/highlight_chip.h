#pragma once

#include <QWidget>

#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/band_view.h"

namespace highwater::gui {

/// A chip over the plot that describes the highlighted allocations: their name or call site, number and
/// bytes. If the text is too long, the name is shortened first. The allocations are counted off the GUI
/// thread. A click ends the highlight; the chip is hidden while nothing is highlighted.
class HighlightChip : public QWidget
{
    Q_OBJECT

public:
    HighlightChip(const BandView& bands, QWidget* plot);

    void setColors(const ThemeColors& colors);
    /// Returns a text such as "forward (model.py:39) · 156 allocations · 5.91 GiB"; empty without a
    /// highlight, and until counted.
    const QString& text() const { return m_text; }

    /// Counts on this thread, for a chip that is painted once.
    void countNow();

    QSize sizeHint() const override;

signals:
    /// The chip was shown, hidden or resized.
    void resized();
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    /// Figures for the text.
    struct Figures
    {
        Bytes bytes = 0;
        std::int64_t count = 0;
        /// All emphasised allocations, if `count` counts only those in use at the peak; else 0.
        std::int64_t total = 0;
        /// True if `bytes` is the most in use at a time, which is less than the sum.
        bool isMostAtATime = false;
        AllocationIndex first = AllocationTable::kNoAllocation;
        bool isOneSite = true;
    };

    static Figures countEmphasized(
        const DeviceAnalysis& analysis, const std::vector<bool>& emphasis, bool countsAll);
    void followBands();
    int textWidth() const;
    QString fittingText(int room) const;
    void show(const std::shared_ptr<const DeviceAnalysis>& analysis, const Figures& figures);

    const BandView& m_bands;
    ThemeColors m_colors;
    std::shared_ptr<const std::vector<bool>> m_shown;
    QString m_subject; ///< the beginning of m_text, which names what is highlighted
    QString m_text;
    QColor m_swatch;
    LatestTask m_countTask;
};

} // namespace highwater::gui
