#include "core/figure/segments/map_key.h"

#include <algorithm>
#include <string>

#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/ticks.h"

namespace highwater {

namespace {

constexpr double kKeyLine = 1.6; ///< height of the line of swatches, in heights of the font
constexpr double kRulerLine = 1.9;
constexpr double kTickRoom = 9; ///< width for a length on the ruler

/// How the swatch of an entry is filled.
enum class Fill
{
    Plain,
    Kept,
    Pending
};

class MapKeyDrawing
{
public:
    MapKeyDrawing(RequestBars& bars, const RequestBarsLook& look)
        : m_bars(bars)
        , m_look(look)
        , m_y(look.offset.y + bars.height)
    {
    }

    void addEntry(FigureColor fill, Fill fillKind, const std::string& text)
    {
        const double side = m_look.font;
        const double left = m_look.offset.x + m_x;
        const double width = textWidth(text, m_look.font);
        if (m_x + 1.5 * side + width > m_look.width)
            return;
        const double right = left + side;
        const double bottom = m_y + side;
        const std::vector<FigurePoint> corners{{left, m_y}, {right, m_y}, {right, bottom}, {left, bottom}};
        m_bars.shapes.emplace_back(
            FigurePolygon{.points = corners, .fill = fill, .hatched = fillKind == Fill::Kept});
        addLine({corners[0], corners[1], corners[2], corners[3], corners[0]});
        if (fillKind == Fill::Pending)
            addLine({{left, bottom}, {right, m_y}});
        addText(left + 1.5 * side, m_y + 0.86 * m_look.font, text);
        m_x += 3 * side + width;
    }

    void addRuler()
    {
        m_y += kKeyLine * m_look.font;
        const double line = m_y + 1.35 * m_look.font;
        const Ticks ticks = byteTicks(0, m_look.width * m_look.bytesPerPixel,
            std::max(1, static_cast<int>(m_look.width / (kTickRoom * m_look.font))));
        addLine({{m_look.offset.x, line}, {m_look.offset.x + m_look.width, line}});
        for (std::size_t i = 0; i < ticks.positions.size(); ++i) {
            const double x = ticks.positions[i] / m_look.bytesPerPixel;
            const double left = std::clamp(
                x - textWidth(ticks.labels[i], m_look.font) / 2, 0.0, std::max(0.0, m_look.width));
            addLine({{m_look.offset.x + x, line}, {m_look.offset.x + x, line + 3 * m_look.pixel}});
            if (left + textWidth(ticks.labels[i], m_look.font) <= m_look.width)
                addText(m_look.offset.x + left, m_y + 0.86 * m_look.font, ticks.labels[i]);
        }
    }

private:
    void addLine(std::vector<FigurePoint> points)
    {
        m_bars.shapes.emplace_back(FigureLine{
            .points = std::move(points), .color = m_look.palette.quietText, .width = m_look.pixel});
    }

    void addText(double x, double baseline, const std::string& text)
    {
        m_bars.shapes.emplace_back(FigureText{
            .x = x, .y = baseline, .text = text, .size = m_look.font, .color = m_look.palette.quietText});
    }

    RequestBars& m_bars;
    const RequestBarsLook& m_look;
    double m_x = 0;
    double m_y;
};

} // namespace

double mapKeyHeight(double font)
{
    return (kKeyLine + kRulerLine) * font;
}

void addMapKey(RequestBars& bars, const SegmentState& state, const RequestBarsLook& look, bool hasKept)
{
    MapKeyDrawing key(bars, look);
    key.addEntry(look.palette.reservedEdge, Fill::Plain, "in use, colors of the timeline");
    if (hasKept)
        key.addEntry(look.palette.quietText, Fill::Kept, "kept");
    key.addEntry(look.palette.background, Fill::Plain, "free");
    if (state.pendingBytes > 0)
        key.addEntry(look.palette.reservedEdge, Fill::Pending, "freed, in use by another stream");
    key.addRuler();
    bars.height += mapKeyHeight(look.font);
}

} // namespace highwater
