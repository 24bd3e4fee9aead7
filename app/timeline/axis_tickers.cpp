#include "app/timeline/axis_tickers.h"

#include <algorithm>
#include <limits>

#include <qcustomplot.h>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

class CoreTicker : public QCPAxisTicker
{
public:
    explicit CoreTicker(TickMaker ticks)
        : m_ticks(std::move(ticks))
    {
    }

    /// Sets the last position that may have a tick; the label of a later one would have no room.
    void setEnd(double key) { m_end = key; }

    Ticks ticksIn(const QCPRange& range) const
    {
        return m_ticks(range.lower, range.upper, std::max(mTickCount, 1));
    }

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
        QVector<double>* subTicks, QVector<QString>* labels) override
    {
        const Ticks computed = ticksIn(range);
        ticks = QVector<double>(
            computed.positions.begin(), std::ranges::upper_bound(computed.positions, m_end));
        if (subTicks)
            subTicks->clear();
        if (!labels)
            return;
        labels->clear();
        for (qsizetype i = 0; i < ticks.size(); ++i)
            *labels << toQString(computed.labels[static_cast<std::size_t>(i)]);
    }

private:
    TickMaker m_ticks;
    double m_end = std::numeric_limits<double>::infinity();
};

} // namespace

void setTicks(QCPAxis& axis, TickMaker ticks, int wanted)
{
    axis.setTicker(QSharedPointer<QCPAxisTicker>(new CoreTicker(std::move(ticks))));
    axis.ticker()->setTickCount(wanted);
    axis.setSubTicks(false);
}

void fitTicks(QCPAxis& axis, int maxTicks, TextCache& texts, double reservedWidth)
{
    constexpr int gap = 18;
    const auto ticker = axis.ticker().dynamicCast<CoreTicker>();
    const double pixelsPerKey = axis.axisRect()->width() / axis.range().size();
    int width = 0;
    for (int count = maxTicks; count > 0; --count) {
        ticker->setTickCount(count);
        const Ticks ticks = ticker->ticksIn(axis.range());
        const auto longest = std::ranges::max_element(ticks.labels, {}, &std::string::size);
        width = longest == ticks.labels.end() ? 0 : texts.width(toQString(*longest));
        double closest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 1; i < ticks.positions.size(); ++i)
            closest = std::min(closest, ticks.positions[i] - ticks.positions[i - 1]);
        if (closest * pixelsPerKey >= width + gap)
            break;
    }
    const double room = reservedWidth > 0 ? -reservedWidth - gap / 2.0 - width / 2.0
                                          : axis.axisRect()->margins().right() - width / 2.0;
    ticker->setEnd(axis.range().upper + room / pixelsPerKey);
}

std::vector<AxisTick> ticksOf(const QCPAxis& axis)
{
    QVector<double> positions;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), {}, 'f', 0, positions, nullptr, &labels);
    std::vector<AxisTick> ticks;
    for (qsizetype i = 0; i < positions.size(); ++i)
        ticks.push_back({positions[i], labels[i]});
    return ticks;
}

void setAxisColors(QCPAxis& axis, const ThemeColors& colors)
{
    axis.setBasePen(QPen(colors.border));
    axis.setTickPen(QPen(colors.border));
    axis.setTickLabelColor(colors.quietText);
    axis.setLabelColor(colors.quietText);
    axis.grid()->setPen(QPen(colors.grid));
    axis.grid()->setZeroLinePen(Qt::NoPen); // grey in every theme; the grid has a line at 0, too
}

} // namespace highwater::gui
