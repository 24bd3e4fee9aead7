#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace highwater {

/// A picture as geometry, independent of the output format (SVG, a page of a report). x grows to the right
/// and y downwards, in pixels of a picture `width` × `height`.
struct FigurePoint
{
    double x = 0;
    double y = 0;

    bool operator==(const FigurePoint&) const = default;
};

/// 0xRRGGBB.
using FigureColor = std::uint32_t;

/// A rectangle with opacity 0 is not drawn or written: it only reacts to the pointer.
struct FigureRect
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    FigureColor fill = 0;
    double opacity = 1;
    std::string title = {}; ///< tooltip, as lines; empty: none
    int id = -1; ///< chosen by the maker of the figure; −1: none
};

/// Closed and filled.
struct FigurePolygon
{
    std::vector<FigurePoint> points;
    FigureColor fill = 0;
    std::string title = {};
};

struct FigureLine
{
    std::vector<FigurePoint> points; ///< at least two
    FigureColor color = 0;
    double width = 1;
    std::vector<double> dash = {}; ///< lengths of dashes and gaps in turn; empty: a solid line
};

enum class TextAnchor : std::uint8_t
{
    Start,
    Middle,
    End
};

struct FigureText
{
    double x = 0; ///< of the anchor
    double y = 0; ///< of the baseline
    std::string text; ///< any text; writers escape it
    double size = 12; ///< of the font, pixels
    FigureColor color = 0;
    TextAnchor anchor = TextAnchor::Start;
    bool bold = false;
    bool upwards = false; ///< rotated to read from bottom to top
};

using FigureShape = std::variant<FigureRect, FigurePolygon, FigureLine, FigureText>;

struct Figure
{
    double width = 0;
    double height = 0;
    FigureColor background = 0xffffff;
    std::string title; ///< alternative text for people who cannot see the figure
    std::vector<FigureShape> shapes; ///< later ones cover earlier ones
};

/// Approximate width of a text in a common sans-serif font: enough to reserve space, not to align.
double textWidth(const std::string& text, double size, bool bold = false);

/// The text, truncated and ended with "…" if it is wider.
std::string fittedText(const std::string& text, double size, double width);

} // namespace highwater
