#include "app/cli/commands/figure_output.h"

#include <charconv>

#include <fmt/format.h>

#include "app/cli/console/refusal.h"
#include "core/base/text_format.h"

namespace highwater::cli {

void setSize(FigureOptions& sheet, const std::string& command, const std::string& size)
{
    const char* const end = size.data() + size.size();
    const auto [x, error] = std::from_chars(size.data(), end, sheet.width);
    const bool hasHeight = error == std::errc() && x != end && *x == 'x';
    const auto [rest, heightError] = std::from_chars(hasHeight ? x + 1 : end, end, sheet.height);
    const auto fits = [](int pixels) { return pixels >= kSmallestFigure && pixels <= kLargestFigure; };
    if (!hasHeight || heightError != std::errc() || rest != end || !fits(sheet.width) || !fits(sheet.height))
        refuse(command,
            fmt::format("--size takes a width and a height of {} to {} pixels, such as 1200x675",
                kSmallestFigure, formatCount(kLargestFigure)));
}

} // namespace highwater::cli
