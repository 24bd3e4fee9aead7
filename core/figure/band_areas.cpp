#include "core/figure/band_areas.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/figure/drawing/band_colors.h"
#include "core/figure/layout/band_label_places.h"

namespace highwater {

namespace {

/// Groups that are lower than this everywhere, in pixels, join the area below them.
constexpr double kLowestArea = 0.75;
/// Largest number of areas: thousands of steps times hundreds of call sites would make files of megabytes.
constexpr std::size_t kMaxAreas = 28;
/// Areas below one in this many of the highest total cannot be seen.
constexpr Bytes kLeastVisibleShare = 256;
/// Areas narrower than one in this many columns cannot be told from a line.
constexpr std::ptrdiff_t kLeastColumnShare = 200;
constexpr double kAreaLabelFont = 11;
constexpr double kAreaLabelHeight = 16;

/// Returns the largest bytes of each group over all columns.
std::vector<Bytes> largestOfGroups(const GroupTotals& totals, std::size_t groups)
{
    std::vector<Bytes> largest(groups, 0);
    for (const std::vector<Bytes>& column : totals)
        for (std::size_t group = 0; group < groups; ++group)
            largest[group] = std::max(largest[group], column[group]);
    return largest;
}

/// Returns for each group whether it is high and wide enough to be seen.
std::vector<bool> visibleGroups(const GroupTotals& totals, std::size_t groups)
{
    Bytes highest = 0;
    for (const std::vector<Bytes>& column : totals)
        highest = std::max(highest, std::accumulate(column.begin(), column.end(), Bytes{0}));
    std::vector<bool> isVisible;
    for (std::size_t group = 0; group < groups; ++group) {
        const auto columns = std::ranges::count_if(totals, [&](const std::vector<Bytes>& column) {
            return column[group] > 0 && column[group] * kLeastVisibleShare >= highest;
        });
        isVisible.push_back(columns > 0 && columns * kLeastColumnShare >= std::ssize(totals));
    }
    return isVisible;
}

/// Returns for each group whether it has an area of its own.
std::vector<bool> ownAreas(const PlotFrame& plot, const GroupTotals& totals, std::size_t groups)
{
    const std::vector<Bytes> largest = largestOfGroups(totals, groups);
    std::vector<std::size_t> order(groups);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t group) { return largest[group]; });
    std::vector<bool> isOwn(groups, false);
    for (std::size_t i = 0; i < std::min(groups, kMaxAreas); ++i)
        isOwn[order[i]] = static_cast<double>(largest[order[i]]) / plot.yTop * plot.height() >= kLowestArea;
    // The lowest group has no area below it to join.
    const auto lowest = std::ranges::find_if(largest, [](Bytes bytes) { return bytes > 0; });
    if (lowest != largest.end())
        isOwn[static_cast<std::size_t>(lowest - largest.begin())] = true;
    return isOwn;
}

/// Returns the rows that each group fills entirely, by column, where they are high enough for a label. Row 0
/// is the lowest.
std::vector<BandSpan> spansOf(const PlotFrame& plot, const GroupTotals& totals)
{
    std::vector<BandSpan> spans;
    const double rowsPerByte = plot.height() / plot.yTop;
    for (std::size_t column = 0; column < totals.size(); ++column) {
        Bytes below = 0;
        for (std::size_t group = 0; group < totals[column].size(); ++group) {
            const Bytes above = below + totals[column][group];
            const BandSpan span{static_cast<std::uint32_t>(group), static_cast<int>(column),
                static_cast<int>(std::ceil(static_cast<double>(below) * rowsPerByte)),
                static_cast<int>(std::floor(static_cast<double>(above) * rowsPerByte))};
            if (span.height() >= kAreaLabelHeight)
                spans.push_back(span);
            below = above;
        }
    }
    return spans;
}

bool intersects(const FigureArea& a, const FigureArea& b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// Returns the rectangle of a label, in pixels of the sheet.
FigureArea areaOf(const BandLabelPlace& label, const PlotFrame& plot)
{
    const double middle = plot.bottom - (label.room.from + label.room.to) / 2.0;
    return {plot.left + label.room.column + (label.columns - label.width) / 2, middle - kAreaLabelHeight / 2,
        label.width, kAreaLabelHeight};
}

void drawAreaLabel(FigureSheet& sheet, const BandLabelPlace& label, const FigureArea& area, FigureColor band)
{
    const LabelColors colors = labelColors(band, false);
    sheet.add(FigureRect{.x = area.x,
        .y = area.y,
        .width = area.width,
        .height = area.height,
        .fill = colors.plate,
        .isPlate = true});
    const double baseline = area.y + kAreaLabelHeight - 4;
    const auto add = [&](double x, const std::string& text, TextAnchor anchor, bool bold) {
        sheet.add(FigureText{.x = x,
            .y = baseline,
            .text = text,
            .size = kAreaLabelFont,
            .color = colors.ink,
            .anchor = anchor,
            .bold = bold});
    };
    add(area.x + kLabelMargin, label.name, TextAnchor::Start, false);
    if (!label.size.empty())
        add(area.x + area.width - kLabelMargin, label.size, TextAnchor::End, true);
}

/// Returns the entry of a group: that of its category if call sites have the colours of their categories.
/// Kept memory of a category has a name of its own.
LegendEntry areaEntry(const StackedGroups& stacked, std::size_t index)
{
    const StackedGroup& group = stacked.groups[index];
    const Category category = stacked.bands.groups[index].category.value_or(Category::Unknown);
    if (stacked.hasCategoryColors)
        return LegendEntry::area(titleOf(category, stacked.guessed[static_cast<std::size_t>(category)]),
            group.bytes, categoryColor(stacked.guessed, category).light);
    LegendEntry entry = LegendEntry::area(group.label, group.bytes, group.color);
    entry.hatched = stacked.by == StackedBy::Category && stacked.bands.groups[index].isKept;
    return entry;
}

/// An entry of the legend, and the part of its bytes that is kept from earlier steps.
struct AreaEntry
{
    LegendEntry entry;
    Bytes kept = 0;
};

/// Adds an entry, or adds its bytes to the entry with its label. If any of the bytes are not kept, the entry
/// has the colour of memory that is not kept.
void addEntry(std::vector<AreaEntry>& entries, LegendEntry entry, bool isKept)
{
    const Bytes bytes = *entry.bytes;
    auto known
        = std::ranges::find(entries, entry.label, [](const AreaEntry& each) { return each.entry.label; });
    if (known == entries.end())
        known = entries.insert(entries.end(), {LegendEntry::area(entry.label, 0, entry.color)});
    if (!isKept)
        known->entry.color = entry.color;
    known->entry.hatched = known->entry.hatched || entry.hatched;
    *known->entry.bytes += bytes;
    known->kept += isKept ? bytes : 0;
}

/// Returns the entries with their bytes in words. They add up to the total, so kept memory is a part of each
/// and has no figure of its own.
std::vector<LegendEntry> withByteTexts(std::vector<AreaEntry> entries)
{
    std::vector<LegendEntry> result;
    for (AreaEntry& each : entries) {
        each.entry.value = *each.entry.bytes == 0 ? "none" : bytesWithKept(*each.entry.bytes, each.kept);
        result.push_back(std::move(each.entry));
    }
    return result;
}

} // namespace

std::string bytesWithKept(Bytes bytes, Bytes kept)
{
    if (kept == 0)
        return formatBytes(bytes);
    return kept == bytes ? formatBytes(bytes) + " (all kept)"
                         : fmt::format("{} ({} kept)", formatBytes(bytes), formatBytes(kept));
}

LegendEntry hatchKey(Bytes kept)
{
    return {.label = "kept from earlier steps", .color = kRestColor, .hatched = true, .bytes = kept};
}

void appendEdge(std::vector<FigurePoint>& points, const PlotFrame& plot, const std::vector<Bytes>& heights,
    double tolerance)
{
    const double columnWidth = plot.width() / static_cast<double>(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) {
        if (i > 0 && heights[i] == heights[i - 1])
            continue;
        const double x = plot.left + columnWidth * static_cast<double>(i);
        const double y = plot.y(static_cast<double>(heights[i]));
        if (i > 0 && std::abs(y - points.back().y) < tolerance)
            continue;
        if (i > 0)
            points.push_back({x, points.back().y});
        points.push_back({x, y});
    }
    points.push_back({plot.right, points.back().y});
}

void drawAreas(FigureSheet& sheet, const PlotFrame& plot, const StackedGroups& stacked,
    const GroupTotals& totals, double tolerance)
{
    const std::vector<bool> isOwn = ownAreas(plot, totals, stacked.groups.size());
    std::vector<Bytes> heights(totals.size(), 0);
    for (std::size_t column = 0; column < totals.size(); ++column)
        for (const Bytes bytes : totals[column])
            heights[column] += bytes;
    // Each area extends down to 0 and is painted before those below it, so that there are no seams.
    for (std::size_t group = stacked.groups.size(); group-- > 0;) {
        if (!isOwn[group])
            continue;
        FigurePolygon area{.points = {{plot.left, plot.bottom}},
            .fill = stacked.groups[group].color,
            .title = stacked.groups[group].label,
            .hatched = stacked.bands.groups[group].isKept};
        appendEdge(area.points, plot, heights, tolerance);
        area.points.push_back({plot.right, plot.bottom});
        sheet.add(std::move(area));
        // The next area ends where this group and the groups that joined it begin.
        for (std::size_t column = 0; column < totals.size(); ++column)
            heights[column] = std::accumulate(totals[column].begin(),
                totals[column].begin() + static_cast<std::ptrdiff_t>(group), Bytes{0});
    }
}

void drawAreaLabels(FigureSheet& sheet, const PlotFrame& plot, const StackedGroups& stacked,
    const GroupTotals& totals, double key, const std::vector<FigureArea>& taken)
{
    const auto columns = static_cast<double>(totals.size());
    const double keyColumn = std::floor((key - plot.xBegin) / (plot.xEnd - plot.xBegin) * columns);
    const LabelledPicture picture{static_cast<int>(totals.size()), 1,
        [&](const BandSpan& span) { return nameOf(stacked.bands.groups[span.band], stacked.bands.mode); },
        [&](std::uint32_t band, int column) { return totals[static_cast<std::size_t>(column)][band]; },
        keyColumn >= 0 && keyColumn < columns ? static_cast<int>(keyColumn) : -1,
        [&](std::uint32_t band) { return stacked.groups[band].bytes; }};
    const LabelFont font{
        [](const std::string& text, bool bold) { return textWidth(text, kAreaLabelFont, bold); },
        kAreaLabelHeight};
    const auto isFree = [&](const BandLabelPlace& label) {
        return std::ranges::none_of(
            taken, [&](const FigureArea& area) { return intersects(area, areaOf(label, plot)); });
    };
    for (const BandLabelPlace& first : bandLabelPlaces(spansOf(plot, totals), picture, font)) {
        const auto spare = std::ranges::find_if(first.spares, isFree);
        if (isFree(first))
            drawAreaLabel(sheet, first, areaOf(first, plot), stacked.groups[first.band].color);
        else if (spare != first.spares.end())
            drawAreaLabel(sheet, *spare, areaOf(*spare, plot), stacked.groups[spare->band].color);
    }
}

std::vector<LegendEntry> areaLegend(const StackedGroups& stacked, const GroupTotals& totals)
{
    const std::vector<bool> isVisible = visibleGroups(totals, stacked.groups.size());
    std::vector<AreaEntry> entries;
    Bytes kept = 0;
    bool isHatched = false;
    for (std::size_t i = 0; i < stacked.groups.size(); ++i) {
        const StackedGroup& group = stacked.groups[i];
        if (group.bytes == 0 && !isVisible[i])
            continue;
        const bool isKept = stacked.bands.groups[i].isKept && stacked.by != StackedBy::Category;
        isHatched = isHatched || (isKept && isVisible[i]);
        kept += isKept ? group.bytes : 0;
        addEntry(entries, areaEntry(stacked, i), isKept);
    }
    std::vector<LegendEntry> result = withByteTexts(std::move(entries));
    if (isHatched)
        result.push_back(hatchKey(kept));
    return result;
}

} // namespace highwater
