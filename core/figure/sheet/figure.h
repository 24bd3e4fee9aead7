#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace highwater {

/// A picture as geometry: what it shows is decided, how it is written (SVG, a page of a report) is not. x
/// grows to the right and y downwards, in pixels of a picture `width` × `height`.
struct FigurePoint
{
    double x = 0;
    double y = 0;

    bool operator==(const FigurePoint&) const = default;
};

/// 0xRRGGBB.
using FigureColor = std::uint32_t;

/// One of opacity 0 is not drawn, nor written: it only answers the pointer.
struct FigureRect
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    FigureColor fill = 0;
    double opacity = 1;
    std::string title = {}; ///< what a viewer shows under the pointer, in lines; empty: nothing
    int id = -1; ///< what it stands for, for whoever made the figure; −1: nothing
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
    std::vector<double> dash = {}; ///< lengths drawn and left out in turn; empty: drawn through
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
    bool upwards = false; ///< turned to read from below to above
};

using FigureShape = std::variant<FigureRect, FigurePolygon, FigureLine, FigureText>;

struct Figure
{
    double width = 0;
    double height = 0;
    FigureColor background = 0xffffff;
    std::string title; ///< what it is, for those who cannot see it
    std::vector<FigureShape> shapes; ///< later ones lie on earlier ones
};

/// About how wide a text stands in a usual sans-serif font: enough to leave room, not to align by.
double textWidth(const std::string& text, double size, bool bold = false);

/// The text, cut behind as many characters as fit and ended with "…" where it is wider.
std::string fittedText(const std::string& text, double size, double width);

} // namespace highwater
