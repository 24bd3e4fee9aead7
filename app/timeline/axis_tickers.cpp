#include "app/timeline/axis_tickers.h"

#include <array>
#include <cmath>

#include "app/workspace/qt_text.h"

namespace highwater::gui {

namespace {

/// The smallest of 1, 2, 5, 10, 20, 50, … that is not below `wanted`.
double roundStep(double wanted)
{
    const double magnitude = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * magnitude >= wanted * (1 - 1e-9))
            return factor * magnitude;
    return 10 * magnitude;
}

/// `value` with as many decimals as it needs, up to three, and its thousands separated.
QString plainNumber(double value, int decimals)
{
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(value, 'f', decimals);
}

} // namespace

double ByteTicker::getTickStep(const QCPRange& range)
{
    static constexpr double kUnitStep = 1024;
    const double wanted = std::max(range.size() / std::max(mTickCount, 1), 1.0);
    m_unit = 1;
    while (m_unit * kUnitStep <= wanted)
        m_unit *= kUnitStep;
    const double inUnit = wanted / m_unit;
    if (inUnit <= 100)
        return roundStep(inUnit) * m_unit;
    const double share = inUnit <= 256 ? 256 : inUnit <= 512 ? 512 : 1024;
    return share * m_unit;
}

int ByteTicker::getSubTickCount(double)
{
    return 0;
}

QString ByteTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    static constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    // The largest unit in which the value has at most two decimals: 1.25 GiB, but 1,100 MiB.
    std::size_t unit = 0;
    double value = tick;
    while (unit + 1 < units.size() && std::abs(value) >= 1024
        && std::floor(value / 1024 * 4) == value / 1024 * 4) {
        value /= 1024;
        ++unit;
    }
    if (tick == 0)
        unit = m_unit > 1 ? static_cast<std::size_t>(std::lround(std::log2(m_unit) / 10)) : 0;
    const int decimals = value == std::floor(value) ? 0 : value * 2 == std::floor(value * 2) ? 1 : 2;
    return plainNumber(value, decimals) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

double EventTicker::getTickStep(const QCPRange& range)
{
    return std::max(roundStep(range.size() / std::max(mTickCount, 1)), 1.0);
}

int EventTicker::getSubTickCount(double)
{
    return 0;
}

QString EventTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    // What lies left of 0 is the moment before the first event.
    return tick < 0 ? QStringLiteral("start") : countText(std::llround(tick));
}

double TimeTicker::getTickStep(const QCPRange& range)
{
    const double farthest = std::max(std::abs(range.lower), std::abs(range.upper));
    m_unit = farthest >= 1e9 ? 1e9 : farthest >= 1e6 ? 1e6 : farthest >= 1e3 ? 1e3 : 1;
    m_unitName = m_unit == 1e9 ? "s" : m_unit == 1e6 ? "ms" : m_unit == 1e3 ? "µs" : "ns";
    const double step = std::max(roundStep(range.size() / std::max(mTickCount, 1)), 1.0);
    m_decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / m_unit) - 1e-9)));
    return step;
}

int TimeTicker::getSubTickCount(double)
{
    return 0;
}

QString TimeTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    if (tick < 0)
        return {};
    const QString sign = tick > 0 ? QStringLiteral("+") : QString();
    return sign + plainNumber(tick / m_unit, m_decimals) + QLatin1Char(' ') + QString::fromUtf8(m_unitName);
}

} // namespace highwater::gui
