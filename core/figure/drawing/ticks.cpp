#include "core/figure/drawing/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The smallest of 1, 2, 5, 10, 20, 50, … times a power of ten that is not below `wanted`.
double roundStep(double wanted)
{
    const double magnitude = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * magnitude >= wanted * (1 - 1e-9))
            return factor * magnitude;
    return 10 * magnitude;
}

double byteStep(double wanted)
{
    double unit = 1;
    while (unit * 1024 <= wanted)
        unit *= 1024;
    const double inUnit = wanted / unit;
    if (inUnit <= 100)
        return roundStep(inUnit) * unit;
    return (inUnit <= 256 ? 256 : inUnit <= 512 ? 512 : 1024) * unit;
}

/// In the largest unit that needs no more than two decimals: "1.25 GiB", but "1,100 MiB".
std::string byteLabel(double bytes, double step)
{
    static constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes == 0) {
        std::size_t unit = 0;
        for (double size = step; size >= 1024 && unit + 1 < kUnits.size(); size /= 1024)
            ++unit;
        return fmt::format("0 {}", kUnits[unit]);
    }
    std::size_t unit = 0;
    while (unit + 1 < kUnits.size() && bytes >= 1024 && std::floor(bytes / 256) == bytes / 256) {
        bytes /= 1024;
        ++unit;
    }
    if (bytes == std::floor(bytes))
        return fmt::format("{} {}", formatCount(static_cast<std::int64_t>(bytes)), kUnits[unit]);
    return bytes * 2 == std::floor(bytes * 2) ? fmt::format("{:.1f} {}", bytes, kUnits[unit])
                                              : fmt::format("{:.2f} {}", bytes, kUnits[unit]);
}

/// Multiples of the step in [begin, end].
std::vector<double> multiples(double begin, double end, double step)
{
    std::vector<double> at;
    for (double i = std::ceil(begin / step); i * step <= end; ++i)
        at.push_back(i * step);
    return at;
}

} // namespace

Ticks byteTicks(Bytes top, int wanted)
{
    Ticks ticks;
    const double end = static_cast<double>(top);
    const double step = byteStep(std::max(end / std::max(wanted, 1), 1.0));
    ticks.at = multiples(0, end, step);
    for (const double at : ticks.at)
        ticks.labels.push_back(byteLabel(at, step));
    return ticks;
}

Ticks countTicks(std::int64_t begin, std::int64_t end, int wanted)
{
    Ticks ticks;
    const double step
        = std::max(roundStep(std::max(static_cast<double>(end - begin), 1.0) / std::max(wanted, 1)), 1.0);
    ticks.at = multiples(static_cast<double>(begin), static_cast<double>(end), step);
    for (const double at : ticks.at)
        ticks.labels.push_back(formatCount(static_cast<std::int64_t>(std::llround(at))));
    return ticks;
}

Ticks durationTicks(Nanoseconds begin, Nanoseconds end, int wanted)
{
    static constexpr std::array<std::pair<double, const char*>, 4> kUnits
        = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
    Ticks ticks;
    const double from = static_cast<double>(begin);
    const double to = static_cast<double>(end);
    const double farthest = std::max(std::abs(from), std::abs(to));
    const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1,
        [farthest](const auto& candidate) { return farthest >= candidate.first; });
    const double step = std::max(roundStep(std::max(to - from, 1.0) / std::max(wanted, 1)), 1.0);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit->first) - 1e-9)));
    ticks.at = multiples(from, to, step);
    for (const double at : ticks.at)
        ticks.labels.push_back(fmt::format("{:.{}f} {}", at / unit->first, decimals, unit->second));
    return ticks;
}

} // namespace highwater
