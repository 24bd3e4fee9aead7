#pragma once

#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/figure/raster/byte_scale.h"

namespace highwater {

/// The band with the most bytes in a pixel, the lowest of equals.
struct BandClaim
{
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    Bytes bytes = -1;

    /// Keeps the larger band. Bands must be offered from the bottom up.
    void offer(const BandClaim& other)
    {
        if (other.bytes > bytes)
            *this = other;
    }
};

/// Paints the bands of one column into its pixels, from the bottom up. Bands that share a pixel may be added
/// as one, with the claim of the largest.
class ColumnPainter
{
public:
    /// `scale` and `emphasis` (by allocation; null without emphasis) must outlive the painter. O(height).
    ColumnPainter(const ByteScale& scale, int height, const std::vector<bool>* emphasis);

    /// Begins another column: `pixels` has `height` entries, all empty.
    void begin(AllocationIndex* pixels);
    /// True if a band of `bytes`, added next, ends in the same pixel as the last one (or below the view).
    bool fits(Bytes bytes) const { return m_offset + bytes <= m_rowEnd; }
    /// Adds bands that fit; for emphasised bands also pass their bytes.
    void addWithinPixel(Bytes bytes, const BandClaim& plainClaim)
    {
        ++m_pieces;
        m_offset += bytes;
        m_plainClaim.offer(plainClaim);
    }
    void addWithinPixel(
        Bytes bytes, const BandClaim& plainClaim, const BandClaim& emphasisedClaim, Bytes emphasisedBytes)
    {
        addWithinPixel(bytes, plainClaim);
        m_emphasisedClaim.offer(emphasisedClaim);
        m_emphasisedShare += static_cast<double>(emphasisedBytes) * m_pixelsPerByte;
    }
    /// Adds one band of any size.
    void add(AllocationIndex allocation, Bytes bytes)
    {
        if (!fits(bytes))
            addLarge(allocation, bytes);
        else if (isEmphasised(allocation))
            addWithinPixel(bytes, {}, {allocation, bytes}, bytes);
        else
            addWithinPixel(bytes, {allocation, bytes});
    }
    /// True if the column is full to its top: everything added later is above the view.
    bool isFull() const { return m_isFull; }
    /// Ends the column. Call it after the last band, or as soon as the column is full.
    void finish();
    /// Returns the number of bands processed in all columns, with bands added as one counted once: the cost
    /// of painting.
    std::size_t pieces() const { return m_pieces; }

private:
    double rowAt(Bytes offset) const
    {
        return (static_cast<double>(offset) - m_scale.bottomBytes) * m_pixelsPerByte;
    }
    bool isEmphasised(AllocationIndex i) const { return m_emphasis && (*m_emphasis)[i]; }
    Bytes lastByteOfRow(int row, Bytes least) const;
    Bytes endOf(int row) const { return m_ends[static_cast<std::size_t>(row + 1)]; }
    void addLarge(AllocationIndex allocation, Bytes bytes);
    void paintBand(AllocationIndex allocation, Bytes bytes, int first, int last);
    void claim(AllocationIndex allocation, Bytes bytes, bool emphasised, double share);
    void beginRow(int row);
    void finishRow();

    const ByteScale& m_scale;
    const std::vector<bool>* m_emphasis;
    int m_height;
    double m_pixelsPerByte;
    std::vector<Bytes>
        m_ends; ///< [0]: last offset not above the bottom of the view; [r + 1]: last offset of row r
    AllocationIndex* m_pixels = nullptr;
    Bytes m_offset = 0;
    Bytes m_rowEnd = 0; ///< Last offset in the topmost pixel reached so far
    int m_row = -1; ///< The topmost pixel reached so far; all pixels below it are painted
    bool m_isFull = false;
    BandClaim m_emphasisedClaim; ///< Largest emphasised band in the pixel `m_row`
    BandClaim m_plainClaim; ///< Largest other band in the pixel `m_row`
    double m_emphasisedShare = 0; ///< Share of the pixel `m_row` covered by emphasised bands
    std::size_t m_pieces = 0;
    double m_carried = 0; ///< Emphasised bytes in the pixels below that are not visible, in pixels
};

} // namespace highwater
