#include "core/figure/drawing/figure_sheet.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/figure/drawing/svg_theme.h"

namespace highwater {

namespace {

constexpr double kTitleFont = 17;
constexpr double kLegendRow = 20;
constexpr double kSwatch = 12;
constexpr double kSwatchGap = 6;
constexpr double kEntryGap = 22;

/// Returns "label · value", or the label alone.
std::string entryText(const LegendEntry& entry)
{
    return entry.value.empty() ? entry.label : entry.label + " · " + entry.value;
}

double entryWidth(const LegendEntry& entry)
{
    return kSwatch + kSwatchGap + textWidth(entryText(entry), FigureSheet::kFont) + kEntryGap;
}

/// Returns the last area without bytes, else the last of the smallest areas. Lines are more important: areas
/// have labels in the plot, too.
std::vector<LegendEntry>::const_iterator leastImportant(const std::vector<LegendEntry>& entries)
{
    const auto isSmaller = [](const LegendEntry& a, const LegendEntry& b) {
        return std::pair(a.isLine, a.bytes.value_or(-1)) < std::pair(b.isLine, b.bytes.value_or(-1));
    };
    return std::prev(std::min_element(entries.rbegin(), entries.rend(), isSmaller).base());
}

/// Breaks a text into at most two lines, between words. A line that is still too long is truncated.
std::vector<std::string> inTwoLines(const std::string& text, double size, double room)
{
    std::vector<std::string> lines;
    std::string rest = text;
    for (int line = 0; line < 2 && !rest.empty(); ++line) {
        std::size_t cut = rest.size();
        while (line == 0 && cut != std::string::npos && textWidth(rest.substr(0, cut), size) > room)
            cut = cut == 0 ? std::string::npos : rest.rfind(' ', cut - 1);
        cut = cut == std::string::npos || cut == 0 ? rest.size() : cut;
        lines.push_back(fittedText(rest.substr(0, cut), size, room));
        rest = cut < rest.size() ? rest.substr(cut + 1) : "";
    }
    return lines;
}

/// Returns the share of a plot's height that data may fill below a label.
double shareBelowLabel(double height, double labelRoom)
{
    return std::clamp(1 - labelRoom / height, 0.3, 1.0);
}

} // namespace

LegendEntry LegendEntry::area(std::string label, Bytes bytes, FigureColor color)
{
    return {.label = std::move(label), .value = formatBytes(bytes), .color = color, .bytes = bytes};
}

void PlotFrame::fitBytes(Bytes largest, Bytes labelled, double labelRoom)
{
    yTop = std::max({1.0, static_cast<double>(largest) * 1.04,
        static_cast<double>(labelled) / shareBelowLabel(height(), labelRoom)});
}

void PlotFrame::fitRange(Bytes smallest, Bytes largest)
{
    yBottom = static_cast<double>(smallest);
    yTop = yBottom
        + std::max(1.0, static_cast<double>(largest - smallest) / shareBelowLabel(height(), kMarkedLabel));
}

FigureSheet::FigureSheet(const FigureOptions& options, const std::string& title, const std::string& subtitle,
    const std::string& description)
    : m_ground{options.dark, options.contrast}
    , m_margin(options.margin())
    , m_labelRoom(options.labelRoom())
    , m_axisRoom(options.axisRoom())
    , m_isShort(options.isShort())
    , m_namesBytes(options.namesBytes())
{
    m_figure.width = options.width;
    m_figure.height = options.height;
    m_figure.background = m_palette.background;
    // The subtitle may begin with a file name, so its case is kept.
    const std::string& sentence = description.empty() ? subtitle : description;
    m_figure.title = title + ". " + sentence + (sentence.ends_with('.') ? "" : ".");
    m_contentTop = m_margin;
    if (options.titled)
        drawHeading(title, subtitle);
}

void FigureSheet::drawHeading(const std::string& title, const std::string& subtitle)
{
    const double room = m_figure.width - 2 * m_margin;
    double y = m_margin + kTitleFont * 0.8;
    for (const std::string& line : inTwoLines(title, kTitleFont * 1.1, room)) {
        add(FigureText{
            .x = m_margin, .y = y, .text = line, .size = kTitleFont, .color = m_palette.text, .bold = true});
        y += kTitleFont + 5;
    }
    m_contentTop = y - kTitleFont * 0.8 + 3;
    for (const std::string& line : inTwoLines(subtitle, kFont, room)) {
        quietText(m_margin, m_contentTop + kFont, line);
        m_contentTop += kFont + 5;
    }
    m_contentTop += 10;
}

PlotFrame FigureSheet::plot(double left, double below, const std::vector<LegendEntry>& legend) const
{
    PlotFrame plot;
    plot.left = m_margin + left;
    plot.right = width() - m_margin;
    plot.top = m_contentTop;
    plot.bottom = height() - m_margin - legendHeight(legend) - below;
    return plot;
}

void FigureSheet::rect(const FigureArea& area, FigureColor fill, std::string title, int id)
{
    add(FigureRect{area.x, area.y, area.width, area.height, fill, 1, std::move(title), id});
}

void FigureSheet::spot(const FigureArea& area, std::string title, int id)
{
    add(FigureRect{area.x, area.y, area.width, area.height, 0, 0, std::move(title), id});
}

void FigureSheet::text(double x, double y, std::string text, TextAnchor anchor)
{
    add(FigureText{
        .x = x, .y = y, .text = std::move(text), .size = kFont, .color = m_palette.text, .anchor = anchor});
}

void FigureSheet::quietText(double x, double y, std::string text, TextAnchor anchor)
{
    add(FigureText{.x = x,
        .y = y,
        .text = std::move(text),
        .size = kFont,
        .color = m_palette.quietText,
        .anchor = anchor});
}

namespace {

/// Removes the last words of a text that is too long: "requested bytes", "requested".
std::string fittingWords(std::string text, double size, double width)
{
    for (std::size_t end = text.rfind(' '); end != std::string::npos && textWidth(text, size) > width;
         end = text.rfind(' '))
        text.resize(end);
    return fittedText(text, size, width);
}

/// Removes the last clauses of a bold text that is too long: "out of memory, requested 12 MiB · peak 30 GiB",
/// "out of memory, requested 12 MiB", "out of memory".
std::string fittingClauses(std::string text, double size, double width)
{
    while (textWidth(text, size, true) > width) {
        std::size_t end = 0;
        for (const std::string_view separator : {", ", ": ", " · "})
            if (const std::size_t at = text.rfind(separator); at != std::string::npos)
                end = std::max(end, at);
        if (end == 0)
            break;
        text.resize(end);
    }
    return text;
}

} // namespace

void FigureSheet::byteAxis(const PlotFrame& plot, const std::string& name)
{
    const double tickRoom = m_isShort ? 30 : 60;
    int wanted = std::max(2, static_cast<int>(plot.height() / tickRoom));
    Ticks ticks = byteTicks(plot.yBottom, plot.yTop, wanted);
    // Zero and one more label are a poor scale, and so are labels above zero for a deep dip: more labels are
    // asked for while they have the room.
    const bool dips = plot.yBottom < 0 && plot.bottom - plot.y(0) >= plot.height() / 4;
    const auto lacksTicks
        = [&] { return ticks.positions.size() < 3 || (dips && ticks.positions.front() >= 0); };
    while (lacksTicks() && (wanted + 1) * kFont * 1.5 <= plot.height())
        ticks = byteTicks(plot.yBottom, plot.yTop, ++wanted);
    for (std::size_t i = 0; i < ticks.positions.size(); ++i) {
        const double y = plot.y(ticks.positions[i]);
        add(FigureLine{.points = {{plot.left, y}, {plot.right, y}}, .color = m_palette.grid});
        quietText(plot.left - 8, y + kFont * 0.35, ticks.labels[i], TextAnchor::End);
    }
    const std::string title = fittingWords(name, kFont, plot.height());
    if (!m_namesBytes || plot.left < m_margin + m_labelRoom || textWidth(title, kFont) > plot.height()
        || title.ends_with("…"))
        return; // the labels have their units; a part of a word would say nothing
    add(FigureText{.x = std::max(m_margin, kFont + 2),
        .y = (plot.top + plot.bottom) / 2,
        .text = title,
        .size = kFont,
        .color = m_palette.quietText,
        .anchor = TextAnchor::Middle,
        .upwards = true});
}

namespace {
/// Least gap between two labels below an axis.
constexpr double kLabelGap = 6;
} // namespace

void FigureSheet::countAxis(const PlotFrame& plot, const Ticks& ticks, const std::string& name)
{
    add(FigureLine{
        .points = {{plot.left, plot.bottom}, {plot.right, plot.bottom}}, .color = m_palette.quietText});
    double labelEnd = 0; // right end of the last label: labels that would overlap it are omitted
    for (std::size_t i = 0; i < ticks.positions.size(); ++i) {
        const double x = plot.x(ticks.positions[i]);
        add(FigureLine{.points = {{x, plot.bottom}, {x, plot.bottom + 4}}, .color = m_palette.quietText});
        const double half = textWidth(ticks.labels[i], kFont) / 2;
        const bool exceedsSheet = x + half > width();
        const double end = width() - m_margin;
        if ((exceedsSheet ? end - 2 * half : x - half) < labelEnd)
            continue;
        labelEnd = x + half + kLabelGap;
        quietText(exceedsSheet ? end : x, plot.bottom + 17, ticks.labels[i],
            exceedsSheet ? TextAnchor::End : TextAnchor::Middle);
    }
    if (!m_isShort)
        quietText((plot.left + plot.right) / 2, plot.bottom + 34, name, TextAnchor::Middle);
}

std::vector<FigureSheet::Place> FigureSheet::legendPlaces(const std::vector<LegendEntry>& entries) const
{
    const double room = std::max(width() - 2 * m_margin, 0.0);
    double widest = 0;
    for (const LegendEntry& entry : entries)
        widest = std::max(widest, entryWidth(entry));
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(room / std::max(widest, 1.0)));
    std::vector<Place> places;
    for (std::size_t i = 0; i < entries.size(); ++i)
        places.push_back({m_margin + static_cast<double>(i % columns) * room / static_cast<double>(columns),
            static_cast<double>(i / columns)});
    // One long entry makes all columns wide; without columns there may be fewer rows.
    std::vector<Place> flowing;
    Place next{m_margin, 0};
    for (const LegendEntry& entry : entries) {
        if (next.x > m_margin && next.x + entryWidth(entry) - kEntryGap > m_margin + room)
            next = {m_margin, next.row + 1};
        flowing.push_back(next);
        next.x += entryWidth(entry);
    }
    return !places.empty() && flowing.back().row < places.back().row ? flowing : places;
}

std::vector<LegendEntry> FigureSheet::fittingLegend(
    std::vector<LegendEntry> entries, std::optional<double> room) const
{
    return m_isShort ? std::vector<LegendEntry>()
                     : entriesWithin(std::move(entries), room.value_or((height() - m_contentTop) / 4));
}

std::vector<LegendEntry> FigureSheet::keyOfRuns(std::vector<LegendEntry> entries) const
{
    return m_isShort ? entriesWithin(std::move(entries), kLegendRow) : fittingLegend(std::move(entries));
}

std::vector<LegendEntry> FigureSheet::entriesWithin(std::vector<LegendEntry> entries, double most) const
{
    const std::size_t entryCount = entries.size();
    std::vector<LegendEntry> fitting = entries;
    while (entries.size() > 1 && legendHeight(fitting) > most) {
        entries.erase(leastImportant(entries));
        fitting = entries;
        fitting.push_back(
            {.label = fmt::format("and {} more", entryCount - entries.size()), .color = m_palette.border});
    }
    return fitting;
}

double FigureSheet::legendHeight(const std::vector<LegendEntry>& entries) const
{
    return entries.empty() ? 0 : (legendPlaces(entries).back().row + 1) * kLegendRow;
}

void FigureSheet::legend(const std::vector<LegendEntry>& entries)
{
    const double top = height() - m_margin - legendHeight(entries) + 6;
    const std::vector<Place> places = legendPlaces(entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const LegendEntry& entry = entries[i];
        const double x = places[i].x;
        const double y = top + places[i].row * kLegendRow;
        if (entry.isLine)
            add(FigureLine{.points = {{x, y + kSwatch / 2}, {x + kSwatch, y + kSwatch / 2}},
                .color = entry.color,
                .width = 2,
                .dash = entry.dashed ? std::vector<double>{4, 3} : std::vector<double>{}});
        else if (entry.isOutline) {
            if (entry.color != 0)
                rect({x, y, kSwatch, kSwatch}, entry.color);
            add(FigureLine{
                .points = {{x, y}, {x + kSwatch, y}, {x + kSwatch, y + kSwatch}, {x, y + kSwatch}, {x, y}},
                .color = m_palette.quietText});
        } else if (entry.hatched)
            add(FigurePolygon{
                .points = {{x, y}, {x + kSwatch, y}, {x + kSwatch, y + kSwatch}, {x, y + kSwatch}},
                .fill = entry.color,
                .hatched = true});
        else
            rect({x, y, kSwatch, kSwatch}, entry.color);
        const double textX = x + kSwatch + kSwatchGap;
        add(fitted(
            FigureText{.x = textX, .y = y + kSwatch - 1.5, .text = entryText(entry), .color = m_palette.text},
            width() - m_margin - textX));
    }
}

FigureArea FigureSheet::label(
    double x, double y, const std::string& text, FigureColor color, const PlotFrame& within)
{
    const std::string shown = fittingClauses(text, kFont, within.width() - 12);
    const double plateWidth = textWidth(shown, kFont, true) + 8;
    const double left = std::clamp(
        x - plateWidth / 2, within.left + 2, std::max(within.left + 2, within.right - plateWidth - 2));
    const double top = std::max(y - kFont - 8, within.top + 1);
    add(FigureRect{.x = left,
        .y = top,
        .width = plateWidth,
        .height = kFont + 6,
        .fill = m_palette.background,
        .opacity = 0.85});
    add(FigureText{.x = left + plateWidth / 2,
        .y = top + kFont + 1,
        .text = shown,
        .size = kFont,
        .color = color,
        .anchor = TextAnchor::Middle,
        .bold = true});
    return {left, top, plateWidth, kFont + 6};
}

Figure FigureSheet::take()
{
    return m_ground == Ground() ? std::move(m_figure) : onGround(std::move(m_figure), m_ground);
}

} // namespace highwater
