#include "core/figure/drawing/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

double roundStep(double wanted)
{
    const double magnitude = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * magnitude >= wanted * (1 - 1e-9))
            return factor * magnitude;
    return 10 * magnitude;
}

namespace {

constexpr double kSecond = 1e9;
constexpr double kMinute = 60 * kSecond;
constexpr double kHour = 60 * kMinute;

double byteStep(double wanted)
{
    double unit = 1;
    while (unit * 1024 <= wanted)
        unit *= 1024;
    const double wantedInUnit = wanted / unit;
    if (wantedInUnit <= 100)
        return roundStep(wantedInUnit) * unit;
    return (wantedInUnit <= 256 ? 256 : wantedInUnit <= 512 ? 512 : 1024) * unit;
}

/// Formats bytes in one unit for a whole axis: the largest that the farthest tick reaches and in which the
/// step needs at most two decimals, such as "0.25 GiB" and "1 GiB", or "1,100 MiB".
class ByteLabels
{
public:
    ByteLabels(double farthest, double step)
    {
        for (; m_unit + 1 < kUnits.size() && farthest >= m_size * 1024 && std::fmod(step, m_size * 256) == 0;
             ++m_unit)
            m_size *= 1024;
    }

    std::string text(double bytes) const
    {
        if (bytes == 0)
            return "0";
        if (bytes < 0)
            return "−" + text(-bytes);
        const double amount = bytes / m_size;
        if (amount == std::floor(amount))
            return fmt::format("{} {}", formatCount(static_cast<std::int64_t>(amount)), kUnits[m_unit]);
        return amount * 2 == std::floor(amount * 2) ? fmt::format("{:.1f} {}", amount, kUnits[m_unit])
                                                    : fmt::format("{:.2f} {}", amount, kUnits[m_unit]);
    }

private:
    static constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    std::size_t m_unit = 0;
    double m_size = 1; ///< Bytes of the unit
};

/// Returns the smallest clock step of at least `wanted` seconds: 1, 2, 5, 10, 15 or 30 seconds or minutes, 1,
/// 2, 3, 6 or 12 hours, round numbers of days.
double clockStep(double wanted)
{
    constexpr double minute = 60;
    constexpr double hour = 3600;
    constexpr double day = 24 * hour;
    for (const double unit : {1.0, minute})
        for (const double factor : {1.0, 2.0, 5.0, 10.0, 15.0, 30.0})
            if (factor * unit >= wanted * (1 - 1e-9))
                return factor * unit;
    for (const double hours : {1.0, 2.0, 3.0, 6.0, 12.0})
        if (hours * hour >= wanted)
            return hours * hour;
    return std::max(roundStep(wanted / day), 1.0) * day;
}

/// Returns "15 min", "1 h 15 min", "2 h".
std::string wholeMinutesText(std::int64_t minutes)
{
    if (minutes < 60)
        return fmt::format("{} min", minutes);
    const std::string hours = formatCount(minutes / 60) + " h";
    return minutes % 60 == 0 ? hours : fmt::format("{} {} min", hours, minutes % 60);
}

/// The format of the labels on a time axis.
class TimeLabels
{
public:
    TimeLabels(double farthest, double step)
        : m_isDecimal(farthest < kMinute)
        , m_hasWholeMinutes(step >= kMinute)
        , m_hasHours(farthest >= kHour)
    {
        static constexpr std::array<std::pair<double, const char*>, 4> kUnits
            = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
        m_unit = *std::find_if(kUnits.begin(), kUnits.end() - 1,
            [farthest](const auto& candidate) { return farthest >= candidate.first; });
        m_decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / m_unit.first) - 1e-9)));
    }

    std::string text(double tick) const
    {
        return (tick > 0 ? "+" : "")
            + (m_isDecimal ? fmt::format("{:.{}f} {}", tick / m_unit.first, m_decimals, m_unit.second)
                    : m_hasWholeMinutes ? wholeMinutesText(std::llround(tick / kMinute))
                                        : clockText(tick));
    }

private:
    std::string clockText(double tick) const
    {
        const std::int64_t total = std::llround(tick);
        const auto perMinute = static_cast<std::int64_t>(kMinute);
        const std::int64_t minutes = total / perMinute;
        const std::string seconds
            = fmt::format("{:0{}.{}f}", static_cast<double>(total % perMinute) / kSecond,
                m_decimals > 0 ? m_decimals + 3 : 2, m_decimals);
        return m_hasHours ? fmt::format("{}:{:02}:{} h", minutes / 60, minutes % 60, seconds)
                          : fmt::format("{}:{} min", minutes, seconds);
    }

    bool m_isDecimal; ///< A decimal number in m_unit; otherwise whole minutes or clock times
    bool m_hasWholeMinutes;
    bool m_hasHours; ///< For clock times
    std::pair<double, const char*> m_unit;
    int m_decimals; ///< Decimals of the seconds of clock times
};

/// Returns ticks at the multiples of the step in [begin, end].
template <typename LabelOf>
Ticks ticksAt(double begin, double end, double step, const LabelOf& labelOf)
{
    Ticks ticks;
    for (double i = std::ceil(begin / step); i * step <= end; ++i) {
        ticks.positions.push_back(i * step);
        ticks.labels.push_back(labelOf(i * step));
    }
    return ticks;
}

/// Returns ticks at round percentages of the mark that fills [begin, end].
Ticks percentTicks(const AxisMark& mark, double markEnd, double begin, double end, int wanted)
{
    const double length = markEnd - mark.position;
    const double step = roundStep(std::max((end - begin) / length, 1e-9) * 100 / wanted);
    const auto percentOf = [&](double place) { return (place - mark.position) / length * 100; };
    Ticks ticks = ticksAt(std::max(percentOf(begin), 0.0), percentOf(end), step, [&](double percent) {
        const std::string share = fmt::format("{:.{}f}%", percent, percent > 0 && percent < 10 ? 1 : 0);
        return mark.label.empty() ? share : percent == 0 ? mark.label : mark.label + " · " + share;
    });
    for (double& position : ticks.positions)
        position = mark.position + position / 100 * length;
    return ticks;
}

} // namespace

Ticks byteTicks(double begin, double end, int wanted)
{
    const double step = byteStep(std::max((end - begin) / wanted, 1.0));
    const double farthest = std::max(std::abs(std::ceil(begin / step)), std::abs(std::floor(end / step)));
    const ByteLabels labels(farthest * step, step);
    return ticksAt(begin, end, step, [&](double tick) { return labels.text(tick); });
}

Ticks countTicks(double begin, double end, int wanted)
{
    const double step = std::max(roundStep(std::max(end - begin, 1.0) / wanted), 1.0);
    return ticksAt(
        begin, end, step, [](double tick) { return tick < 0 ? "start" : formatCount(std::llround(tick)); });
}

Ticks durationTicks(double begin, double end, int wanted)
{
    const double leastStep = std::max((end - begin) / wanted, 1.0);
    const double step = leastStep > kSecond ? clockStep(leastStep / kSecond) * kSecond : roundStep(leastStep);
    const TimeLabels labels(std::max(std::abs(begin), std::abs(end)), step);
    return ticksAt(std::max(begin, 0.0), end, step, [&](double tick) { return labels.text(tick); });
}

Ticks markTicks(const std::vector<AxisMark>& marks, double last, double begin, double end, int wanted)
{
    const auto first = std::ranges::lower_bound(marks, begin, {}, &AxisMark::position);
    const auto firstAfterView = std::ranges::lower_bound(first, marks.end(), end, {}, &AxisMark::position);
    const std::ptrdiff_t count = firstAfterView - first;
    Ticks ticks;
    if (count >= 2) {
        // Only marks with round numbers have ticks, so that labels keep their places while the view moves.
        const auto stride
            = static_cast<std::int64_t>(roundStep(static_cast<double>((count + wanted - 1) / wanted)));
        for (auto mark = first; mark != firstAfterView; ++mark)
            if (numberAtEnd(mark->label).value_or(mark - marks.begin()) % stride == 0) {
                ticks.positions.push_back(mark->position);
                ticks.labels.push_back(mark->label);
            }
        return ticks;
    }
    if (marks.empty())
        return ticks;
    const auto firstAfterBegin = std::ranges::upper_bound(marks, begin, {}, &AxisMark::position);
    const AxisMark& mark = firstAfterBegin == marks.begin() ? *firstAfterBegin : *(firstAfterBegin - 1);
    const AxisMark* const nextMark = &mark == &marks.back() ? nullptr : &mark + 1;
    const double markEnd = nextMark ? nextMark->position : last;
    return markEnd > mark.position ? percentTicks(mark, markEnd, begin, end, wanted) : ticks;
}

} // namespace highwater
