#pragma once

#include <memory>
#include <optional>

#include <QPixmap>
#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/ranks/rank_heat_map.h"

class QScrollBar;

namespace highwater::gui {

/// The largest total of each rank in each step, as `rankHeatFigure` has it, drawn as one picture whatever the
/// number of ranks: a row of pixels shows the highest of the ranks that share it. The wheel zooms in on
/// ranks, with Shift and by the bar it scrolls; the place below the pointer is told in words. A click, or
/// Enter after walking with the arrows, chooses a rank.
class RankHeatView : public QWidget
{
    Q_OBJECT

public:
    explicit RankHeatView(QWidget* parent = nullptr);

    /// All ranks are in view. Null: nothing.
    void setRanks(std::shared_ptr<const RunRanks> ranks);
    /// Marks a rank; none: no mark.
    void setSelected(std::optional<std::size_t> rank);
    void setColors(const ThemeColors& colors);

    /// Nothing tells steps apart.
    bool isEmpty() const { return !m_map || m_map->isEmpty(); }
    /// The cells of the picture, in pixels.
    QRectF plotRect() const;
    /// The rows in view.
    HeatSpan rowsInView() const;
    /// Shows so many rows, with the first of them at `first`, as far as there are such.
    void showRows(double first, double count);
    /// Where the middle of a cell lies; none: it is not in view.
    std::optional<QPointF> pointOf(std::size_t rank, std::size_t column) const;
    /// What is said of the cell below the pointer, or where the keyboard is; empty: of none.
    QString readout() const;

    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    /// `column` in `StepHeat::steps`.
    void chosen(quint64 rank, quint64 column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Rows and columns that share a cell of the picture.
    struct Cell
    {
        HeatSpan rows;
        HeatSpan columns;
        bool operator==(const Cell& other) const
        {
            return rows.first == other.rows.first && columns.first == other.columns.first
                && rows.last == other.rows.last && columns.last == other.columns.last;
        }
    };

    FigurePalette palette() const { return FigurePalette::of(m_colors.dark); }
    /// Another size, other colours or ranks.
    void redraw();
    /// Other rows in view.
    void redrawRows();
    void makeSheet();
    void drawSheet(QPainter& painter) const;
    void updateMark();
    QRectF boxOf(const Cell& cell) const;
    QRectF readoutRect() const;
    void followBar();
    void zoomAt(double y, double factor);
    void walk(int rows, int columns);
    double rowHeight() const { return plotRect().height() / m_count; }
    double yOf(double row) const { return plotRect().top() + (row - m_first) * rowHeight(); }
    double xOf(double column) const;
    std::optional<Cell> cellAt(const QPointF& at) const;
    std::optional<Cell> cellInWords() const;
    /// The rank of the highest total in it.
    std::size_t highestRank(const Cell& cell) const;
    QImage cells() const;
    void drawRanks(QPainter& painter) const;
    void drawRows(QPainter& painter) const;
    void drawSteps(QPainter& painter) const;
    void drawScale(QPainter& painter) const;
    void drawFailures(QPainter& painter) const;
    void drawMarks(QPainter& painter) const;

    std::shared_ptr<const RunRanks> m_ranks;
    std::unique_ptr<const RankHeatMap> m_map; ///< of m_ranks
    ThemeColors m_colors = ThemeColors::light();
    double m_first = 0; ///< row at the top
    double m_count = 1; ///< rows in view
    std::optional<std::size_t> m_selected;
    std::optional<Cell> m_hovered;
    std::optional<Cell> m_current; ///< where the keyboard is
    QPixmap m_sheet; ///< axis and scale; null: to be drawn
    QPixmap m_picture; ///< with the rows in view; null: to be drawn
    QScrollBar* m_bar;
};

} // namespace highwater::gui
