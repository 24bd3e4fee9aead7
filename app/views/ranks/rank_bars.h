#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/base/units.h"

namespace highwater::gui {

/// What is drawn of one file of a run.
struct RankBar
{
    std::size_t file = 0; ///< in `RunLoader::files`
    QString name; ///< "rank 3"
    std::optional<Bytes> peak; ///< none: not known
    std::optional<Bytes> median; ///< of the ranks that it is compared with
    bool outlier = false;
    bool outOfMemory = false;
    QString note; ///< in place of a bar: why there is none
};

/// One bar a rank, its length the rank's peak; a line at the median. Outliers and ranks that ran out of
/// memory are marked. A click chooses the rank.
class RankBars : public QWidget
{
    Q_OBJECT

public:
    explicit RankBars(QWidget* parent = nullptr);

    void setBars(std::vector<RankBar> bars);
    void setSelected(std::optional<std::size_t> file);
    void setColors(const ThemeColors& colors);
    const std::vector<RankBar>& bars() const { return m_bars; }
    /// In the widget's pixels; a line high where the peak is not known.
    QRect barRect(std::size_t bar) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, rowHeight()}; }

signals:
    void chosen(int file);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int nameWidth() const;
    /// The bar at this height; none: below the last.
    std::optional<std::size_t> barAt(const QPoint& position) const;
    double xOf(Bytes bytes) const;
    void paintBar(QPainter& painter, std::size_t index) const;
    void paintMedian(QPainter& painter, std::size_t index) const;

    std::vector<RankBar> m_bars;
    Bytes m_highest = 1;
    std::optional<std::size_t> m_selected;
    ThemeColors m_colors;
};

} // namespace highwater::gui
