#include "core/figure/drawing/note_flag_shapes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kFlagHeight = 15;
constexpr double kRowHeight = 17;
constexpr double kFlagFont = 11;
constexpr double kPadding = 4;
constexpr int kRows = 2;
/// Height of the bar over the data that shows the extent of a range.
constexpr double kRangeBar = 3;
constexpr double kBandOpacity = 0.18;
/// Limits for long lists of notes.
constexpr std::size_t kMaxTitles = 12;
constexpr std::size_t kMaxBands = 100;

double flagWidth(const std::string& label)
{
    return textWidth(label, kFlagFont, true) + 2 * kPadding;
}

/// Centres the flag over its hairline, but keeps it within the width of the plot.
void centreFlag(FlagPlace& place, const PlotFrame& plot)
{
    const double width = flagWidth(place.label());
    place.left = std::clamp(place.x - width / 2, plot.left, std::max(plot.left, plot.right - width));
    place.right = place.left + width;
}

bool isInside(const NoteFlag& flag, const PlotFrame& plot)
{
    return flag.first <= plot.xEnd && flag.last >= plot.xBegin;
}

/// Inserts a flag into a list ordered by number.
void insertByNumber(std::vector<NoteFlag>& notes, const NoteFlag& flag)
{
    notes.insert(std::ranges::upper_bound(notes, flag.number, {}, &NoteFlag::number), flag);
}

/// Merges the last flag with earlier flags of its row that it overlaps since it became wider.
void mergeWithOverlapped(std::vector<FlagPlace>& places, const PlotFrame& plot)
{
    while (places.size() > 1) {
        FlagPlace& last = places.back();
        const auto touches = [&](const FlagPlace& earlier) {
            return &earlier != &last && earlier.row == last.row && earlier.right + 1 > last.left;
        };
        const auto earlier = std::find_if(places.begin(), places.end(), touches);
        if (earlier == places.end())
            return;
        for (const NoteFlag& flag : earlier->notes)
            insertByNumber(last.notes, flag);
        places.erase(earlier);
        centreFlag(places.back(), plot);
    }
}

/// Returns the colour that all notes of a flag share, else grey.
FigureColor colorOf(const FlagPlace& place)
{
    const NoteColor color = place.notes.front().color;
    const bool haveSameColor
        = std::ranges::all_of(place.notes, [=](const NoteFlag& flag) { return flag.color == color; });
    return noteColor(haveSameColor ? color : NoteColor::Grey);
}

std::string titleOf(const FlagPlace& place)
{
    std::string title;
    const std::size_t shown = std::min(place.notes.size(), kMaxTitles);
    for (std::size_t i = 0; i < shown; ++i)
        title += fmt::format(
            "{}{}  {}", i == 0 ? "" : "\n", place.notes[i].number, sanitizedText(place.notes[i].title));
    if (shown < place.notes.size())
        title += fmt::format("\nand {} more", place.notes.size() - shown);
    return title;
}

struct RangeOfFlag
{
    const NoteFlag& flag;
    double left;
    double right;
};

/// Returns the first `kMaxBands` flags of ranges that are at least a pixel wide, clipped to the plot.
std::vector<RangeOfFlag> rangesOf(const std::vector<FlagPlace>& places, const PlotFrame& plot)
{
    std::vector<RangeOfFlag> ranges;
    for (const FlagPlace& place : places)
        for (const NoteFlag& flag : place.notes) {
            const double left = std::max(plot.left, plot.x(flag.first));
            const double right = std::min(plot.right, plot.x(flag.last));
            if (right - left >= 1 && ranges.size() < kMaxBands)
                ranges.push_back({flag, left, right});
        }
    return ranges;
}

} // namespace

std::string FlagPlace::label() const
{
    const std::size_t count = notes.size();
    if (count == 1)
        return std::to_string(notes.front().number);
    const int first = notes.front().number;
    const int last = notes.back().number;
    if (static_cast<std::size_t>(last - first) + 1 == count)
        return fmt::format("{}–{}", first, last);
    std::string text = fmt::format("{}, {}", first, notes[1].number);
    if (count > 2)
        text += count == 3 ? fmt::format(", {}", last) : std::string(", …");
    return text;
}

std::vector<FlagPlace> placeFlags(const std::vector<NoteFlag>& flags, const PlotFrame& plot)
{
    std::vector<NoteFlag> sorted;
    std::ranges::copy_if(
        flags, std::back_inserter(sorted), [&](const NoteFlag& flag) { return isInside(flag, plot); });
    std::ranges::stable_sort(sorted, {}, &NoteFlag::first);
    std::array<double, kRows> rowEnds{plot.left, plot.left};
    std::vector<FlagPlace> places;
    for (const NoteFlag& flag : sorted) {
        FlagPlace place{.x = std::max(plot.left, plot.x(flag.first)), .notes = {flag}};
        centreFlag(place, plot);
        while (place.row < kRows && place.left < rowEnds[static_cast<std::size_t>(place.row)])
            ++place.row;
        if (place.row == kRows) {
            insertByNumber(places.back().notes, flag);
            centreFlag(places.back(), plot);
            mergeWithOverlapped(places, plot);
        } else {
            places.push_back(std::move(place));
        }
        rowEnds[static_cast<std::size_t>(places.back().row)] = places.back().right + 1;
    }
    return places;
}

double flagsHeight(const std::vector<FlagPlace>& places)
{
    int rows = 0;
    for (const FlagPlace& place : places)
        rows = std::max(rows, place.row + 1);
    return rows * kRowHeight;
}

void drawFlagBands(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places)
{
    for (const RangeOfFlag& range : rangesOf(places, plot))
        sheet.add(FigureRect{.x = range.left,
            .y = plot.top,
            .width = range.right - range.left,
            .height = plot.height(),
            .fill = noteColor(range.flag.color),
            .opacity = kBandOpacity,
            .title = fmt::format("{}  {}", range.flag.number, sanitizedText(range.flag.title))});
}

void drawFlags(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places)
{
    for (const RangeOfFlag& range : rangesOf(places, plot))
        sheet.rect({range.left, plot.top, range.right - range.left, kRangeBar}, noteColor(range.flag.color),
            fmt::format("{}  {}", range.flag.number, sanitizedText(range.flag.title)));
    for (const FlagPlace& place : places) {
        const FigureColor color = colorOf(place);
        const double top = plot.top - kRowHeight * (place.row + 1);
        sheet.add(FigureLine{
            .points = {{place.x, top + kFlagHeight}, {place.x, plot.bottom}}, .color = color, .width = 1});
        sheet.rect({place.left, top, place.right - place.left, kFlagHeight}, color, titleOf(place));
        sheet.add(FigureText{.x = (place.left + place.right) / 2,
            .y = top + kFlagHeight - 4,
            .text = place.label(),
            .size = kFlagFont,
            .color = 0xffffff,
            .anchor = TextAnchor::Middle,
            .bold = true});
    }
}

} // namespace highwater
