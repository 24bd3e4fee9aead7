#include "app/cli/commands/figure_output.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "app/cli/console/refusal.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

void setSize(FigureOptions& sheet, const std::string& command, const std::string& size)
{
    const auto pixelsIn = [](std::string_view text) {
        const int pixels = parsedNumber<int>(text).value_or(0);
        return pixels >= kSmallestFigure && pixels <= kLargestFigure ? pixels : 0;
    };
    const std::size_t x = std::min(size.find('x'), size.size());
    sheet.width = pixelsIn(std::string_view(size).substr(0, x));
    sheet.height = pixelsIn(std::string_view(size).substr(std::min(x + 1, size.size())));
    if (sheet.width == 0 || sheet.height == 0)
        refuse(command,
            fmt::format("--size takes a width and a height of {} to {} pixels, such as 1200x675",
                kSmallestFigure, formatCount(kLargestFigure)));
}

} // namespace highwater::cli
