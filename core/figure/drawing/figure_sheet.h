#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/figure/drawing/figure.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/ticks.h"

namespace highwater {

/// Options of every kind of figure.
struct FigureOptions
{
    int width = 1200;
    int height = 675;
    bool dark = false;
    std::string source = {}; ///< what the figure is of, as its title names it: the name of a file
    /// false: no title lines and narrow margins, for a place that has its own title.
    bool titled = true;
    /// How many pixels edges of areas may be off, to make the file smaller. 0: every pixel column is exact.
    double tolerance = 0;

    /// Margin on all sides, pixels.
    double margin() const { return titled ? 20 : 8; }
};
inline constexpr int kSmallestFigure = 300;
inline constexpr int kLargestFigure = 20000;

/// The rectangle of the data, and the mapping of the data into it.
struct PlotFrame
{
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
    double xBegin = 0; ///< data at the left edge
    double xEnd = 1;
    double yTop = 1; ///< data at the upper edge; the lower one is 0

    double width() const { return right - left; }
    double height() const { return bottom - top; }
    double x(double value) const { return left + (value - xBegin) / (xEnd - xBegin) * width(); }
    /// Scales the bytes so that the largest total fits, and `label` with space for a label above it.
    void fitBytes(Bytes largest, Bytes label);
    double y(double value) const { return bottom - value / yTop * height(); }
};

/// A place on a sheet, in pixels.
struct FigureArea
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

struct LegendEntry
{
    /// An area of that many bytes.
    static LegendEntry area(std::string label, Bytes bytes, FigureColor color);

    std::string label;
    std::string value = {};
    FigureColor color = 0;
    bool isLine = false;
    bool dashed = false;
    bool isOutline = false; ///< an empty swatch, whatever the colour
    /// What an area holds; where room is short, larger areas stay longest.
    std::optional<Bytes> bytes = std::nullopt;
};

/// A figure under construction: title, axes and legend in one style.
class FigureSheet
{
public:
    static constexpr double kFont = 12;
    static constexpr double kAxisRoom = 44; ///< below a plot: numbers of its axis, and the axis's name
    static constexpr double kLabelRoom = 92; ///< left of a plot: sizes along its axis
    static constexpr double kLabelRow = 20; ///< of a label in a plot

    /// A bold line and a quiet one below it, truncated if they are too long; neither if the options say so.
    FigureSheet(const FigureOptions& options, const std::string& title, const std::string& subtitle);

    /// The light one, whatever the options say: the finished figure gets its dark colours.
    const FigurePalette& palette() const { return m_palette; }
    double width() const { return m_figure.width; }
    double height() const { return m_figure.height; }
    /// Margin on all sides.
    double margin() const { return m_margin; }
    /// Below the title: where the rest begins.
    double contentTop() const { return m_contentTop; }

    /// What is left of the sheet, but for so much at the left and below, and the legend.
    PlotFrame plot(double left, double below, const std::vector<LegendEntry>& legend) const;

    void add(FigureShape shape) { m_figure.shapes.push_back(std::move(shape)); }
    /// With a tooltip, and the id of what it shows.
    void rect(const FigureArea& area, FigureColor fill, std::string title = {}, int id = -1);
    /// The same without a colour: a place to point at.
    void spot(const FigureArea& area, std::string title, int id);
    void text(double x, double y, std::string text, TextAnchor anchor = TextAnchor::Start);
    void quietText(double x, double y, std::string text, TextAnchor anchor = TextAnchor::Start);

    /// Grid lines, labels at the left, and the name of the axis above them.
    void byteAxis(const PlotFrame& plot, const std::string& name);
    /// Labels below the plot, its lower edge as a line, the name of the axis below them.
    void countAxis(const PlotFrame& plot, const Ticks& ticks, const std::string& name);
    /// As many entries as fit into a quarter of the sheet; the last one says how many are left out: those
    /// without a size, then the smallest.
    std::vector<LegendEntry> fittingLegend(std::vector<LegendEntry> entries) const;
    /// Height of `legend` below the plot.
    double legendHeight(const std::vector<LegendEntry>& entries) const;
    /// Entries in rows, at the lower edge of the sheet.
    void legend(const std::vector<LegendEntry>& entries);
    /// A text over data, on a background plate.
    void label(double x, double y, const std::string& text, FigureColor color, const PlotFrame& within);

    Figure take();

private:
    struct Place
    {
        double x;
        double row;
    };
    std::vector<Place> legendPlaces(const std::vector<LegendEntry>& entries) const;

    void heading(const std::string& title, const std::string& subtitle);

    FigurePalette m_palette = FigurePalette::light();
    bool m_isDark;
    double m_margin;
    Figure m_figure;
    double m_contentTop = 0;
};

} // namespace highwater
