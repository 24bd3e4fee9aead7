#pragma once

#include <memory>
#include <optional>

#include <QPixmap>
#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/ranks/rank_heat_map.h"

class QScrollBar;

namespace highwater::gui {

/// A map of the largest total of each rank in each step, as in `rankHeatFigure`, for any number of ranks.
/// Rows are ranks, columns are steps; a pixel that several ranks or steps share shows the largest of their
/// totals. The wheel zooms in on ranks; Shift+wheel and the scroll bar scroll. A line of text describes the
/// cell below the pointer. A click, or Enter or Space after moving with the arrows, chooses a cell.
class RankHeatView : public QWidget
{
    Q_OBJECT

public:
    explicit RankHeatView(QWidget* parent = nullptr);

    /// Shows all ranks; null shows nothing.
    void setRanks(std::shared_ptr<const RunRanks> ranks);
    /// Marks a rank, by its index in `RunRanks::ranks`; nullopt removes the mark.
    void setSelected(std::optional<std::size_t> rank);
    void setColors(const ThemeColors& colors);

    /// True if there are no ranks or the steps are unknown, so that there is nothing to draw.
    bool isEmpty() const { return !m_map || m_map->isEmpty(); }
    /// Returns the rectangle of all cells, in pixels of the widget.
    QRectF plotRect() const;
    HeatSpan rowsInView() const;
    /// Shows `count` rows from `first` on, at least four, as far as they exist.
    void showRows(double first, double count);
    /// Returns the centre of a cell, in pixels; nullopt if the cell is not in view.
    std::optional<QPointF> pointOf(std::size_t rank, std::size_t column) const;
    /// Returns the text on the cell below the pointer, else on the cell with the keyboard focus; empty if
    /// there is neither.
    QString readout() const;

    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    /// `rank` has the highest total in the chosen cell. `column` is an index in `StepHeat::steps`.
    void chosen(quint64 rank, quint64 column);
    /// A double click on the cell.
    void doubleClicked(quint64 rank, quint64 column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// A cell of the picture: the rows and columns that share its pixels.
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

    FigurePalette palette() const { return FigurePalette::of(m_colors.ground()); }
    /// Redraws everything, after a change of size, colours or ranks.
    void redraw();
    /// Redraws after a change of the rows in view.
    void redrawRows();
    void makeSheet();
    void drawSheet(QPainter& painter) const;
    void updateMark();
    QRectF boxOf(const Cell& cell) const;
    /// True if there is no room for the scale of colours.
    bool isShort() const { return height() < 110; }
    void measureKey();
    QRectF readoutRect() const;
    void updateBar();
    void zoomAt(double y, double factor);
    void moveCurrent(int rows, int columns);
    double rowHeight() const { return plotRect().height() / m_rowCount; }
    double yOf(double row) const { return plotRect().top() + (row - m_firstRow) * rowHeight(); }
    double xOf(double column) const;
    std::optional<Cell> cellAt(const QPointF& position) const;
    std::optional<Cell> describedCell() const;
    /// Returns the rank with the highest total in the cell, as an index in `RunRanks::ranks`.
    std::size_t highestRank(const Cell& cell) const;
    QImage cells() const;
    void drawRanks(QPainter& painter) const;
    void drawRows(QPainter& painter) const;
    void drawSteps(QPainter& painter) const;
    void drawScale(QPainter& painter) const;
    void drawFailures(QPainter& painter) const;
    void drawMarks(QPainter& painter) const;

    /// The place of the key below the map, in pixels. The entry for failures has a second line if one line is
    /// too narrow for it.
    struct Key
    {
        double left = 0;
        double width = 0;
        double bar = 0; ///< the bar of colours
        double scale = 0; ///< the bar with its texts
        double failure = 0;
        int lineCount = 0;
    };

    std::shared_ptr<const RunRanks> m_ranks;
    std::unique_ptr<const RankHeatMap> m_map; ///< map of m_ranks
    ThemeColors m_colors = ThemeColors::light();
    double m_firstRow = 0; ///< row at the top
    double m_rowCount = 1; ///< rows in view
    std::optional<std::size_t> m_selected;
    std::optional<Cell> m_hovered;
    std::optional<Cell> m_current; ///< cell with the keyboard focus
    Key m_key;
    QPixmap m_sheet; ///< axis and scale; null if it must be redrawn
    QPixmap m_picture; ///< m_sheet with the rows in view; null if it must be redrawn
    QScrollBar* m_bar;
};

} // namespace highwater::gui
