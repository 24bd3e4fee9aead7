#include <algorithm>
#include <cmath>

#include <QPainter>

#include "app/timeline/bands/band_labels.h"
#include "app/timeline/parts/label_recorder.h"

namespace highwater::gui {

namespace {

void paintLabel(QPainter& painter, const BandLabel& label, const QRectF& rect, BandLabelTexts& texts)
{
    painter.fillRect(rect, label.background);
    painter.setPen(label.ink);
    const double top = rect.top() + std::round((rect.height() - texts.names.lineHeight()) / 2);
    texts.names.drawOn(painter, QPointF(rect.left() + kLabelMargin, top), label.name, label.background);
    if (label.size.isEmpty())
        return;
    const double left = rect.right() - kLabelMargin - texts.sizes.width(label.size);
    texts.sizes.drawOn(painter, QPointF(left, top), label.size, label.background);
}

} // namespace

QRectF placeOf(const BandLabel& label, const PlotArea& area, std::span<const QRectF> taken)
{
    constexpr double rounding = 0.51;
    const QRectF room
        = area.toScreen(label.left, label.left + label.width, label.bottomBytes, label.topBytes);
    if (room.width() + rounding < label.box.width() || room.height() + rounding < label.box.height())
        return {};
    const QRectF rect(std::round(room.left() + (room.width() - label.box.width()) / 2),
        std::round(room.center().y() - label.box.height() / 2), label.box.width(), label.box.height());
    const bool isFree
        = std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(rect); });
    return isFree && area.rect.adjusted(-rounding, -rounding, rounding, rounding).contains(rect) ? rect
                                                                                                 : QRectF();
}

const BandLabel& labelWithFreePlace(
    const BandLabel& label, const PlotArea& area, std::span<const QRectF> taken)
{
    if (!placeOf(label, area, taken).isEmpty())
        return label;
    const auto spare = std::ranges::find_if(
        label.spares, [&](const BandLabel& each) { return !placeOf(each, area, taken).isEmpty(); });
    return spare == label.spares.end() ? label : *spare;
}

std::vector<QRectF> placesOf(
    std::span<const BandLabel> labels, const PlotArea& area, std::span<const QRectF> taken)
{
    std::vector<QRectF> places;
    for (const BandLabel& label : labels)
        if (const QRectF place = placeOf(labelWithFreePlace(label, area, taken), area, taken);
            !place.isEmpty())
            places.push_back(place);
    return places;
}

void paintBandLabels(QPainter& painter, std::span<const BandLabel> labels, const QFont& font,
    BandLabelTexts& texts, const PlotArea& area, std::span<const QRectF> taken)
{
    texts.names.setFont(font);
    texts.sizes.setFont(boldOf(font));
    for (const BandLabel& wanted : labels) {
        const BandLabel& label = labelWithFreePlace(wanted, area, taken);
        const QRectF rect = placeOf(label, area, taken);
        if (rect.isEmpty())
            continue;
        paintLabel(painter, label, rect, texts);
        if (LabelRecorder* recorder = LabelRecorder::current())
            recorder->record({label.size.isEmpty() ? label.name : label.name + QLatin1Char(' ') + label.size,
                rect, area.rect, label.ink, label.background, label.whole});
    }
}

} // namespace highwater::gui
