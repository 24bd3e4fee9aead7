#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/parts/cached_picture.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/ranks/rank_figures.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

/// A line of the overlay: the total of the main device of one rank.
struct RankLine
{
    std::size_t rank = 0; ///< index in `RunRanks::ranks`
    QString name;
    std::shared_ptr<const RankFile> figures; ///< has a main device
    bool outlier = false;
};

/// The totals of all ranks overlaid, one line each; the selected rank and outliers have their own colours. By
/// event, every line has the full width, whatever its number of events; by time, all lines are on the clock
/// of the run, and most of a long idle start of all ranks is left out. A click near a line chooses its rank.
/// Ranks are indices in `RunRanks::ranks`.
class RankOverlay : public QWidget
{
    Q_OBJECT

public:
    explicit RankOverlay(QWidget* parent = nullptr);

    void setLines(std::vector<RankLine> lines);
    void setAxis(AxisKind axis);
    /// Marks the line of a rank; nullopt removes the mark.
    void setSelected(std::optional<std::size_t> rank);
    void setColors(const ThemeColors& colors);
    AxisKind axis() const { return m_axis; }
    const std::vector<RankLine>& lines() const { return m_lines; }
    /// Returns the point of a line at a position on the axis, from 0 (start) to 1 (end); nullopt if the rank
    /// has no total there.
    std::optional<QPointF> pointOf(std::size_t line, double share) const;
    /// Returns the texts at the start and the end of the axis. The start has none if both do not fit.
    std::pair<QString, QString> axisTexts() const;

    QSize sizeHint() const override { return {420, 180}; }
    QSize minimumSizeHint() const override { return {160, 80}; }

signals:
    void chosen(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plotRect() const;
    void redraw();
    void drawPicture(QPainter& painter) const;
    void drawGrid(QPainter& painter) const;
    void drawKey(QPainter& painter) const;
    void drawLine(QPainter& painter, const RankLine& line) const;
    /// Returns the largest total of a line in [begin, end) of the axis, which goes from 0 to 1; nullopt if
    /// the rank has no total there.
    std::optional<Bytes> highestIn(const RankLine& line, double begin, double end) const;
    double yOf(Bytes bytes) const;
    std::optional<std::size_t> lineAt(const QPointF& position) const;
    QString axisText(double share) const;

    std::vector<RankLine> m_lines;
    AxisKind m_axis = AxisKind::Event;
    std::optional<std::size_t> m_selected;
    Bytes m_highest = 1;
    Nanoseconds m_begin = 0; ///< start of the first rank
    Nanoseconds m_axisBegin = 0; ///< start of the time axis: m_begin, or near the end of an idle start
    Nanoseconds m_end = 1; ///< end of the last rank
    ThemeColors m_colors;
    CachedPicture m_picture;
};

} // namespace highwater::gui
