#include "core/figure/segments/request_bars.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

class RequestBarsDrawing
{
public:
    RequestBarsDrawing(const AllocatorMoment& moment, const RequestBarsLook& look)
        : m_verdict(*moment.verdict)
        , m_look(look)
    {
    }

    void addRequest()
    {
        const double end = addBar(0, m_verdict.requestedBytes, m_look.palette.danger, true);
        addLabel(end, formatBytes(m_verdict.requestedBytes) + " requested", true);
        m_bars.requestEnd = end;
        nextRow();
    }

    void addDeviceFree()
    {
        const Bytes bytes = m_verdict.deviceFreeBytes;
        const double end = bytes > 0 ? addBar(0, bytes, m_look.palette.quietText, false) : 0;
        addLabel(end, formatBytes(bytes) + " free on the GPU", false);
        nextRow();
    }

    /// Draws free blocks in rows, largest first, until the rows are full; the text at the end counts the
    /// others.
    void addFreeBlocks(const std::vector<Bytes>& freeBlocks)
    {
        if (freeBlocks.empty()) {
            addText(0, "no free block", m_look.palette.text, false);
            return nextRow();
        }
        const double gap = 3 * m_look.pixel;
        const double textRoom = textWidth(freeBlocksTexts(freeBlocks, 0).front(), m_look.font)
            + 8 * m_look.pixel; // for the text in the last row
        double x = 0;
        std::size_t row = 0;
        std::size_t shownBlocks = 0;
        for (; shownBlocks < freeBlocks.size(); ++shownBlocks) {
            const double length = std::max(2 * m_look.pixel, lengthOf(freeBlocks[shownBlocks]));
            const bool isLastRow = row + 1 == m_look.maxFreeBlockRows;
            if (x > 0 && x + length + (isLastRow ? textRoom : 0) > m_look.width) {
                if (isLastRow)
                    break;
                ++row;
                x = 0;
                nextRow();
            }
            const double end = addBar(x, freeBlocks[shownBlocks], m_look.palette.quietText, false);
            addTextInside(x, end, formatBytes(freeBlocks[shownBlocks]));
            x = end + gap;
        }
        addFreeBlocksText(
            x - gap, freeBlocksTexts(freeBlocks, shownBlocks), row + 1 < m_look.maxFreeBlockRows);
        nextRow();
    }

    void addObstacle(const std::string& obstacle)
    {
        if (obstacle.empty())
            return;
        addText(0, obstacle, m_look.palette.text, false);
        nextRow();
    }

    RequestBars take()
    {
        m_bars.height = m_y + m_look.rowGap;
        return std::move(m_bars);
    }

private:
    double lengthOf(Bytes bytes) const { return static_cast<double>(bytes) / m_look.bytesPerPixel; }

    /// Returns the text at the end of the row, and a shorter one for a narrow row. Both have the size of a
    /// single block that is too narrow for it.
    std::array<std::string, 2> freeBlocksTexts(
        const std::vector<Bytes>& freeBlocks, std::size_t shownBlocks) const
    {
        if (shownBlocks == freeBlocks.size())
            return {counted(static_cast<std::int64_t>(shownBlocks), "free block", "free blocks"),
                formatCount(shownBlocks) + " free"};
        const std::string others = formatCount(freeBlocks.size() - shownBlocks);
        const std::string size = formatBytes(freeBlocks.front());
        if (shownBlocks == 1 && !fitsInside(lengthOf(freeBlocks.front()), size))
            return {fmt::format("{} free, {} smaller", size, others), size + " free"};
        return {fmt::format("and {} smaller free blocks", others), fmt::format("and {} smaller", others)};
    }

    bool fitsInside(double room, const std::string& text) const
    {
        return textWidth(text, m_look.font) + 6 * m_look.pixel <= room;
    }

    /// Draws a bar and returns its right end.
    double addBar(double x, Bytes bytes, FigureColor edge, bool filled)
    {
        const double end = std::min(x + std::max(2 * m_look.pixel, lengthOf(bytes)), m_look.width);
        const bool isOpen = x + lengthOf(bytes) > m_look.width;
        const double left = m_look.offset.x + x;
        const double right = m_look.offset.x + end;
        const double top = m_look.offset.y + m_y;
        const double bottom = top + m_look.rowHeight;
        m_bars.shapes.emplace_back(FigureRect{.x = left,
            .y = top,
            .width = end - x,
            .height = m_look.rowHeight,
            .fill = filled ? m_look.palette.dangerFill : m_look.palette.background,
            .title = formatBytes(bytes) + " = " + formatExactBytes(bytes)});
        FigureLine line{.points = {{right, top}, {left, top}, {left, bottom}, {right, bottom}},
            .color = edge,
            .width = m_look.pixel};
        if (!isOpen)
            line.points.push_back({right, top});
        m_bars.shapes.emplace_back(std::move(line));
        return end;
    }

    /// Writes a text that begins at `x` and is cut at the right edge.
    void addText(double x, std::string text, FigureColor color, bool bold)
    {
        m_bars.shapes.emplace_back(
            fitted(FigureText{.x = m_look.offset.x + x,
                       .y = m_look.offset.y + m_y + (m_look.rowHeight + m_look.font * 0.72) / 2,
                       .text = std::move(text),
                       .size = m_look.font,
                       .color = color,
                       .bold = bold},
                std::max(0.0, m_look.width - x)));
    }

    void addTextInside(double begin, double end, const std::string& text)
    {
        if (fitsInside(end - begin, text))
            addText(begin + (end - begin - textWidth(text, m_look.font)) / 2, text, m_look.palette.quietText,
                false);
    }

    /// Writes the text after the free blocks; if it does not fit there, writes it below them if a row is
    /// left, else the shorter text.
    void addFreeBlocksText(double end, const std::array<std::string, 2>& texts, bool hasRow)
    {
        const double x = end + 8 * m_look.pixel;
        const auto& [text, shorter] = texts;
        const bool fits = x + textWidth(text, m_look.font) <= m_look.width;
        if (!fits && hasRow)
            nextRow();
        addText(fits || !hasRow ? x : 0, fits || hasRow ? text : shorter, m_look.palette.text, false);
    }

    /// Writes the text after the bar if there is room, else inside it.
    void addLabel(double end, const std::string& text, bool bold)
    {
        const double gap = 8 * m_look.pixel;
        const double width = textWidth(text, m_look.font, bold);
        if (end + gap + width <= m_look.width || width + 2 * gap > end)
            addText(end + gap, text, m_look.palette.text, bold);
        else
            addText(gap, text, m_look.palette.text, bold);
    }

    void nextRow() { m_y += m_look.rowHeight + m_look.rowGap; }

    const OomVerdict& m_verdict;
    const RequestBarsLook& m_look;
    RequestBars m_bars;
    double m_y = 0;
};

} // namespace

RequestBars requestBars(const Trace& trace, const AllocatorMoment& moment, const RequestBarsLook& look,
    const std::string& obstacle)
{
    if (!moment.verdict || moment.verdict->requestedBytes <= 0)
        return {};
    RequestBarsDrawing bars(moment, look);
    bars.addRequest();
    bars.addDeviceFree();
    bars.addFreeBlocks(servingFreeBlockSizes(trace, moment.state, moment.verdict->key));
    bars.addObstacle(obstacle);
    return bars.take();
}

} // namespace highwater
