#include "core/figure/raster/column_painter.h"

#include <algorithm>
#include <limits>

namespace highwater {

namespace {
constexpr double kHalf = 0.5;
}

ColumnPainter::ColumnPainter(const ByteScale& scale, int height, const std::vector<bool>* emphasis)
    : m_scale(scale)
    , m_emphasis(emphasis)
    , m_height(height)
    , m_pixelsPerByte(1 / scale.bytesPerPixel)
{
    m_ends.reserve(static_cast<std::size_t>(height) + 1);
    for (int row = -1; row < height; ++row)
        m_ends.push_back(lastByteOfRow(row, m_ends.empty() ? -1 : m_ends.back()));
}

/// Returns the last offset in the row. Searches with `rowAt`, which also places bands, so that later
/// comparisons of whole bytes are exact.
Bytes ColumnPainter::lastByteOfRow(int row, Bytes least) const
{
    Bytes low = least; // an offset in the row or below it, or −1
    Bytes high = std::numeric_limits<Bytes>::max() / 2; // an offset above the row
    while (high - low > 1) {
        const Bytes middle = low + (high - low) / 2;
        (rowAt(middle) <= row + 1 ? low : high) = middle;
    }
    return low;
}

void ColumnPainter::begin(AllocationIndex* pixels)
{
    m_pixels = pixels;
    m_offset = 0;
    m_rowEnd = m_ends.front();
    m_row = -1;
    m_isFull = m_height == 0;
    m_emphasisedClaim = m_plainClaim = {};
    m_emphasisedShare = m_carried = 0;
}

void ColumnPainter::addLarge(AllocationIndex allocation, Bytes bytes)
{
    ++m_pieces;
    if (m_isFull)
        return;
    const Bytes begin = m_offset;
    m_offset += bytes;
    int first = m_row;
    while (first < m_height && begin > endOf(first))
        ++first;
    if (first < m_height && begin == endOf(first) && rowAt(begin) == first + 1)
        ++first;
    first = std::max(first, 0);
    int last = first;
    while (last < m_height && m_offset > endOf(last))
        ++last;
    m_isFull = last == m_height;
    if (first < m_height)
        paintBand(allocation, bytes, first, std::min(last, m_height - 1));
    m_rowEnd = endOf(m_row);
}

void ColumnPainter::paintBand(AllocationIndex allocation, Bytes bytes, int first, int last)
{
    const bool emphasised = isEmphasised(allocation);
    const double begin = emphasised ? std::max(rowAt(m_offset - bytes), 0.0) : 0;
    const double end = emphasised ? std::min(rowAt(m_offset), static_cast<double>(m_height)) : 0;
    if (first != m_row)
        beginRow(first);
    claim(allocation, bytes, emphasised, std::min(end, first + 1.0) - begin);
    if (first == last)
        return;
    beginRow(last);
    std::fill(m_pixels + first + 1, m_pixels + last, allocation); // pixels that this band fills alone
    claim(allocation, bytes, emphasised, end - last);
}

void ColumnPainter::claim(AllocationIndex allocation, Bytes bytes, bool emphasised, double share)
{
    (emphasised ? m_emphasisedClaim : m_plainClaim).offer({allocation, bytes});
    if (emphasised)
        m_emphasisedShare += share;
}

void ColumnPainter::beginRow(int row)
{
    finishRow();
    m_row = row;
    m_emphasisedClaim = m_plainClaim = {};
    m_emphasisedShare = 0;
}

void ColumnPainter::finishRow()
{
    if (m_row < 0)
        return;
    m_carried += m_emphasisedShare;
    const bool takesEmphasised = m_plainClaim.allocation == AllocationTable::kNoAllocation
        || (m_emphasisedShare > 0 && m_carried >= kHalf);
    m_carried -= takesEmphasised ? 1 : 0;
    m_pixels[m_row] = (takesEmphasised ? m_emphasisedClaim : m_plainClaim).allocation;
}

/// Fills the topmost pixel only if the total reaches its middle. Otherwise the emphasised bands get the pixel
/// below if they are owed half a pixel.
void ColumnPainter::finish()
{
    const double top = rowAt(m_offset);
    const bool isLeftEmpty = m_row > 0 && m_row < top && top < m_row + kHalf;
    if (!isLeftEmpty)
        finishRow();
    else if (m_emphasisedShare > 0 && m_carried + m_emphasisedShare >= kHalf
        && !isEmphasised(m_pixels[m_row - 1]))
        m_pixels[m_row - 1] = m_emphasisedClaim.allocation;
}

} // namespace highwater
