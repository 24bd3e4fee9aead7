#pragma once

#include <vector>

#include <QImage>

#include "app/timeline/bands/band_image.h"
#include "core/figure/layout/label_room.h"

namespace highwater::gui {

/// Paints a raster: the colour of each band, oblique lines over what is held from earlier steps, and a seam
/// between bands that are tall enough for one.
class BandPainter
{
public:
    /// Runs of a band that are not faded and fill at least so many rows are kept. Both must outlive it.
    /// Above `lowest`, by column, colours are paler; empty: nowhere.
    BandPainter(const BandRaster& raster, const std::vector<Bytes>& lowest, const BandRequest& request,
        int labelRows);

    /// O(pixels).
    QImage paint();
    /// By column. The band's number is its rank in the stacking, without one its allocation.
    std::vector<BandRun> takeRuns() { return std::move(m_runs); }
    /// See BandImage.
    std::vector<int> takeFilled() { return std::move(m_filled); }

private:
    static constexpr std::uint32_t kNoBand = BandRaster::kEmpty;

    /// What an allocation looks like, whatever the moment.
    struct Look
    {
        AllocationIndex allocation = BandRaster::kEmpty;
        std::int32_t heldFrom = HeldBlocks::kNever;
        std::uint32_t band = kNoBand;
        std::uint32_t heldBand = kNoBand;
        QRgb color = 0;
        QRgb heldColor = 0;
        bool isFaded = false;
    };
    /// Neighbouring pixels of a column that belong to one band.
    struct OpenRun
    {
        std::uint32_t band = kNoBand;
        int from = 0;
        bool isFaded = false;
        bool liesOnTall = false; ///< on a band that is tall enough for a seam
    };

    const Look& lookOf(AllocationIndex allocation);
    void paintColumn(int x, QRgb* pixels);
    void paintRun(const Look& look, bool held, int x, int from, int to, QRgb* pixels) const;
    void closeRun(int x, int to, QRgb* pixels);
    void pale(int x, QRgb* pixels) const;

    const BandRaster& m_raster;
    const std::vector<Bytes>& m_lowest;
    const BandRequest& m_request;
    int m_labelRows;
    QRgb m_surface;
    int m_hatchPhase; ///< so that the lines stay on the data while it is panned
    std::vector<Look> m_looks; ///< the newest, by the last digits of their allocation
    OpenRun m_open;
    std::vector<BandRun> m_runs;
    std::vector<int> m_filled;
};

} // namespace highwater::gui
