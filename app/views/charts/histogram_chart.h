#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/composition/histograms.h"

namespace highwater::gui {

/// A histogram as rows: what a bin holds, its bytes as a bar, its allocations as a bar. A click or the arrow
/// keys choose a bin.
class HistogramChart : public QWidget
{
    Q_OBJECT

public:
    enum class Unit
    {
        Bytes,
        Events
    };
    explicit HistogramChart(Unit unit, QWidget* parent = nullptr);

    void setHistogram(std::shared_ptr<const Histogram> histogram);
    const std::shared_ptr<const Histogram>& histogram() const { return m_histogram; }
    void setColors(const ThemeColors& colors);
    std::optional<std::size_t> chosen() const { return m_chosen; }
    /// Rectangle of a bin; adjacent empty bins share a row.
    QRect rowRect(std::size_t bin) const;
    /// "512 B to 1.00 KiB", "10 to 99 events", "not freed in the trace".
    QString binTitle(const HistogramBin& bin) const;
    /// A line for each bin, cells between tabs.
    QString text() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void binChosen(std::size_t bin);
    void binOpened(std::size_t bin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int titleWidth() const;
    std::optional<std::size_t> binAt(const QPoint& at) const;
    void choose(std::size_t bin);
    void walk(bool down);
    bool isEmpty(std::size_t bin) const { return m_histogram->bins[bin].total.count == 0; }
    void paintEmpty(QPainter& painter, std::size_t first) const;
    void paintBin(QPainter& painter, std::size_t bin, const CountedBytes& largest) const;
    void paintBar(
        QPainter& painter, QRect where, double share, const QColor& color, const QString& text) const;

    Unit m_unit;
    ThemeColors m_colors = ThemeColors::light();
    std::shared_ptr<const Histogram> m_histogram;
    std::vector<int> m_rowOf; ///< by bin
    std::optional<std::size_t> m_chosen;
};

} // namespace highwater::gui
