#include "app/rehearse/gpu_prices.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/gpu_fit.h"

namespace highwater::rehearse {

namespace {

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

} // namespace

Result<GpuPrices> parseGpuPrices(std::string_view text)
{
    GpuPrices prices;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = withoutBlanks(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.empty() || line.front() == '#')
            continue;
        const std::size_t separator = line.find_last_of("\t,:");
        double price = 0;
        const std::string_view amount
            = separator == std::string_view::npos ? "" : withoutBlanks(line.substr(separator + 1));
        const auto [last, error] = std::from_chars(amount.data(), amount.data() + amount.size(), price);
        if (error != std::errc() || last != amount.data() + amount.size() || !std::isfinite(price)
            || price < 0)
            return fail(ErrorCode::Malformed,
                fmt::format("line {} is not a GPU and its price, as in \"L4, 0.71\"", number));
        const auto gpus = chooseGpus({std::string(withoutBlanks(line.substr(0, separator)))});
        if (!gpus)
            return fail(ErrorCode::Malformed, fmt::format("line {}: {}", number, gpus.error().message));
        for (const GpuModel& gpu : *gpus)
            prices[gpu.name] = price;
    }
    return prices;
}

} // namespace highwater::rehearse
