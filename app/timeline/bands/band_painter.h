#pragma once

#include <vector>

#include <QImage>

#include "app/timeline/bands/band_image.h"
#include "core/figure/layout/label_room.h"

namespace highwater::gui {

/// Paints a raster: the colour of each band, hatching over blocks kept from earlier steps, a seam between
/// tall bands, and where steps are narrow, paler colours above the lowest of their peaks and a line at the
/// median. Also collects the spans in which labels may be placed. Use a painter once, on any thread.
class BandPainter
{
public:
    /// All references must outlive the painter. `spreads`: see `BandImage::spreads`. `labelRows`: minimum
    /// height of the collected spans, in rows of the picture.
    BandPainter(const BandRaster& raster, const std::vector<PeakSpread>& spreads, const BandRequest& request,
        int labelRows);

    /// Paints the picture. O(pixels).
    QImage paint();
    /// Moves out the spans that are not faded and tall enough for a label, by column. A band's number is its
    /// rank in the stacking; without a stacking it is its allocation. Where no band of a family is tall
    /// enough, the family is one span; its number is that of its lowest band plus the number of groups.
    std::vector<BandSpan> takeSpans() { return std::move(m_spans); }
    /// Moves out the number of filled rows in each column; see `BandImage::filled`.
    std::vector<int> takeFilledRows() { return std::move(m_filled); }

private:
    static constexpr std::uint32_t kNoBand = BandRaster::kEmpty;

    /// The colours and bands of an allocation, before and after it counts as kept.
    struct Look
    {
        AllocationIndex allocation = BandRaster::kEmpty;
        std::int32_t keptFrom = KeptBlocks::kNever;
        std::uint32_t band = kNoBand;
        std::uint32_t keptBand = kNoBand;
        QRgb color = 0;
        QRgb keptColor = 0;
        bool isFaded = false;
    };
    /// The span being painted: adjacent pixels of a column that belong to one band.
    struct OpenSpan
    {
        std::uint32_t band = kNoBand;
        int firstRow = 0;
        bool isFaded = false;
        bool isOnTallBand = false; ///< on top of a band that is tall enough for a seam
    };

    int tallBand() const;
    const Look& lookOf(AllocationIndex allocation);
    void paintColumn(int x, QRgb* pixels);
    void paintSpan(const Look& look, bool isKept, int x, int from, int to, QRgb* pixels) const;
    void closeSpan(int x, int to, QRgb* pixels);
    void closeFamily(int x, int to);
    std::uint32_t familyOf(std::uint32_t band) const;
    int rowOf(Bytes bytes) const;
    void paleAboveLowest(int x, QRgb* pixels) const;
    void paintMedian(int x, QRgb* pixels) const;

    const BandRaster& m_raster;
    const std::vector<PeakSpread>& m_spreads;
    const BandRequest& m_request;
    int m_labelRows;
    QRgb m_surface;
    QRgb m_ink;
    int m_hatchPhase; ///< keeps the lines fixed to the data while panning
    std::vector<Look> m_looks; ///< cache; an allocation has the slot of its index modulo the size
    OpenSpan m_open;
    std::vector<BandSpan> m_spans;
    /// By rank, the lowest band of its family in the stacking; empty if the stacking has no families
    std::vector<std::uint32_t> m_families;
    OpenSpan m_openFamily;
    std::size_t m_spansBelowFamily = 0; ///< spans collected before the open family
    std::vector<int> m_filled;
};

} // namespace highwater::gui
