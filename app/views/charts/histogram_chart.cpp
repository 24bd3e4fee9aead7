#include "app/views/charts/histogram_chart.h"

#include <QKeyEvent>

#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

HistogramChart::HistogramChart(HistogramKind kind, QWidget* parent)
    : FigureView(parent)
    , m_kind(kind)
{
    setObjectName(
        kind == HistogramKind::Size ? QStringLiteral("sizeHistogram") : QStringLiteral("lifetimeHistogram"));
    setMaker([this](const FigureOptions& options) {
        return m_histogram ? histogramFigure(*m_histogram, m_kind, options) : Figure();
    });
    connect(this, &FigureView::clicked, this, &HistogramChart::choose);
    connect(this, &FigureView::walked, this, &HistogramChart::choose);
    connect(this, &FigureView::doubleClicked, this,
        [this](int bin) { emit binOpened(static_cast<std::size_t>(bin)); });
}

void HistogramChart::setHistogram(std::shared_ptr<const Histogram> histogram)
{
    m_histogram = std::move(histogram);
    setSelected(std::nullopt);
    setMinimumHeight(minimumSizeHint().height());
    updateGeometry();
    make();
}

QSize HistogramChart::minimumSizeHint() const
{
    return {300, m_histogram ? histogramHeight(*m_histogram) : 0};
}

QString HistogramChart::text() const
{
    QString text = (m_kind == HistogramKind::Size ? tr("Size") : tr("Lifetime within the trace"))
        + tr("\tBytes\tShare\tAllocations\n");
    if (!m_histogram)
        return text;
    for (const HistogramBin& bin : m_histogram->bins)
        text += QStringLiteral("%1\t%2\t%3\t%4\n")
                    .arg(toQString(binTitle(bin, m_kind)), bytesText(bin.total.bytes),
                        toQString(formatShare(bin.total.bytes, m_histogram->total.bytes)),
                        countText(bin.total.count));
    return text;
}

void HistogramChart::choose(int bin)
{
    setSelected(bin);
    emit binChosen(static_cast<std::size_t>(bin));
}

void HistogramChart::keyPressEvent(QKeyEvent* event)
{
    if (selected() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        emit binOpened(static_cast<std::size_t>(*selected()));
    else
        FigureView::keyPressEvent(event);
}

} // namespace highwater::gui
