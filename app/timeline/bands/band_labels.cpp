#include "app/timeline/bands/band_labels.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QFontMetricsF>

#include "app/timeline/bands/band_image.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

namespace {

constexpr double kMinimumPixels = 16;

double labelHeight(const QFont& font)
{
    return std::max(kMinimumPixels, std::ceil(QFontMetricsF(font).height()));
}

/// Describes a picture to `bandLabelPlaces`, and turns the places into labels in the picture's colours.
class LabelMaker
{
public:
    explicit LabelMaker(const BandImage& image)
        : m_image(image)
        , m_analysis(*image.request.analysis)
        , m_regular(image.request.labelFont)
        , m_bold(boldOf(image.request.labelFont))
        , m_height(labelHeight(image.request.labelFont))
    {
    }

    std::vector<BandLabel> make(std::span<const BandSpan> all)
    {
        const std::vector<BandSpan> spans = labelledParts(all);
        const KeyMoment key = keyMoment(m_analysis.study);
        const std::int64_t keyEvent = key.event;
        const bool hasSteps = !m_image.spreads.empty();
        const EventScale& scale = *m_image.request.scale;
        const double keyPosition = scale.positionOf(keyEvent) + (scale.kind() == AxisKind::Event ? 0.5 : 0);
        const LabelledPicture picture{m_image.raster.width, m_image.request.pixel,
            [this](const BandSpan& span) { return nameOfBand(span); },
            [this](std::uint32_t band, int column) { return bytesOf(band, eventOf(column)); },
            m_image.columnAtKey(keyPosition),
            [this, keyEvent](std::uint32_t band) { return bytesOf(band, keyEvent); },
            hasSteps ? "at the peak of these steps" : "",
            hasSteps ? std::string(inWords(key.kind)) : std::string()};
        const LabelFont font{[this](const std::string& text, bool bold) {
                                 return (bold ? m_bold : m_regular).horizontalAdvance(toQString(text));
                             },
            m_height};
        std::vector<BandLabel> labels;
        for (const BandLabelPlace& place : bandLabelPlaces(spans, picture, font)) {
            labels.push_back(labelAt(place));
            for (const BandLabelPlace& spare : place.spares)
                labels.back().spares.push_back(labelAt(spare));
        }
        return labels;
    }

private:
    /// Returns the parts of the spans where labels may be. If steps are too narrow to be drawn individually,
    /// a span that crosses the lowest peak of its column is cut to its pale upper part, so that a label has
    /// one background colour, and spans less tall than a label are left out. Otherwise returns all spans.
    std::vector<BandSpan> labelledParts(std::span<const BandSpan> spans) const
    {
        std::vector<BandSpan> parts(spans.begin(), spans.end());
        if (m_image.spreads.empty())
            return parts;
        const BandRequest& request = m_image.request;
        const double rowsPerByte = request.height / (request.yTop - request.yBottom);
        for (BandSpan& span : parts) {
            const double paleFrom = std::ceil((lowestPeakAt(span.column) - request.yBottom) * rowsPerByte);
            if (paleFrom > span.from && paleFrom < span.to)
                span.from = static_cast<int>(paleFrom);
        }
        std::erase_if(parts, [&](const BandSpan& span) { return span.height() < m_height * request.pixel; });
        return parts;
    }

    /// Returns the bytes above which a column is pale.
    double lowestPeakAt(int column) const
    {
        return static_cast<double>(m_image.spreads[static_cast<std::size_t>(column)].lowest);
    }
    AllocationIndex allocationOf(const BandSpan& span) const
    {
        return m_image.raster.at(span.column, span.from + span.height() / 2);
    }
    std::int64_t eventOf(int column) const
    {
        return m_image.raster.columns[static_cast<std::size_t>(column)].event;
    }

    BandName nameOfBand(const BandSpan& span) const
    {
        if (const BandGroups* groups = m_image.request.stacking.get()) {
            const std::size_t count = groups->groups.size();
            return span.band < count ? nameOf(groups->groups[span.band], groups->mode)
                                     : BandName{groups->groups[span.band - count].familyTitle};
        }
        const AllocationIndex allocation = allocationOf(span);
        return {m_analysis.sites.site(m_analysis.sites.of(allocation)).label,
            m_analysis.keptBlocks->isKept(allocation, eventOf(span.column)) ? "kept" : "", true};
    }

    /// Returns the bytes of a band. Without groups, `band` is an allocation, and the result is its size at
    /// any event. With n groups, `band` < n is the group of that rank, and n + r is the family whose lowest
    /// group has rank r; the result is what is live right after the event, without faded allocations, as only
    /// the other part of a band is labelled. Caches the bytes of all groups at each event.
    Bytes bytesOf(std::uint32_t band, std::int64_t event)
    {
        const BandGroups* groups = m_image.request.stacking.get();
        if (!groups)
            return m_analysis.allocations.bytes(band);
        std::vector<Bytes>& totals = m_totals[event];
        if (totals.empty()) {
            totals.resize(groups->groups.size());
            std::vector<AllocationIndex> live;
            m_analysis.live.liveAt(event, live);
            for (const AllocationIndex i : live)
                if (!m_image.request.isFaded(i))
                    totals[groups->rankAt(i, event)] += m_analysis.allocations.bytes(i);
        }
        if (band < totals.size())
            return totals[band];
        Bytes sum = 0;
        const std::size_t first = band - totals.size();
        for (std::size_t rank = first;
             rank < totals.size() && groups->groups[rank].family == groups->groups[first].family; ++rank)
            sum += totals[rank];
        return sum;
    }

    BandLabel labelAt(const BandLabelPlace& place) const
    {
        const LabelRoom& room = place.room;
        const BandRequest& request = m_image.request;
        const double columnWidth = (request.xEnd - request.xBegin) / request.width;
        const double bytesPerRow = (request.yTop - request.yBottom) / request.height;
        const BandSpan middle{place.band, room.column + place.columns / 2, room.from, room.to};
        const AllocationIndex allocation = allocationOf(middle);
        const bool isKept = request.keptFrom(allocation) <= eventOf(middle.column);
        const QRgb color = paled(request.colorOf(allocation, isKept), middle, bytesPerRow);
        const LabelColors colors = labelColorsOn(color & 0xffffff, {request.dark, request.contrast});
        return {.name = toQString(place.name),
            .size = toQString(place.size),
            .whole = toQString(place.whole),
            .box = QSizeF(place.width, m_height),
            .left = request.xBegin + room.column * columnWidth,
            .width = place.columns * columnWidth,
            .bottomBytes = request.yBottom + room.from * bytesPerRow,
            .topBytes = request.yBottom + room.to * bytesPerRow,
            .ink = QColor::fromRgb(colors.ink),
            .background = QColor::fromRgb(colors.plate),
            .spares = {}};
    }

    /// Returns the colour as `BandPainter` paints it at the middle of the span.
    QRgb paled(QRgb color, const BandSpan& span, double bytesPerRow) const
    {
        if (m_image.spreads.empty())
            return color;
        const double bytes = m_image.request.yBottom + (span.from + span.to) / 2.0 * bytesPerRow;
        const FigureColor surface
            = FigurePalette::of({m_image.request.dark, m_image.request.contrast}).background;
        return bytes < lowestPeakAt(span.column) ? color : mixed(color & 0xffffff, surface, kPaleShare);
    }

    const BandImage& m_image;
    const DeviceAnalysis& m_analysis;
    QFontMetricsF m_regular;
    QFontMetricsF m_bold;
    double m_height;
    std::map<std::int64_t, std::vector<Bytes>> m_totals; ///< by event, bytes of each group
};

} // namespace

int labelHeightInRows(const QFont& font, int rowsPerPixel)
{
    return static_cast<int>(labelHeight(font)) * rowsPerPixel;
}

std::vector<BandLabel> bandLabels(const BandImage& image, std::span<const BandSpan> spans)
{
    return LabelMaker(image).make(spans);
}

} // namespace highwater::gui
