#include "app/timeline/axis_tickers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/workspace/tasks/qt_text.h"

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

constexpr double kSecond = 1e9;
constexpr double kMinute = 60 * kSecond;
constexpr double kHour = 60 * kMinute;

/// The smallest step of a clock of at least so many seconds: 1, 2, 5, 10, 15 or 30 seconds or minutes, 1, 2,
/// 3, 6 or 12 hours, round numbers of days.
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

/// "15 min", "1 h 15 min", "2 h".
QString wholeMinutesText(long long minutes)
{
    const QString rest = QStringLiteral("%1 min").arg(minutes % 60);
    if (minutes < 60)
        return rest;
    const QString hours = countText(minutes / 60) + QStringLiteral(" h");
    return minutes % 60 == 0 ? hours : hours + QLatin1Char(' ') + rest;
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

int KeyTicker::getSubTickCount(double)
{
    return 0;
}

QString KeyTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return tick <= m_labelEnd ? labelOf(tick) : QString();
}

double EventTicker::getTickStep(const QCPRange& range)
{
    return std::max(roundStep(range.size() / std::max(mTickCount, 1)), 1.0);
}

QString EventTicker::labelOf(double tick) const
{
    // Left of 0 is the moment before the first event.
    return tick < 0 ? QStringLiteral("start") : countText(std::llround(tick));
}

double TimeTicker::getTickStep(const QCPRange& range)
{
    const double farthest = std::max(std::abs(range.lower), std::abs(range.upper));
    const double wanted = std::max(range.size() / std::max(mTickCount, 1), 1.0);
    const double step = wanted > kSecond ? clockStep(wanted / kSecond) * kSecond : roundStep(wanted);
    m_style = farthest < kMinute ? Style::Decimal : step < kMinute ? Style::Clock : Style::Words;
    m_hours = farthest >= kHour;
    m_unit = farthest >= 1e9 ? 1e9 : farthest >= 1e6 ? 1e6 : farthest >= 1e3 ? 1e3 : 1;
    m_unitName = m_unit == 1e9 ? "s" : m_unit == 1e6 ? "ms" : m_unit == 1e3 ? "µs" : "ns";
    m_decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / m_unit) - 1e-9)));
    return step;
}

QString TimeTicker::labelOf(double tick) const
{
    if (tick < 0)
        return {};
    const QString sign = tick > 0 ? QStringLiteral("+") : QString();
    if (m_style == Style::Words)
        return sign + wholeMinutesText(std::llround(tick / kMinute));
    if (m_style == Style::Clock)
        return sign + clockText(tick);
    return sign + plainNumber(tick / m_unit, m_decimals) + QLatin1Char(' ') + QString::fromUtf8(m_unitName);
}

QString TimeTicker::clockText(double tick) const
{
    const auto total = std::llround(tick);
    const auto second = static_cast<long long>(kSecond);
    const auto minutes = total / (60 * second);
    const double seconds = static_cast<double>(total % (60 * second)) / kSecond;
    const QString two = QStringLiteral("%1").arg(
        seconds, m_decimals > 0 ? m_decimals + 3 : 2, 'f', m_decimals, QLatin1Char('0'));
    if (!m_hours)
        return QStringLiteral("%1:%2 min").arg(minutes).arg(two);
    return QStringLiteral("%1:%2:%3 h").arg(minutes / 60).arg(minutes % 60, 2, 10, QLatin1Char('0')).arg(two);
}

MarkTicker::MarkTicker(std::vector<AxisMark> marks, double end)
    : m_marks(std::move(marks))
    , m_end(end)
{
}

QVector<double> MarkTicker::createTickVector(double, const QCPRange& range)
{
    const auto before = [](const AxisMark& mark, double place) { return mark.position < place; };
    const auto first = std::lower_bound(m_marks.begin(), m_marks.end(), range.lower, before);
    const auto last = std::lower_bound(first, m_marks.end(), range.upper, before);
    if (last - first < 2)
        return shares(range);
    const std::ptrdiff_t most = std::max(mTickCount, 1);
    const std::ptrdiff_t every = (last - first + most - 1) / most;
    QVector<double> ticks;
    // Counted from the first of all: names stay where they are while the view moves.
    for (auto mark = first; mark != last; ++mark)
        if ((mark - m_marks.begin()) % every == 0)
            ticks << mark->position;
    return ticks;
}

/// Round shares of the step that fills the view.
QVector<double> MarkTicker::shares(const QCPRange& range) const
{
    const auto next = std::upper_bound(m_marks.begin(), m_marks.end(), range.lower,
        [](double place, const AxisMark& mark) { return place < mark.position; });
    QVector<double> ticks;
    if (m_marks.empty())
        return ticks;
    const auto mark = next == m_marks.begin() ? next : next - 1;
    const double begin = mark->position;
    const double end = mark + 1 == m_marks.end() ? m_end : (mark + 1)->position;
    if (end <= begin)
        return ticks;
    const double step
        = roundStep(std::max(range.size() / (end - begin), 1e-9) * 100 / std::max(mTickCount, 1)) / 100
        * (end - begin);
    for (double i = std::max(0.0, std::ceil((range.lower - begin) / step)); begin + i * step < range.upper;
         ++i)
        ticks << begin + i * step;
    return ticks;
}

QString MarkTicker::labelOf(double tick) const
{
    const auto next = std::upper_bound(m_marks.begin(), m_marks.end(), tick,
        [](double place, const AxisMark& mark) { return place < mark.position; });
    if (next == m_marks.begin())
        return {};
    const AxisMark& mark = *(next - 1);
    const QString name = toQString(mark.label);
    const double end = next == m_marks.end() ? m_end : next->position;
    if (tick == mark.position || end <= mark.position)
        return name;
    const double percent = (tick - mark.position) / (end - mark.position) * 100;
    return QStringLiteral("%1 · %2 %").arg(name, plainNumber(percent, percent < 10 ? 1 : 0));
}

void fitTicks(QCPAxis& axis, int most)
{
    constexpr int gap = 18;
    const auto ticker = axis.ticker().dynamicCast<KeyTicker>();
    const double pixelsPerKey = axis.axisRect()->width() / axis.range().size();
    ticker->setLabelEnd(std::numeric_limits<double>::infinity());
    int width = 0;
    for (int count = most; count > 0; --count) {
        ticker->setTickCount(count);
        QVector<double> ticks;
        QVector<QString> labels;
        ticker->generate(axis.range(), {}, 'f', 0, ticks, nullptr, &labels);
        const auto longest = std::max_element(labels.begin(), labels.end(),
            [](const QString& a, const QString& b) { return a.size() < b.size(); });
        width = longest == labels.end() ? 0 : QFontMetrics(axis.tickLabelFont()).horizontalAdvance(*longest);
        double closest = std::numeric_limits<double>::infinity();
        for (qsizetype i = 1; i < ticks.size(); ++i)
            closest = std::min(closest, ticks[i] - ticks[i - 1]);
        if (closest * pixelsPerKey >= width + gap)
            break;
    }
    const double room = axis.axisRect()->margins().right() - width / 2.0;
    ticker->setLabelEnd(axis.range().upper + room / pixelsPerKey);
}

} // namespace highwater::gui
