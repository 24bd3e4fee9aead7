#include "core/report/parts/part_figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr int kWide = 920;
constexpr int kNarrow = 420;
constexpr int kNarrowHeight = 480;

FigureOptions sheet(int width, int height, const std::string& source)
{
    FigureOptions options;
    options.width = width;
    options.height = height;
    options.source = sanitizedText(source);
    options.tolerance = 0.5;
    return options;
}

} // namespace

ReportFigure reportFigure(
    std::string id, std::string caption, const std::string& source, const DrawFigure& draw, int height)
{
    return {std::move(id), std::move(caption), draw(sheet(kWide, height, source)),
        draw(sheet(kNarrow, height < kFigureHeight ? height : kNarrowHeight, source))};
}

} // namespace highwater
