#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace highwater {

/// A picture as geometry, independent of the output format (SVG, a page of a report). x grows to the right
/// and y downwards, in pixels of a picture of `width` × `height`.
struct FigurePoint
{
    double x = 0;
    double y = 0;

    bool operator==(const FigurePoint&) const = default;
};

/// 0xRRGGBB.
using FigureColor = std::uint32_t;

/// A rectangle. With opacity 0 it is neither drawn nor written and only reacts to the pointer.
struct FigureRect
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    FigureColor fill = 0;
    double opacity = 1;
    std::string title = {}; ///< Tooltip, possibly of several lines; may be empty
    int id = -1; ///< Chosen by the code that makes the figure; −1 if unused
    /// The background of a label, whose texts follow it in the figure and stay readable on it in the dark.
    bool isPlate = false;
};

/// A closed, filled polygon.
struct FigurePolygon
{
    std::vector<FigurePoint> points;
    FigureColor fill = 0;
    std::string title = {};
    bool hatched = false; ///< Crossed by oblique white lines, as memory kept from earlier steps
};

/// A stroked line through several points.
struct FigureLine
{
    std::vector<FigurePoint> points; ///< At least two
    FigureColor color = 0;
    double width = 1;
    std::vector<double> dash = {}; ///< Alternating lengths of dashes and gaps; empty for a solid line
};

/// The part of a text that is at its x.
enum class TextAnchor : std::uint8_t
{
    Start,
    Middle,
    End
};

/// A text on one line.
struct FigureText
{
    double x = 0; ///< x of the anchor
    double y = 0; ///< y of the baseline
    std::string text; ///< Any text; writers escape it
    double size = 12; ///< Font size in pixels
    FigureColor color = 0;
    TextAnchor anchor = TextAnchor::Start;
    bool bold = false;
    bool upwards = false; ///< Rotated to read from bottom to top
    std::string whole = {}; ///< Tooltip: the whole of a text that is cut; else empty
};

using FigureShape = std::variant<FigureRect, FigurePolygon, FigureLine, FigureText>;

/// A complete picture, in pixels.
struct Figure
{
    double width = 0;
    double height = 0;
    FigureColor background = 0xffffff;
    std::string title; ///< Alternative text for people who cannot see the figure
    std::vector<FigureShape> shapes; ///< Later shapes cover earlier ones
};

/// Estimates the width of a text in a common sans-serif font: good enough to reserve space, not to align.
double textWidth(const std::string& text, double size, bool bold = false);

/// Returns the text; if it is wider than `width`, truncated and ended with "…", or empty if no character
/// fits.
std::string fittedText(const std::string& text, double size, double width);
/// Cuts the text with `fittedText`; if it is too wide, `whole` has all of it.
FigureText fitted(FigureText text, double width);

} // namespace highwater
