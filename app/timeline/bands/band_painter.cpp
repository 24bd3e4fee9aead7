#include "app/timeline/bands/band_painter.h"

#include <algorithm>
#include <cmath>

namespace highwater::gui {

namespace {

/// Number of columns painted together: the raster is column-major and the image row-major, and a strip of
/// both fits into the cache.
constexpr int kStripColumns = 16;
constexpr std::size_t kLooks = 2048;
/// Two adjacent bands of at least this height have a seam, in pixels of the widget.
constexpr int kTallBand = 4;
constexpr QRgb kWhite = 0xffffffff;

/// Mixes two opaque colours; `share` is that of `over`.
QRgb blended(QRgb under, QRgb over, double share)
{
    return mixed(under & 0xffffff, over & 0xffffff, share) | 0xff000000u;
}

/// Returns the position of the first visible pixel on the whole axis, modulo the period of the hatching.
int phaseOf(double begin, double end, int pixels, int period)
{
    const double perPixel = (end - begin) / std::max(pixels, 1);
    const double phase = std::fmod(std::round(begin / perPixel), period);
    return static_cast<int>(phase < 0 ? phase + period : phase);
}

/// Returns the lowest band of each band's family, by rank; `kEmpty` for a band without a family.
std::vector<std::uint32_t> lowestOfFamilies(const BandGroups& stacking)
{
    std::vector<std::uint32_t> lowest(stacking.groups.size(), BandRaster::kEmpty);
    for (std::size_t rank = 0; rank < lowest.size(); ++rank) {
        const BandGroup& group = stacking.groups[rank];
        if (group.familyTitle.empty())
            continue;
        const bool continues = rank > 0 && stacking.groups[rank - 1].family == group.family;
        lowest[rank] = continues ? lowest[rank - 1] : static_cast<std::uint32_t>(rank);
    }
    return lowest;
}

} // namespace

int BandPainter::tallBand() const
{
    return kTallBand * m_request.pixel;
}

BandPainter::BandPainter(const BandRaster& raster, const std::vector<PeakSpread>& spreads,
    const BandRequest& request, int labelRows)
    : m_raster(raster)
    , m_spreads(spreads)
    , m_request(request)
    , m_labelRows(labelRows)
    , m_surface(FigurePalette::of({request.dark, request.contrast}).background)
    , m_ink(FigurePalette::of({request.dark, request.contrast}).text | 0xff000000u)
    , m_hatchPhase(phaseOf(request.xBegin, request.xEnd, request.width, kHatchPeriod * request.pixel)
          + phaseOf(request.yBottom, request.yTop, request.height, kHatchPeriod * request.pixel))
    , m_looks(kLooks)
    , m_families(request.stacking ? lowestOfFamilies(*request.stacking) : std::vector<std::uint32_t>())
{
}

QImage BandPainter::paint()
{
    QImage image(m_raster.width, m_raster.height, QImage::Format_ARGB32_Premultiplied);
    const auto height = static_cast<std::size_t>(m_raster.height);
    std::vector<QRgb> strip(kStripColumns * height);
    uchar* const lowest = image.bits() + (m_raster.height - 1) * image.bytesPerLine();
    m_filled.assign(static_cast<std::size_t>(m_raster.width), m_raster.height);
    for (int first = 0; first < m_raster.width; first += kStripColumns) {
        const int last = std::min(first + kStripColumns, m_raster.width);
        for (int x = first; x < last; ++x)
            paintColumn(x, strip.data() + static_cast<std::size_t>(x - first) * height);
        for (std::size_t row = 0; row < height; ++row) {
            auto* line = reinterpret_cast<QRgb*>(lowest - static_cast<qsizetype>(row) * image.bytesPerLine());
            for (int x = first; x < last; ++x)
                line[x] = strip[static_cast<std::size_t>(x - first) * height + row];
        }
    }
    return image;
}

const BandPainter::Look& BandPainter::lookOf(AllocationIndex allocation)
{
    Look& look = m_looks[allocation % kLooks];
    if (look.allocation == allocation)
        return look;
    const BandGroups* stacking = m_request.stacking.get();
    look.allocation = allocation;
    look.keptFrom = m_request.keptFrom(allocation);
    look.isFaded = m_request.isFaded(allocation);
    look.band = stacking ? stacking->rank(allocation) : allocation;
    look.keptBand = stacking && stacking->keptBlocks ? stacking->keptRankOf[look.band] : look.band;
    look.color = m_request.colorOf(allocation, false);
    look.keptColor = m_request.colorOf(allocation, true);
    return look;
}

void BandPainter::paintColumn(int x, QRgb* pixels)
{
    const std::int64_t event = m_raster.columns[static_cast<std::size_t>(x)].event;
    const AllocationIndex* column
        = m_raster.pixels.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(m_raster.height);
    m_open = m_openFamily = {};
    int row = 0;
    while (row < m_raster.height) {
        const AllocationIndex allocation = column[row];
        int end = row + 1;
        while (end < m_raster.height && column[end] == allocation)
            ++end;
        if (allocation == BandRaster::kEmpty) {
            closeSpan(x, row, pixels);
            closeFamily(x, row);
            m_open = m_openFamily = {};
            int& filled = m_filled[static_cast<std::size_t>(x)];
            filled = std::min(filled, row);
            std::fill(pixels + row, pixels + end, 0u);
        } else {
            const Look& look = lookOf(allocation);
            const bool isKept = look.keptFrom <= event;
            if (const std::uint32_t band = isKept ? look.keptBand : look.band;
                band != m_open.band || look.isFaded != m_open.isFaded) {
                closeSpan(x, row, pixels);
                if (familyOf(band) != m_openFamily.band || look.isFaded != m_openFamily.isFaded) {
                    closeFamily(x, row);
                    m_openFamily = {familyOf(band), row, look.isFaded};
                    m_spansBelowFamily = m_spans.size();
                }
                m_open = {
                    band, row, look.isFaded, m_open.band != kNoBand && row - m_open.firstRow >= tallBand()};
            }
            paintSpan(look, isKept, x, row, end, pixels);
        }
        row = end;
    }
    closeSpan(x, m_raster.height, pixels);
    closeFamily(x, m_raster.height);
    if (!m_spreads.empty()) {
        paleAboveLowest(x, pixels);
        paintMedian(x, pixels);
    }
}

/// Returns the row at a height in bytes, at most a little outside of the picture.
int BandPainter::rowOf(Bytes bytes) const
{
    const double perRow = (m_request.yTop - m_request.yBottom) / m_request.height;
    const double row = std::round((static_cast<double>(bytes) - m_request.yBottom) / perRow);
    const double outside = 4 * m_request.pixel;
    return static_cast<int>(std::clamp<double>(row, -outside, m_raster.height + outside));
}

/// Paints memory above the lowest peak of the column's steps in paler colours.
void BandPainter::paleAboveLowest(int x, QRgb* pixels) const
{
    QRgb lastColor = 0;
    QRgb palerColor = 0;
    for (int row = std::max(0, rowOf(m_spreads[static_cast<std::size_t>(x)].lowest));
         row < m_raster.height && pixels[row] != 0; ++row) {
        if (pixels[row] != lastColor) {
            lastColor = pixels[row];
            palerColor = blended(lastColor, m_surface, kPaleShare);
        }
        pixels[row] = palerColor;
    }
}

/// Paints the line below the median peak, up or down from that of the column before, with a rim.
void BandPainter::paintMedian(int x, QRgb* pixels) const
{
    const auto column = static_cast<std::size_t>(x);
    if (m_spreads[column].median == 0)
        return;
    const Bytes before = x > 0 ? m_spreads[column - 1].median : 0;
    const int end = rowOf(m_spreads[column].median);
    const int start = before > 0 ? rowOf(before) : end;
    const int thickness = m_request.pixel;
    const int from = std::min(start, end) - thickness;
    const int to = std::max(start, end);
    const int last = std::min(to + thickness, m_raster.height);
    for (int row = std::max(0, from - thickness); row < last && pixels[row] != 0; ++row)
        pixels[row] = row >= from && row < to ? m_ink : m_surface;
}

void BandPainter::paintSpan(const Look& look, bool isKept, int x, int from, int to, QRgb* pixels) const
{
    const QRgb color = isKept ? look.keptColor : look.color;
    std::fill(pixels + from, pixels + to, color);
    if (!isKept || look.isFaded)
        return;
    const int period = kHatchPeriod * m_request.pixel;
    const QRgb line = blended(color, kWhite, hatchStrength({m_request.dark, m_request.contrast}));
    for (int row = from; row < to; ++row)
        if ((x + row + m_hatchPhase) % period < m_request.pixel)
            pixels[row] = line;
}

/// Ends the open span at row `to`. Its lowest rows become the seam if this band and the one below are tall.
void BandPainter::closeSpan(int x, int to, QRgb* pixels)
{
    if (m_open.band == kNoBand)
        return;
    const int height = to - m_open.firstRow;
    if (m_open.isOnTallBand && height >= tallBand())
        for (int row = m_open.firstRow; row < m_open.firstRow + m_request.pixel; ++row)
            pixels[row] = blended(pixels[row], m_surface, m_request.contrast ? 1 : kSeamShare);
    if (height >= m_labelRows && !m_open.isFaded)
        m_spans.push_back({m_open.band, x, m_open.firstRow, to});
}

/// Ends the open family at row `to`.
void BandPainter::closeFamily(int x, int to)
{
    const std::uint32_t family = m_openFamily.band;
    if (family != kNoBand && !m_openFamily.isFaded && m_spans.size() == m_spansBelowFamily
        && to - m_openFamily.firstRow >= m_labelRows)
        m_spans.push_back(
            {static_cast<std::uint32_t>(m_families.size()) + family, x, m_openFamily.firstRow, to});
}

/// Returns the lowest band of the band's family; `kNoBand` if it has none.
std::uint32_t BandPainter::familyOf(std::uint32_t band) const
{
    return band < m_families.size() ? m_families[band] : kNoBand;
}

} // namespace highwater::gui
