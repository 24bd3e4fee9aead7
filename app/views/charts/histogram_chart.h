#pragma once

#include <memory>

#include "app/views/parts/figure_view.h"
#include "core/figure/histogram_figure.h"

namespace highwater::gui {

/// The figure of a histogram of sizes or lifetimes. A click or the arrow keys choose a bin, a double click or
/// Enter opens the bin.
class HistogramChart : public FigureView
{
    Q_OBJECT

public:
    explicit HistogramChart(HistogramKind kind, QWidget* parent = nullptr);

    /// Shows a histogram, with no bin chosen; null shows nothing.
    void setHistogram(std::shared_ptr<const Histogram> histogram);
    const std::shared_ptr<const Histogram>& histogram() const { return m_histogram; }
    /// Returns the bins as text for the clipboard, one line each below the column titles, cells separated by
    /// tabs.
    QString text() const;

    QSize sizeHint() const override { return {600, minimumSizeHint().height()}; }
    QSize minimumSizeHint() const override;

signals:
    void binChosen(std::size_t bin);
    void binOpened(std::size_t bin);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(int bin);

    HistogramKind m_kind;
    std::shared_ptr<const Histogram> m_histogram;
};

} // namespace highwater::gui
