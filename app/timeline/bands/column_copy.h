#pragma once

#include <array>
#include <vector>

#include <QRgb>

namespace highwater::gui {

/// Copies rows of a picture and scales them to the nearest pixel: each target pixel gets the colour of one
/// column of the picture. Three times as fast if the processor has AVX2 and adjacent target pixels have
/// sources close together.
class ColumnCopy
{
public:
    /// `columns` has the source column of each target pixel, ascending, each below `width`, the width of the
    /// source picture. `usesAvx2`: use AVX2 if the processor has it; tests compare both ways.
    ColumnCopy(std::vector<int> columns, int width, bool usesAvx2 = true);

    /// Writes as many pixels as there are columns. Empty pixels (0) are skipped. `next` is the following row,
    /// which is prefetched: the processor does not prefetch it when only parts of rows are read.
    void copyRow(const QRgb* source, const QRgb* next, QRgb* target) const;

private:
    /// Sources of eight target pixels: four from each of two positions in the row.
    struct Eight
    {
        int first = 0;
        int fifth = 0;
        std::array<int, 8> within{}; ///< offsets 0 to 7 from `first`, and from `fifth`
    };

    void findEights(int width);
    /// Writes the pixels of all groups of eight.
    void copyEights(const QRgb* source, const QRgb* next, QRgb* target) const;

    std::vector<int> m_columns;
    std::vector<Eight> m_eights; ///< from the left; if empty, pixels are copied one by one
};

} // namespace highwater::gui
