#include "core/figure/composition_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/base/hash.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater {

namespace {

constexpr double kTallestRow = 64;
constexpr double kLowestBarRow = 22;
constexpr double kBarValueRoom = 250;

/// Returns "inputs (guess)" if the category is a guess.
std::string categoryTitle(const GuessedCategories& guessed, Category category)
{
    return titleOf(category, guessed[static_cast<std::size_t>(category)]);
}

std::string labelOfAllocation(const DeviceStudy& study, AllocationIndex i, bool byCategory)
{
    return byCategory ? categoryTitle(study.guessed, study.categories.of(i))
                      : study.sites.site(study.sites.of(i)).label;
}

void addTo(CompositionBar& bar, const CompositionBar& other)
{
    bar.bytes += other.bytes;
    bar.count += other.count;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        bar.byCategory[i] += other.byCategory[i];
}

std::string compositionSubtitle(const DeviceStudy& study, std::int64_t event, Bytes total, std::int64_t count)
{
    std::string text = fmt::format("{} in use ({}) in {} {}", formatBytes(total), quantityLabel(study),
        counted(count, "allocation", "allocations"), momentAndHighest(study, event));
    const std::optional<std::size_t> step = study.steps.stepOf(event);
    if (step && study.steps.source != StepSource::Whole)
        text += fmt::format(" ({})", nameText(study.steps.steps[*step].name));
    return text;
}

/// Draws one row per bar: label, bar split by category, figures to its right.
void drawBars(FigureSheet& sheet, const std::vector<CompositionBar>& bars, const CompositionBar& sum,
    const GuessedCategories& guessed, const PlotFrame& plot)
{
    const std::array<Category, kCategoryCount> order = stackingOrder(sum.byCategory);
    const double row
        = std::clamp(plot.height() / static_cast<double>(bars.size()), kLowestBarRow, kTallestRow);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const CompositionBar& bar = bars[i];
        const double top = plot.top + row * static_cast<double>(i);
        const double baseline = top + row / 2 + FigureSheet::kFont * 0.35;
        sheet.add(fitted(FigureText{.x = plot.left - 10,
                             .y = baseline,
                             .text = bar.label,
                             .color = sheet.palette().text,
                             .anchor = TextAnchor::End},
            plot.left - 10 - sheet.margin()));
        double x = plot.left;
        for (const Category category : order) {
            const Bytes part = bar.byCategory[static_cast<std::size_t>(category)];
            const double width = plot.x(static_cast<double>(part)) - plot.left;
            if (part > 0)
                sheet.rect({x, top + row * 0.15, std::max(width, 0.5), row * 0.7},
                    categoryColor(guessed, category).light,
                    fmt::format("{}: {} {}", bar.label, categoryTitle(guessed, category), formatBytes(part)));
            x += width;
        }
        sheet.quietText(x + 8, baseline,
            fmt::format("{} · {} · {}", formatBytes(bar.bytes), formatShare(bar.bytes, sum.bytes),
                counted(bar.count, "allocation", "allocations")));
    }
}

std::vector<LegendEntry> compositionLegend(const CategoryBytes& bytes, const GuessedCategories& guessed)
{
    std::vector<LegendEntry> legend;
    for (const Category category : stackingOrder(bytes))
        if (const Bytes part = bytes[static_cast<std::size_t>(category)]; part > 0)
            legend.push_back(LegendEntry::area(
                categoryTitle(guessed, category), part, categoryColor(guessed, category).light));
    return legend;
}

double widestBarLabel(const std::vector<CompositionBar>& bars)
{
    double widest = 0;
    for (const CompositionBar& bar : bars)
        widest = std::max(widest, textWidth(bar.label, FigureSheet::kFont));
    return widest;
}

} // namespace

std::vector<CompositionBar> compositionBars(
    const DeviceStudy& study, std::int64_t event, bool byCategory, std::size_t most)
{
    NumberMap<std::uint32_t, std::size_t> slots;
    std::vector<CompositionBar> bars;
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        const auto category = static_cast<std::size_t>(study.categories.of(i));
        const std::uint32_t key
            = byCategory ? static_cast<std::uint32_t>(category) : study.sites.of(i).value();
        const auto [found, isNew] = slots.try_emplace(key, bars.size());
        if (isNew)
            bars.push_back({labelOfAllocation(study, i, byCategory), 0, 0, {}});
        CompositionBar& bar = bars[found->second];
        bar.bytes += study.allocations.bytes(i);
        ++bar.count;
        bar.byCategory[category] += study.allocations.bytes(i);
    }
    std::sort(bars.begin(), bars.end(), [](const CompositionBar& a, const CompositionBar& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.label < b.label;
    });
    if (bars.size() <= std::max<std::size_t>(most, 2))
        return bars;
    CompositionBar rest{.label = fmt::format("{} others", formatCount(bars.size() - most + 1))};
    for (std::size_t i = most - 1; i < bars.size(); ++i)
        addTo(rest, bars[i]);
    bars.resize(most - 1);
    bars.push_back(std::move(rest));
    return bars;
}

Figure compositionFigure(
    const DeviceStudy& study, std::int64_t event, bool byCategory, const FigureOptions& options)
{
    constexpr double kTopRoom = 130;
    const auto most = static_cast<std::size_t>(
        std::max(3.0, (options.height - kTopRoom - 3 * options.margin()) / (kLowestBarRow + 6)));
    const std::vector<CompositionBar> bars = compositionBars(study, event, byCategory, most);
    CompositionBar sum;
    for (const CompositionBar& bar : bars)
        addTo(sum, bar);
    FigureSheet sheet(options,
        fmt::format("{} · {} · in use by {}", options.source, study.about().words(),
            byCategory ? "category" : "call site"),
        compositionSubtitle(study, event, sum.bytes, sum.count));
    if (bars.empty()) {
        sheet.text(sheet.margin(), sheet.contentTop() + 20, "Nothing was in use.");
        return sheet.take();
    }
    const std::vector<LegendEntry> legend = sheet.fittingLegend(
        byCategory ? std::vector<LegendEntry>{} : compositionLegend(sum.byCategory, study.guessed));
    PlotFrame plot;
    plot.left = sheet.margin() + std::min(widestBarLabel(bars), sheet.width() * 0.4) + 10;
    plot.right = std::max(plot.left + 20, sheet.width() - sheet.margin() - kBarValueRoom);
    plot.top = sheet.contentTop();
    plot.bottom = sheet.height() - sheet.margin() - sheet.legendHeight(legend) - 10;
    // The first bar need not be the longest: the bar of the rest may be longer.
    Bytes longest = 1;
    for (const CompositionBar& bar : bars)
        longest = std::max(longest, bar.bytes);
    plot.xEnd = static_cast<double>(longest);
    drawBars(sheet, bars, sum, study.guessed, plot);
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater
