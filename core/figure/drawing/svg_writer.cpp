#include "core/figure/drawing/svg_writer.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/svg_theme.h"

namespace highwater {

namespace {

std::string escaped(const std::string& text)
{
    return escapedMarkup(sanitizedText(text));
}

/// Formats with at most two decimals, without trailing zeros.
std::string numberText(double value)
{
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string colorText(FigureColor rgb)
{
    return fmt::format("#{:06x}", rgb & 0xffffff);
}

std::string pointList(const std::vector<FigurePoint>& points)
{
    std::string list;
    for (const FigurePoint& point : points)
        list += (list.empty() ? "" : " ") + numberText(point.x) + ',' + numberText(point.y);
    return list;
}

/// Escapes each line and keeps the line breaks.
std::string escapedLines(const std::string& text)
{
    std::string out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        out += (begin > 0 ? "\n" : "") + escaped(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

/// Returns "/>", or the title as an element of its own and the end tag.
std::string elementEnd(const std::string& title, const char* element)
{
    return title.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escapedLines(title), element);
}

/// The dark values of colours that the page's rules do not name: those of call sites, of which there are
/// hundreds, and of labels on bands. Each has a class made of its light value.
class DarkRules
{
public:
    /// Returns the class of a colour; empty if it is the same in the dark.
    std::string classOf(char attribute, FigureColor light)
    {
        const FigureColor dark = darkColor(light);
        return dark == light ? std::string() : add(attribute, 'x', light, dark);
    }
    /// Returns the class of a label's background; the texts that follow are on it.
    std::string plateClass(FigureColor light)
    {
        m_label = labelColors(darkColor(light), true);
        m_plate = light;
        return add('f', 'p', light, m_label.plate);
    }
    std::string inkClass() { return add('f', 'i', m_plate, m_label.ink); }

    /// Returns a style element with the rules; empty without any. Paper stays light.
    std::string css() const
    {
        if (m_rules.empty())
            return {};
        std::string bySystem;
        std::string bySwitch;
        for (const auto& [name, rule] : m_rules) {
            bySystem += fmt::format(":root:not([data-theme=light]) .{}{{{}}}", name, rule);
            bySwitch += fmt::format(":root[data-theme=dark] .{}{{{}}}", name, rule);
        }
        return fmt::format("<style>@media screen and (prefers-color-scheme:dark){{{}}}\n"
                           "@media screen{{{}}}</style>\n",
            bySystem, bySwitch);
    }

private:
    std::string add(char attribute, char kind, FigureColor light, FigureColor dark)
    {
        std::string name = fmt::format("{}-{}{:06x}", attribute, kind, light & 0xffffff);
        m_rules[name] = fmt::format("{}:{}", attribute == 'f' ? "fill" : "stroke", colorText(dark));
        return name;
    }

    std::map<std::string, std::string> m_rules; ///< By class
    LabelColors m_label; ///< The colours of the last label in the dark theme
    FigureColor m_plate = 0;
};

/// Writes shapes as elements. If `themed`, colours that follow the page's theme have a class in addition to
/// their light value.
struct ShapeWriter
{
    bool themed = false;
    DarkRules* rules = nullptr; ///< Collects the rules of a themed figure
    bool isOnPlate = false; ///< The last shape was the background of a label, or a text on it
    std::string hatchPrefix = {}; ///< Prefix of the ids of hatch patterns, one for each colour
    double hatchStrength = 0; ///< Opacity of their lines

    std::string paint(const char* attribute, FigureColor value) const
    {
        if (!themed)
            return plainPaint(attribute, value);
        std::string name(themedColorName(value));
        if (!name.empty())
            name = fmt::format("{}-{}", *attribute, name);
        else if (rules)
            name = rules->classOf(*attribute, value);
        return plainPaint(attribute, value, name);
    }
    static std::string plainPaint(const char* attribute, FigureColor value, const std::string& name = {})
    {
        return fmt::format("{}=\"{}\"{}", attribute, colorText(value),
            name.empty() ? std::string() : fmt::format(" class=\"{}\"", name));
    }
    /// Returns the attribute for a text's colour. White text is always on data, never on the background, so
    /// it does not follow the theme.
    std::string textPaint(FigureColor value) const
    {
        if (isOnPlate && rules)
            return plainPaint("fill", value, rules->inkClass());
        return value == FigurePalette::light().background ? ShapeWriter{}.paint("fill", value)
                                                          : paint("fill", value);
    }

    /// Returns the pattern for hatched areas of a colour.
    std::string hatchPattern(FigureColor color) const;

    std::string operator()(const FigureRect& rect) const;
    std::string operator()(const FigurePolygon& polygon) const;
    std::string operator()(const FigureLine& line) const;
    std::string operator()(const FigureText& text) const;
};

std::string ShapeWriter::operator()(const FigureRect& rect) const
{
    if (rect.opacity <= 0)
        return {};
    const std::string opacity
        = rect.opacity < 1 ? fmt::format(" fill-opacity=\"{}\"", numberText(rect.opacity)) : std::string();
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}{}", numberText(rect.x),
               numberText(rect.y), numberText(rect.width), numberText(rect.height),
               rect.isPlate && rules ? plainPaint("fill", rect.fill, rules->plateClass(rect.fill))
                                     : paint("fill", rect.fill),
               opacity)
        + elementEnd(rect.title, "rect");
}

std::string ShapeWriter::operator()(const FigurePolygon& polygon) const
{
    const std::string fill = polygon.hatched
        ? fmt::format("fill=\"url(#{}{:06x})\"", hatchPrefix, polygon.fill & 0xffffff)
        : paint("fill", polygon.fill);
    return fmt::format("<polygon points=\"{}\" {}", pointList(polygon.points), fill)
        + elementEnd(polygon.title, "polygon");
}

std::string ShapeWriter::operator()(const FigureLine& line) const
{
    std::string dash;
    for (const double length : line.dash)
        dash += (dash.empty() ? " stroke-dasharray=\"" : " ") + numberText(length);
    if (!dash.empty())
        dash += '"';
    return fmt::format("<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{}\" "
                       "stroke-linejoin=\"round\"{}/>\n",
        pointList(line.points), paint("stroke", line.color), numberText(line.width), dash);
}

std::string ShapeWriter::operator()(const FigureText& text) const
{
    static constexpr const char* kAnchors[] = {"start", "middle", "end"};
    const std::string place = text.upwards
        ? fmt::format("transform=\"translate({} {}) rotate(-90)\"", numberText(text.x), numberText(text.y))
        : fmt::format("x=\"{}\" y=\"{}\"", numberText(text.x), numberText(text.y));
    const std::string title = text.whole.empty() ? "" : fmt::format("<title>{}</title>", escaped(text.whole));
    return fmt::format("<text {} font-size=\"{}\" {} text-anchor=\"{}\"{}>{}{}</text>\n", place,
        numberText(text.size), textPaint(text.color), kAnchors[static_cast<std::size_t>(text.anchor)],
        text.bold ? " font-weight=\"bold\"" : "", title, escaped(text.text));
}

std::string ShapeWriter::hatchPattern(FigureColor color) const
{
    return fmt::format(
        "<pattern id=\"{0}{1:06x}\" patternUnits=\"userSpaceOnUse\" width=\"{2}\" height=\"{2}\">"
        "<rect width=\"{2}\" height=\"{2}\" {3}/>"
        "<path d=\"M-1,-1L{5},{5}M-1,{6}L1,{5}M{6},-1L{5},1\" stroke=\"#ffffff\" "
        "stroke-opacity=\"{4}\" stroke-width=\"{7}\"/></pattern>\n",
        hatchPrefix, color & 0xffffff, kHatchPeriod, paint("fill", color), numberText(hatchStrength),
        kHatchPeriod + 1, kHatchPeriod - 1, numberText(kHatchWidth));
}

/// Returns a prefix for ids that differs between the figures of a page. Equal figures may share it.
std::string hatchPrefixOf(const Figure& figure)
{
    std::uint32_t hash = 2166136261u; // FNV-1a
    const auto add = [&hash](std::string_view text) {
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    };
    add(fmt::format("{} {} {}", figure.width, figure.height, figure.title));
    for (const FigureShape& shape : figure.shapes)
        if (const auto* polygon = std::get_if<FigurePolygon>(&shape); polygon && polygon->hatched)
            add(pointList(polygon->points));
    return fmt::format("hatch-{:08x}-", hash);
}

std::string shapesOf(const Figure& figure, ShapeWriter writer)
{
    std::set<FigureColor> hatched;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* polygon = std::get_if<FigurePolygon>(&shape); polygon && polygon->hatched)
            hatched.insert(polygon->fill);
    std::string svg;
    if (!hatched.empty()) {
        writer.hatchPrefix = hatchPrefixOf(figure);
        writer.hatchStrength
            = hatchStrength({.dark = figure.background == FigurePalette::darkColors().background});
        svg += "<defs>\n";
        for (const FigureColor color : hatched)
            svg += writer.hatchPattern(color);
        svg += "</defs>\n";
    }
    for (const FigureShape& shape : figure.shapes) {
        const auto* rect = std::get_if<FigureRect>(&shape);
        writer.isOnPlate
            = rect ? rect->isPlate : writer.isOnPlate && std::holds_alternative<FigureText>(shape);
        svg += std::visit(writer, shape);
    }
    return svg;
}

} // namespace

std::string escapedMarkup(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '&': out += "&amp;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

std::string toSvg(const Figure& figure)
{
    const std::string width = numberText(figure.width);
    const std::string height = numberText(figure.height);
    std::string svg = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                                  "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" role=\"img\">\n"
                                  "<title>{2}</title>\n"
                                  "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n",
        width, height, escaped(figure.title), colorText(figure.background));
    return svg + shapesOf(figure, {}) + "</svg>\n";
}

std::string toInlineSvg(const Figure& figure)
{
    const std::string width = numberText(figure.width);
    const std::string height = numberText(figure.height);
    DarkRules rules;
    const ShapeWriter writer{.themed = true, .rules = &rules};
    const std::string shapes = shapesOf(figure, writer);
    return fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                       "style=\"font-family:sans-serif\" role=\"img\">\n<title>{2}</title>\n"
                       "<rect width=\"{0}\" height=\"{1}\" {3}/>\n",
               width, height, escaped(figure.title), writer.paint("fill", figure.background))
        + rules.css() + shapes + "</svg>\n";
}

} // namespace highwater
