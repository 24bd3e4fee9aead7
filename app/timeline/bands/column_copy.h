#pragma once

#include <array>
#include <vector>

#include <QRgb>

namespace highwater::gui {

/// Copies rows of a picture that is stretched or shrunk to its nearest pixels: each pixel that is written
/// takes its colour from a column of the picture. Three times as fast where the processor has AVX2 and the
/// columns lie close together.
class ColumnCopy
{
public:
    /// `columns`: for each pixel of a row that is written, never falling, each below `width`. `usesAvx2`:
    /// where it is there.
    ColumnCopy(std::vector<int> columns, int width, bool usesAvx2 = true);

    /// Writes as many pixels as there are columns. Empty pixels (0) leave what is there. `next`: the row that
    /// comes after this one, which the processor does not load by itself where only parts of rows are read.
    void copyRow(const QRgb* from, const QRgb* next, QRgb* to) const;

private:
    /// Eight pixels from two places of the row, four from each.
    struct Eight
    {
        int first = 0;
        int fifth = 0;
        std::array<int, 8> within{}; ///< 0 to 7, from `first` and from `fifth` on
    };

    void findEights(int width);
    /// The pixels of all eights.
    void copyEights(const QRgb* from, const QRgb* next, QRgb* to) const;

    std::vector<int> m_columns;
    std::vector<Eight> m_eights; ///< from the left; without them pixels are copied by their columns
};

} // namespace highwater::gui
