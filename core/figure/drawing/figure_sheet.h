#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/figure/drawing/figure.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/ticks.h"

namespace highwater {

/// The left and right edge of the data in a figure, in pixels.
struct PlotEdges
{
    double left = 0;
    double right = 0;

    bool operator==(const PlotEdges&) const = default;
};

/// Options common to all figures. Lengths are in pixels.
struct FigureOptions
{
    int width = 1200;
    int height = 675;
    bool dark = false;
    bool contrast = false; ///< The strong colours of the high-contrast theme
    std::string source = {}; ///< The subject of the figure in its title: the name of a file
    std::string headline = {}; ///< Diagnosis of the run as the title of its timeline; may be empty
    /// False omits the title lines and narrows the margins, for a place that has its own title.
    bool titled = true;
    /// Error in pixels allowed for the edges of areas, to make the file smaller. 0 draws every pixel column
    /// exactly.
    double tolerance = 0;
    /// The edges of a plot that shares its axis with others above it; `diffFigure` alone has such a plot.
    std::optional<PlotEdges> edges = std::nullopt;

    /// Below this height, a figure in a place that has its own title drops its decoration: legend, names of
    /// axes, and labels that repeat others.
    static constexpr int kLowestDecorated = 200;

    /// True if only the data and the labels of the axes are drawn, so that the data stay readable.
    bool isShort() const { return !titled && height < kLowestDecorated; }
    /// Below this width, a figure in a place that has its own title leaves out the name of its byte axis,
    /// whose labels have their units.
    static constexpr int kNarrowestNamed = 360;

    /// True if the byte axis has a name.
    bool namesBytes() const { return titled || (!isShort() && width >= kNarrowestNamed); }
    /// Returns the margin on all sides, in pixels.
    double margin() const { return titled ? 20 : 8; }
    /// Returns the room left of a plot: sizes along its axis, and the axis's name.
    double labelRoom() const { return namesBytes() ? 92 : 64; }
    /// Returns the room below a plot: tick labels of its axis, and the axis's name.
    double axisRoom() const { return isShort() ? 20 : 44; }
};
/// The least and the greatest width and height, in pixels, that a user may ask for.
inline constexpr int kSmallestFigure = 300;
inline constexpr int kLargestFigure = 20000;

/// The rectangle of the data, and the mapping of the data into it.
struct PlotFrame
{
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
    double xBegin = 0; ///< Data value at the left edge
    double xEnd = 1;
    double yBottom = 0; ///< Data value at the lower edge
    double yTop = 1; ///< Data value at the upper edge

    static constexpr double kMarkedLabel = 34; ///< Height of a label above a triangle

    double width() const { return right - left; }
    double height() const { return bottom - top; }
    double x(double value) const { return left + (value - xBegin) / (xEnd - xBegin) * width(); }
    /// Sets the scale so that `largest` fits, and a label of `labelRoom` pixels above the height of
    /// `labelled`.
    void fitBytes(Bytes largest, Bytes labelled, double labelRoom = kMarkedLabel);
    /// Sets the scale so that all from `smallest` to `largest` fits, and a label above.
    void fitRange(Bytes smallest, Bytes largest);
    double y(double value) const { return bottom - (value - yBottom) / (yTop - yBottom) * height(); }
};

/// An area of a sheet, in pixels.
struct FigureArea
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// A line of the legend: a swatch, a label and an optional value.
struct LegendEntry
{
    /// Returns an entry for an area of `bytes`.
    static LegendEntry area(std::string label, Bytes bytes, FigureColor color);

    std::string label;
    std::string value = {};
    FigureColor color = 0;
    bool isLine = false;
    bool dashed = false;
    bool hatched = false; ///< A swatch in the hatching of memory kept from earlier steps
    bool isOutline = false; ///< A swatch with an outline; empty if the colour is 0
    /// Bytes that the entry stands for; if there is little room, the largest areas are kept.
    std::optional<Bytes> bytes = std::nullopt;
};

/// A figure under construction: title, axes and legend in one style.
class FigureSheet
{
public:
    static constexpr double kFont = 12;
    static constexpr double kLabelRow = 20; ///< Height of a label in a plot

    /// Writes a bold title and below it the subtitle in quiet letters, each in one or two lines, truncated if
    /// too long. Writes neither unless the options are `titled`. `description` replaces the subtitle for
    /// people who cannot see the figure.
    FigureSheet(const FigureOptions& options, const std::string& title, const std::string& subtitle,
        const std::string& description = {});

    /// Returns the light palette, whatever the options: `take` replaces its colours by those of the theme.
    const FigurePalette& palette() const { return m_palette; }
    double width() const { return m_figure.width; }
    double height() const { return m_figure.height; }
    /// Returns the margin on all sides.
    double margin() const { return m_margin; }
    /// These have the values of the `FigureOptions` of the same names.
    bool isShort() const { return m_isShort; }
    double labelRoom() const { return m_labelRoom; }
    double axisRoom() const { return m_axisRoom; }
    /// Returns where the content below the title begins.
    double contentTop() const { return m_contentTop; }

    /// Returns the plot that remains without the margins, `left` pixels at the left, and `below` pixels and
    /// the legend at the bottom.
    PlotFrame plot(double left, double below, const std::vector<LegendEntry>& legend) const;

    void add(FigureShape shape) { m_figure.shapes.push_back(std::move(shape)); }
    /// Draws a rectangle with a tooltip and the id of its object.
    void rect(const FigureArea& area, FigureColor fill, std::string title = {}, int id = -1);
    /// Adds an invisible rectangle that reacts to the pointer.
    void spot(const FigureArea& area, std::string title, int id);
    void text(double x, double y, std::string text, TextAnchor anchor = TextAnchor::Start);
    void quietText(double x, double y, std::string text, TextAnchor anchor = TextAnchor::Start);

    /// Draws grid lines, labels at the left, and beside them the name of the axis, unless options or plot
    /// have no room for it.
    void byteAxis(const PlotFrame& plot, const std::string& name);
    /// Draws labels below the plot, its lower edge as a line, and the name of the axis below them unless the
    /// figure is short.
    void countAxis(const PlotFrame& plot, const Ticks& ticks, const std::string& name);
    /// Returns as many entries as fit into `room` pixels, by default a quarter of the sheet, but at least
    /// one; none if the figure is short. Omits areas before lines, those without bytes first, then the
    /// smallest. The last entry says how many are omitted.
    std::vector<LegendEntry> fittingLegend(
        std::vector<LegendEntry> entries, std::optional<double> room = {}) const;
    /// Returns the entries that say which run is which. Nothing else does, so a short figure has a row of
    /// them.
    std::vector<LegendEntry> keyOfRuns(std::vector<LegendEntry> entries) const;
    /// Returns the height of `legend` below the plot.
    double legendHeight(const std::vector<LegendEntry>& entries) const;
    /// Draws the entries in rows at the lower edge of the sheet.
    void legend(const std::vector<LegendEntry>& entries);
    /// Draws a text over data, centred at x and above y, on a background plate that stays inside `within`.
    /// Last clauses for which there is no room are left out. Returns the area of the plate.
    FigureArea label(double x, double y, const std::string& text, FigureColor color, const PlotFrame& within);

    /// Returns the finished figure, in the colours of the theme in the options. The sheet is empty
    /// afterwards.
    Figure take();

private:
    struct Place
    {
        double x;
        double row;
    };
    std::vector<LegendEntry> entriesWithin(std::vector<LegendEntry> entries, double most) const;
    std::vector<Place> legendPlaces(const std::vector<LegendEntry>& entries) const;

    void drawHeading(const std::string& title, const std::string& subtitle);

    FigurePalette m_palette = FigurePalette::light();
    Ground m_ground;
    double m_margin;
    double m_labelRoom;
    double m_axisRoom;
    bool m_isShort;
    bool m_namesBytes;
    Figure m_figure;
    double m_contentTop = 0;
};

} // namespace highwater
