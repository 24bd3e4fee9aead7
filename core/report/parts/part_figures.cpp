#include "core/report/parts/part_figures.h"

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr int kWide = 920;
constexpr int kNarrow = 420;
constexpr int kNarrowHeight = 480;

FigureOptions optionsOf(const ReportSheet& sheet, int width, int height)
{
    FigureOptions options;
    options.width = width;
    options.height = height;
    options.source = sanitizedText(sheet.source);
    options.headline = sanitizedText(sheet.headline);
    options.titled = sheet.titled;
    options.tolerance = 0.5;
    return options;
}

} // namespace

ReportFigure reportFigure(
    std::string id, std::string caption, const ReportSheet& sheet, const DrawFigure& draw)
{
    // On a phone the legend of the figure on page one needs more rows.
    const bool isLow = sheet.titled && sheet.height < kFigureHeight;
    const int narrowHeight = isLow ? sheet.height : kNarrowHeight;
    return {std::move(id), std::move(caption), draw(optionsOf(sheet, kWide, sheet.height)),
        draw(optionsOf(sheet, kNarrow, narrowHeight))};
}

ReportFigure reportFigure(
    std::string id, std::string caption, const std::string& source, const DrawFigure& draw, int height)
{
    return reportFigure(
        std::move(id), std::move(caption), ReportSheet{.source = source, .height = height}, draw);
}

} // namespace highwater
