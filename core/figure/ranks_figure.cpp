#include "core/figure/ranks_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kRow = 22;

std::string titleOf(const RankBar& bar)
{
    std::string title = bar.peak ? fmt::format("{}: peak {}", bar.name, formatBytes(*bar.peak)) : bar.name;
    if (bar.median)
        title += "\nMedian (dashed line): " + formatBytes(*bar.median);
    if (bar.outOfMemory)
        title += "\nRan out of memory";
    if (!bar.note.empty())
        title += "\n" + bar.note;
    return title;
}

void drawRow(FigureSheet& sheet, const PlotFrame& plot, const RankBar& bar, double top)
{
    const double baseline = top + kRow / 2 + 4;
    const double room = plot.left - 8 - sheet.margin();
    sheet.text(sheet.margin(), baseline, fittedText(bar.name, FigureSheet::kFont, room));
    const double right = plot.x(static_cast<double>(bar.peak.value_or(0)));
    if (bar.peak) {
        const FigurePalette& colors = sheet.palette();
        sheet.rect({plot.left, top + 2, std::max(1.0, right - plot.left), kRow - 4},
            bar.outlier ? colors.more : colors.quietText);
        const std::string value = formatBytes(*bar.peak);
        sheet.text(right + 6, baseline, value);
        if (bar.outOfMemory)
            sheet.add(FigureText{.x = right + 14 + textWidth(value, FigureSheet::kFont),
                .y = baseline,
                .text = "OOM",
                .size = FigureSheet::kFont,
                .color = colors.danger});
    } else {
        sheet.quietText(plot.left, baseline,
            fittedText(bar.note, FigureSheet::kFont, sheet.width() - sheet.margin() - plot.left));
    }
    // In each row: ranks of several groups have several medians.
    if (bar.median) {
        const double x = plot.x(static_cast<double>(*bar.median));
        sheet.add(styledLine(LineKind::Median, {{x, top}, {x, top + kRow}}));
    }
    sheet.spot({0, top, sheet.width(), kRow}, titleOf(bar), bar.id);
}

} // namespace

int ranksHeight(std::size_t bars)
{
    return static_cast<int>(2 * FigureOptions{.titled = false}.margin() + kRow * static_cast<double>(bars));
}

Figure ranksFigure(const std::vector<RankBar>& bars, const FigureOptions& options)
{
    FigureSheet sheet(options, "Peak of each rank", options.source);
    Bytes highest = 1;
    double names = 0;
    for (const RankBar& bar : bars) {
        highest = std::max({highest, bar.peak.value_or(0), bar.median.value_or(0)});
        names = std::max(names, textWidth(bar.name, FigureSheet::kFont));
    }
    PlotFrame plot;
    plot.left = sheet.margin() + std::min(names, sheet.width() / 3) + 8;
    plot.right = std::max(
        plot.left + 10, sheet.width() - sheet.margin() - textWidth("1,023.00 GiB  OOM", FigureSheet::kFont));
    plot.xEnd = static_cast<double>(highest);
    for (std::size_t i = 0; i < bars.size(); ++i)
        drawRow(sheet, plot, bars[i], sheet.contentTop() + kRow * static_cast<double>(i));
    return sheet.take();
}

} // namespace highwater
