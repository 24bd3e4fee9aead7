#include "app/window/benchmark/bench_figures.h"

#include <algorithm>
#include <cmath>

#include <QJsonDocument>
#include <QJsonObject>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kMedianShare = 0.5;
constexpr double kTailShare = 0.95;

/// Three decimals are as precise as the measurement.
double rounded(double value)
{
    return std::round(value * 1e3) / 1e3;
}

QJsonObject summary(const Samples& samples)
{
    return {{"p50", rounded(samples.percentile(kMedianShare))},
        {"p95", rounded(samples.percentile(kTailShare))}, {"max", rounded(samples.max())},
        {"n", static_cast<qint64>(samples.count())}};
}

QString timesLine(const QString& name, const Samples& samples, const QString& unit)
{
    const auto number = [](double value) { return QStringLiteral("%1").arg(value, 9, 'f', 2); };
    return QStringLiteral("%1 %2 %3 %4 %5  %6\n")
        .arg(name, -16)
        .arg(number(samples.percentile(kMedianShare)), number(samples.percentile(kTailShare)),
            number(samples.max()))
        .arg(samples.count(), 7)
        .arg(unit);
}

QString valueLine(const QString& name, const QString& value)
{
    return QStringLiteral("%1 %2\n").arg(name, -16).arg(value, 9);
}

} // namespace

double Samples::percentile(double share) const
{
    if (m_values.empty())
        return 0;
    std::vector<double> sorted = m_values;
    std::sort(sorted.begin(), sorted.end());
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

QString benchJson(const BenchFigures& figures)
{
    QJsonObject object{{"first_timeline_ms", rounded(figures.firstTimelineMs)},
        {"frame_ms", summary(figures.frameMs)}, {"frame_processor_ms", summary(figures.frameProcessorMs)},
        {"hover_processor_us", summary(figures.hoverProcessorUs)},
        {"plain_frame_ms", summary(figures.plainFrameMs)}, {"exact_frame_ms", summary(figures.exactFrameMs)},
        {"settle_ms", summary(figures.settleMs)}, {"hover_us", summary(figures.hoverUs)},
        {"state_at_ms", summary(figures.stateAtMs)}, {"events", static_cast<qint64>(figures.events)},
        {"allocations", static_cast<qint64>(figures.allocations)},
        {"allocations_drawn", static_cast<qint64>(figures.allocationsDrawn)},
        {"peak_rss_bytes", static_cast<qint64>(figures.peakRssBytes)},
        {"device_pixel_ratio", figures.devicePixelRatio}};
    if (figures.segmentsOpenMs.count() > 0) {
        object.insert(QStringLiteral("segments_open_ms"), summary(figures.segmentsOpenMs));
        object.insert(QStringLiteral("segments_follow_ms"), summary(figures.segmentsFollowMs));
    }
    if (figures.ranks.hover.count() > 0) {
        object.insert(QStringLiteral("rank_hover_ms"), summary(figures.ranks.hover));
        object.insert(QStringLiteral("rank_scroll_ms"), summary(figures.ranks.scroll));
        object.insert(QStringLiteral("rank_table_ms"), summary(figures.ranks.table));
    }
    return QString::fromUtf8(QJsonDocument(object).toJson());
}

QString benchText(const BenchFigures& figures)
{
    QString text = QStringLiteral("%1 %2 %3 %4 %5\n")
                       .arg(QString(), -16)
                       .arg(QStringLiteral("p50"), 9)
                       .arg(QStringLiteral("p95"), 9)
                       .arg(QStringLiteral("max"), 9)
                       .arg(QStringLiteral("n"), 7);
    text += timesLine(QStringLiteral("frame"), figures.frameMs, QStringLiteral("ms"));
    text += timesLine(QStringLiteral("frame, processor"), figures.frameProcessorMs, QStringLiteral("ms"));
    text += timesLine(QStringLiteral("plain frame"), figures.plainFrameMs, QStringLiteral("ms"));
    text += timesLine(QStringLiteral("exact frame"), figures.exactFrameMs, QStringLiteral("ms"));
    text += timesLine(QStringLiteral("settle"), figures.settleMs, QStringLiteral("ms"));
    text += timesLine(QStringLiteral("hover"), figures.hoverUs, QStringLiteral("µs"));
    text += timesLine(QStringLiteral("hover, processor"), figures.hoverProcessorUs, QStringLiteral("µs"));
    text += timesLine(QStringLiteral("state at event"), figures.stateAtMs, QStringLiteral("ms"));
    if (figures.segmentsOpenMs.count() > 0) {
        text += timesLine(QStringLiteral("segments opened"), figures.segmentsOpenMs, QStringLiteral("ms"));
        text += timesLine(QStringLiteral("segments follow"), figures.segmentsFollowMs, QStringLiteral("ms"));
    }
    if (figures.ranks.hover.count() > 0) {
        text += timesLine(QStringLiteral("ranks hovered"), figures.ranks.hover, QStringLiteral("ms"));
        text += timesLine(QStringLiteral("ranks scrolled"), figures.ranks.scroll, QStringLiteral("ms"));
        text += timesLine(QStringLiteral("table of ranks"), figures.ranks.table, QStringLiteral("ms"));
    }
    text += valueLine(
        QStringLiteral("first timeline"), QStringLiteral("%1 ms").arg(figures.firstTimelineMs, 0, 'f', 0));
    text += valueLine(QStringLiteral("events"), countText(figures.events));
    text += valueLine(QStringLiteral("allocations"), countText(figures.allocations));
    text += valueLine(QStringLiteral("drawn"), countText(figures.allocationsDrawn));
    return text + valueLine(QStringLiteral("peak memory"), bytesText(figures.peakRssBytes));
}

} // namespace highwater::gui
