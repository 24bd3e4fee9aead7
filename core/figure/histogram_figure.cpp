#include "core/figure/histogram_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kBinRow = 23;
constexpr double kGap = 16;

const char* axisTitle(HistogramKind kind)
{
    return kind == HistogramKind::Size ? "Size" : "Lifetime within the trace";
}

/// A bin, or several adjacent empty ones; the first and the last bin of a histogram are never empty.
struct BinRow
{
    std::size_t bin = 0;
    HistogramBin shown;

    bool isEmpty() const { return shown.total.count == 0; }
};

/// Returns a row for each bin; adjacent empty bins share one.
std::vector<BinRow> binRows(const Histogram& histogram)
{
    std::vector<BinRow> rows;
    for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
        const HistogramBin& bin = histogram.bins[i];
        if (!rows.empty() && rows.back().isEmpty() && bin.total.count == 0)
            rows.back().shown.high = bin.high;
        else
            rows.push_back({i, bin});
    }
    return rows;
}

/// Draws the bars and their texts.
class RowDrawing
{
public:
    RowDrawing(FigureSheet& sheet, const std::vector<BinRow>& rows, HistogramKind kind)
        : m_sheet(sheet)
        , m_kind(kind)
    {
        double titleWidth = textWidth(axisTitle(kind), FigureSheet::kFont);
        for (const BinRow& row : rows) {
            titleWidth = std::max(titleWidth, textWidth(binTitle(row.shown, kind), FigureSheet::kFont));
            m_largest.bytes = std::max(m_largest.bytes, row.shown.total.bytes);
            m_largest.count = std::max(m_largest.count, row.shown.total.count);
        }
        m_byteBarsLeft = sheet.margin() + titleWidth + kGap;
        m_halfWidth = std::max(0.0, (sheet.width() - sheet.margin() - m_byteBarsLeft) / 2);
    }

    void drawHeading(const CountedBytes& total, double top)
    {
        const double baseline = top + kBinRow / 2 + 4;
        m_sheet.quietText(m_sheet.margin(), baseline, axisTitle(m_kind));
        m_sheet.quietText(m_byteBarsLeft, baseline, "Bytes, together " + formatBytes(total.bytes));
        m_sheet.quietText(
            m_byteBarsLeft + m_halfWidth, baseline, "Allocations, together " + formatCount(total.count));
    }

    void drawRow(const BinRow& row, const CountedBytes& total, double top)
    {
        const double baseline = top + kBinRow / 2 + 4;
        const std::string title = binTitle(row.shown, m_kind);
        if (row.isEmpty())
            return m_sheet.quietText(m_sheet.margin(), baseline, title + ": none");
        const CountedBytes& amount = row.shown.total;
        m_sheet.text(m_sheet.margin(), baseline, title);
        drawBar(m_byteBarsLeft, top, amount.bytes, m_largest.bytes,
            fmt::format("{} ({})", formatBytes(amount.bytes), formatShare(amount.bytes, total.bytes)));
        drawBar(m_byteBarsLeft + m_halfWidth, top, amount.count, m_largest.count, formatCount(amount.count));
        m_sheet.spot({0, top, m_sheet.width(), kBinRow},
            fmt::format("{}: {} in {} {}", title, formatExactBytes(amount.bytes), formatCount(amount.count),
                amount.count == 1 ? "allocation" : "allocations"),
            static_cast<int>(row.bin));
    }

private:
    /// Draws a bar in a neutral colour: a bin has allocations of several categories.
    void drawBar(double left, double top, std::int64_t value, std::int64_t largest, const std::string& text)
    {
        // The bar is short enough for the longest text to fit to its right.
        const double room
            = std::max(0.0, m_halfWidth - textWidth("1,023.9 MiB (100.0 %)m", FigureSheet::kFont));
        const double share = largest > 0 ? static_cast<double>(value) / static_cast<double>(largest) : 0;
        const double width = value > 0 ? std::max(1.0, share * room) : 0;
        m_sheet.rect({left, top + 3, width, kBinRow - 6}, m_sheet.palette().quietText);
        m_sheet.text(left + width + 6, top + kBinRow / 2 + 4, text);
    }

    FigureSheet& m_sheet;
    HistogramKind m_kind;
    CountedBytes m_largest;
    double m_byteBarsLeft = 0; ///< Left edge of the bars of bytes
    double m_halfWidth = 0; ///< Width for the bars of bytes, and for those of counts
};

} // namespace

std::string binTitle(const HistogramBin& bin, HistogramKind kind)
{
    switch (bin.kind) {
    case BinKind::NotFreed:
        return bin.high <= 1
            ? "not freed in the trace"
            : fmt::format("not freed, {} to {} events old", formatCount(bin.low), formatCount(bin.high - 1));
    case BinKind::Older: return "allocated before recording began, freed during it";
    case BinKind::Range: break;
    }
    if (kind == HistogramKind::Size)
        return bin.high == 1 ? "0 B" : fmt::format("{} to {}", formatBytes(bin.low), formatBytes(bin.high));
    return bin.high == 1 ? "0 events"
                         : fmt::format("{} to {} events", formatCount(bin.low), formatCount(bin.high - 1));
}

int histogramHeight(const Histogram& histogram)
{
    return static_cast<int>(2 * FigureOptions{.titled = false}.margin()
        + kBinRow * (static_cast<double>(binRows(histogram).size()) + 1));
}

Figure histogramFigure(const Histogram& histogram, HistogramKind kind, const FigureOptions& options)
{
    FigureSheet sheet(options, options.source,
        fmt::format("{} in {} allocations by {}", formatBytes(histogram.total.bytes),
            formatCount(histogram.total.count), kind == HistogramKind::Size ? "size" : "lifetime"));
    const std::vector<BinRow> rows = binRows(histogram);
    if (rows.empty())
        return sheet.take();
    RowDrawing drawing(sheet, rows, kind);
    double top = sheet.contentTop();
    drawing.drawHeading(histogram.total, top);
    for (const BinRow& row : rows)
        drawing.drawRow(row, histogram.total, top += kBinRow);
    return sheet.take();
}

} // namespace highwater
