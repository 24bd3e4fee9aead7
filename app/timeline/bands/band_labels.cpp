#include "app/timeline/bands/band_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <QFontMetricsF>

#include "app/timeline/bands/band_image.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kSizeGap = 8; ///< between name and size
constexpr double kMinimumHeight = 16;
constexpr int kRepeatDistance = 400; ///< a band is labelled again after this many pixels

double labelHeight(const QFont& font)
{
    return std::max(kMinimumHeight, std::ceil(QFontMetricsF(font).height()));
}

/// The parts of a call site such as "update_cache model.py:28".
struct SiteName
{
    QString function; ///< the whole label if it names no place
    QString place;
};

SiteName splitName(const QString& label)
{
    const qsizetype space = label.lastIndexOf(QLatin1Char(' '));
    const bool hasPlace = space > 0 && label.indexOf(QLatin1Char(':'), space) > 0;
    return hasPlace ? SiteName{label.left(space), label.mid(space + 1)} : SiteName{label, {}};
}

struct LabelForm
{
    QString name;
    QString size;
};

bool staysByDesign(std::optional<Category> category)
{
    return category == Category::Parameter || category == Category::OptimizerState
        || category == Category::Gradient || category == Category::KvCache
        || category == Category::BeforeRecording;
}

/// The visible spans of one band, from which its label is placed.
struct LabelledBand
{
    std::vector<BandSpan> spans; ///< by column, the tallest span of each
    QString label;
    bool isKept = false;
    bool stays = false; ///< lives for many steps, so it is labelled once
};

class LabelFinder
{
public:
    LabelFinder(const BandImage& image, std::span<const BandSpan> spans)
        : m_image(image)
        , m_analysis(*image.request.analysis)
        , m_regular(image.request.labelFont)
        , m_bold(boldOf(image.request.labelFont))
        , m_rows(labelHeightInRows(image.request.labelFont, image.request.pixel))
        , m_height(labelHeight(image.request.labelFont))
    {
        collect(spans);
        for (const auto& [number, band] : m_bands)
            ++m_sitesOfFunction[splitName(band.label).function];
    }

    std::vector<BandLabel> find()
    {
        std::vector<BandLabel> labels;
        placeStaying(labels);
        for (const auto& [number, band] : m_bands)
            if (!band.stays)
                placeRepeated(number, band, labels);
        return labels;
    }

private:
    /// One form of a band's label, and the places where it fits.
    struct Fit
    {
        std::uint32_t number = 0;
        LabelForm form;
        int columns = 0;
        std::vector<LabelRoom> rooms;
    };

    void collect(std::span<const BandSpan> spans)
    {
        for (const BandSpan& span : spans) {
            LabelledBand& band = m_bands[span.band];
            if (band.spans.empty())
                describe(span, band);
            if (!band.spans.empty() && band.spans.back().column == span.column) {
                if (span.height() > band.spans.back().height())
                    band.spans.back() = span;
            } else {
                band.spans.push_back(span);
            }
        }
    }

    AllocationIndex allocationOf(const BandSpan& span) const
    {
        return m_image.raster.at(span.column, span.from + span.height() / 2);
    }
    std::int64_t eventOf(int column) const
    {
        return m_image.raster.columns[static_cast<std::size_t>(column)].event;
    }

    void describe(const BandSpan& span, LabelledBand& band) const
    {
        const AllocationIndex allocation = allocationOf(span);
        if (const BandGroups* groups = m_image.request.stacking.get()) {
            const BandGroup& group = groups->groups[span.band];
            band.label = group.unnamed && groups->mode == BandMode::Site ? QStringLiteral("no stack")
                                                                         : toQString(group.label);
            band.isKept = group.held;
            band.stays = group.held || staysByDesign(group.category);
        } else {
            band.label = toQString(m_analysis.sites.site(m_analysis.sites.of(allocation)).label);
            band.isKept = m_analysis.held->isHeld(allocation, eventOf(span.column));
            band.stays = true;
        }
    }

    /// Returns the bytes of the band right after an event.
    Bytes bytesOf(std::uint32_t number, std::int64_t event)
    {
        const BandGroups* groups = m_image.request.stacking.get();
        if (!groups)
            return m_analysis.allocations.bytes(number);
        std::vector<Bytes>& totals = m_totals[event];
        if (totals.empty()) {
            totals.resize(groups->groups.size());
            std::vector<AllocationIndex> live;
            m_analysis.live.liveAt(event, live);
            for (const AllocationIndex i : live)
                totals[groups->rankAt(i, event)] += m_analysis.allocations.bytes(i);
        }
        return totals[number];
    }

    /// Returns the bytes for the label: those of the band where it is tallest, which is where the label is
    /// placed if it fits there.
    Bytes shownBytes(std::uint32_t number, const BandSpan& tallest)
    {
        return bytesOf(number, eventOf(tallest.column));
    }

    std::array<LabelForm, 3> formsOf(const LabelledBand& band, Bytes bytes) const
    {
        const SiteName name = splitName(band.label);
        const bool isUnique = name.place.isEmpty() || m_sitesOfFunction.at(name.function) == 1;
        const QString shortName = isUnique ? name.function : name.place;
        const QString size = bytesText(bytes);
        return {{{band.label, band.isKept ? size + QStringLiteral(" kept") : size}, {shortName, size},
            {shortName, QString()}}};
    }

    double widthOf(const LabelForm& form) const
    {
        const double size = form.size.isEmpty() ? 0 : kSizeGap + m_bold.horizontalAdvance(form.size);
        return std::ceil(m_regular.horizontalAdvance(form.name) + size + 2 * kLabelMargin);
    }

    Fit fitOf(std::uint32_t number, const LabelledBand& band, const LabelForm& form) const
    {
        const int columns = static_cast<int>(std::ceil(widthOf(form))) * m_image.request.pixel;
        return {number, form, columns, labelRooms(band.spans, columns, m_rows)};
    }

    static const BandSpan& tallestOf(const LabelledBand& band)
    {
        return *std::ranges::max_element(band.spans, {}, &BandSpan::height);
    }

    /// Returns the tallest span in the columns of a label.
    static const BandSpan& tallestIn(const LabelledBand& band, const LabelRoom& room, int columns)
    {
        const auto first = std::ranges::lower_bound(band.spans, room.column, {}, &BandSpan::column);
        return *std::max_element(first, first + columns,
            [](const BandSpan& a, const BandSpan& b) { return a.height() < b.height(); });
    }

    /// Labels bands that stay once each, as far right as they fit, with a common left edge if possible.
    void placeStaying(std::vector<BandLabel>& labels)
    {
        std::vector<Fit> fits;
        for (const auto& [number, band] : m_bands) {
            if (!band.stays)
                continue;
            const Bytes bytes = shownBytes(number, tallestOf(band));
            for (const LabelForm& form : formsOf(band, bytes)) {
                Fit fit = fitOf(number, band, form);
                if (fit.rooms.empty())
                    continue;
                fits.push_back(std::move(fit));
                break;
            }
        }
        const int edge = sharedEdge(fits);
        for (const Fit& fit : fits) {
            const auto room = std::ranges::lower_bound(fit.rooms, edge, {}, &LabelRoom::column);
            const bool fitsAtEdge = room != fit.rooms.end() && room->column == edge;
            labels.push_back(labelAt(fit, fitsAtEdge ? *room : fit.rooms.back()));
            addSpares(fit, labels.back());
        }
    }

    /// Adds places further left, in case something covers the label.
    void addSpares(const Fit& fit, BandLabel& label) const
    {
        for (int quarter = 3; quarter > 0; --quarter) {
            const int last = m_image.raster.width * quarter / 4 - fit.columns;
            const auto beyond = std::ranges::upper_bound(fit.rooms, last, {}, &LabelRoom::column);
            if (beyond == fit.rooms.begin())
                return;
            label.spares.push_back(labelAt(fit, *std::prev(beyond)));
        }
    }

    /// Returns the column at which most labels can begin; if several columns are equal, the rightmost.
    int sharedEdge(const std::vector<Fit>& fits) const
    {
        std::vector<int> labelsAt(static_cast<std::size_t>(m_image.raster.width));
        for (const Fit& fit : fits)
            for (const LabelRoom& room : fit.rooms)
                ++labelsAt[static_cast<std::size_t>(room.column)];
        const auto busiest = std::max_element(labelsAt.rbegin(), labelsAt.rend());
        return m_image.raster.width - 1 - static_cast<int>(busiest - labelsAt.rbegin());
    }

    /// Labels each hump of the band that is far enough from the previous label.
    void placeRepeated(std::uint32_t number, const LabelledBand& band, std::vector<BandLabel>& labels)
    {
        std::set<int> labelledColumns;
        const int minimumDistance = kRepeatDistance * m_image.request.pixel;
        for (std::size_t formIndex = 0; formIndex < 3; ++formIndex) {
            const LabelForm sample = formsOf(band, shownBytes(number, tallestOf(band)))[formIndex];
            const Fit fit = fitOf(number, band, sample);
            for (std::size_t i = 0; i < fit.rooms.size();) {
                std::size_t tallest = i;
                std::size_t end = i + 1;
                for (; end < fit.rooms.size() && fit.rooms[end].column == fit.rooms[end - 1].column + 1;
                     ++end)
                    if (fit.rooms[end].height() > fit.rooms[tallest].height())
                        tallest = end;
                i = end;
                const int column = fit.rooms[tallest].column;
                const auto next = labelledColumns.lower_bound(column);
                const bool isFarEnough = (next == labelledColumns.end() || *next - column >= minimumDistance)
                    && (next == labelledColumns.begin() || column - *std::prev(next) >= minimumDistance);
                if (!isFarEnough)
                    continue;
                const Bytes bytes
                    = bytesOf(number, eventOf(tallestIn(band, fit.rooms[tallest], fit.columns).column));
                const Fit placed{number, formsOf(band, bytes)[formIndex], fit.columns, {}};
                if (static_cast<int>(widthOf(placed.form)) * m_image.request.pixel > fit.columns)
                    continue;
                labels.push_back(labelAt(placed, fit.rooms[tallest]));
                labelledColumns.insert(column);
            }
        }
    }

    BandLabel labelAt(const Fit& fit, const LabelRoom& room) const
    {
        const BandRequest& request = m_image.request;
        const double keyStep = (request.xEnd - request.xBegin) / request.width;
        const double byteStep = (request.yTop - request.yBottom) / request.height;
        const BandSpan under{fit.number, room.column + fit.columns / 2, room.from, room.to};
        const AllocationIndex allocation = allocationOf(under);
        const bool isKept = m_analysis.held->isHeld(allocation, eventOf(under.column));
        const QRgb color = paled(request.colorOf(allocation, isKept), under, byteStep);
        const LabelColors colors = labelColors(color & 0xffffff, request.dark);
        const LabelledBand& band = m_bands.at(fit.number);
        const QSizeF box(widthOf(fit.form), m_height);
        return {.name = fit.form.name,
            .size = fit.form.size,
            .whole = band.label,
            .box = box,
            .key = request.xBegin + room.column * keyStep,
            .keys = fit.columns * keyStep,
            .bottomBytes = request.yBottom + room.from * byteStep,
            .topBytes = request.yBottom + room.to * byteStep,
            .ink = QColor::fromRgb(colors.ink),
            .background = QColor::fromRgb(colors.plate),
            .spares = {}};
    }

    /// Returns the colour as `BandPainter` paints it at the middle of the span: paler above the lowest memory
    /// of the steps.
    QRgb paled(QRgb color, const BandSpan& under, double byteStep) const
    {
        if (m_image.lowest.empty())
            return color;
        const double middle = m_image.request.yBottom + (under.from + under.to) / 2.0 * byteStep;
        const auto low = static_cast<double>(m_image.lowest[static_cast<std::size_t>(under.column)]);
        const FigureColor surface = FigurePalette::of(m_image.request.dark).background;
        return middle < low ? color : mixed(color & 0xffffff, surface, kPaleShare);
    }

    const BandImage& m_image;
    const DeviceAnalysis& m_analysis;
    QFontMetricsF m_regular;
    QFontMetricsF m_bold;
    int m_rows;
    double m_height;
    std::map<std::uint32_t, LabelledBand> m_bands;
    std::map<QString, int> m_sitesOfFunction; ///< number of call sites in view
    std::map<std::int64_t, std::vector<Bytes>> m_totals; ///< by event, bytes of each band
};

} // namespace

int labelHeightInRows(const QFont& font, int pixel)
{
    return static_cast<int>(labelHeight(font)) * pixel;
}

std::vector<BandLabel> bandLabels(const BandImage& image, std::span<const BandSpan> spans)
{
    if (spans.empty())
        return {};
    return LabelFinder(image, spans).find();
}

} // namespace highwater::gui
