#include "app/rehearse/gpu_prices.h"

#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/gpu_fit.h"
#include "core/base/text_parts.h"

namespace highwater::rehearse {

Result<GpuPrices> parseGpuPrices(std::string_view text)
{
    GpuPrices prices;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.empty() || line.front() == '#')
            continue;
        const std::size_t separator = line.find_last_of("\t,:");
        const auto price = separator == std::string_view::npos
            ? std::nullopt
            : parsedNumber<double>(trimmed(line.substr(separator + 1)));
        if (!price || !std::isfinite(*price) || *price < 0)
            return fail(ErrorCode::Malformed,
                fmt::format("line {} is not a GPU and its price, as in \"L4, 0.71\"", number));
        const auto gpus = chooseGpus({std::string(trimmed(line.substr(0, separator)))});
        if (!gpus)
            return fail(ErrorCode::Malformed, fmt::format("line {}: {}", number, gpus.error().message));
        for (const GpuModel& gpu : *gpus)
            prices[gpu.name] = *price;
    }
    return prices;
}

} // namespace highwater::rehearse
