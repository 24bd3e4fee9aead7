#include "core/analysis/logs/series_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/logs/log_failures.h"

namespace highwater {

namespace {

/// Returns how well a series shows the device memory that a run needs: 0 is best. nullopt if it does not show
/// that.
std::optional<std::size_t> measureRank(const CounterSeries& series)
{
    static constexpr std::array<std::string_view, 14> levels = {"allocated_peak", "allocated",
        "requested_peak", "requested", "active_peak", "active", "reserved_peak", "reserved",
        "device_used_peak", "device_used", "process_used", "memory_peak", "memory", ""};
    const auto level = std::ranges::find(levels, series.metric);
    if (!measuresDevice(series) || !series.component.empty() || level == levels.end())
        return std::nullopt;
    // Series of a single stage rank below those of the whole run.
    return static_cast<std::size_t>(level - levels.begin()) + (series.stage.empty() ? 0 : levels.size());
}

/// Removes the digits: "TaskRunner pid=104449" becomes "TaskRunner pid=".
std::string withoutNumbers(std::string text)
{
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

using Key = std::vector<std::string>;

/// Returns the key of the measured quantity.
Key measureOf(const CounterSeries& series)
{
    return {series.metric.empty() ? series.name : series.metric, series.component, series.stage, series.unit,
        series.quantity ? std::string(toText(*series.quantity)) : std::string(),
        std::string(toText(series.since))};
}

std::string numberText(const std::optional<std::int64_t>& number)
{
    return number ? std::to_string(*number) : std::string();
}

Key rankKey(const CounterSeries& series)
{
    Key key = measureOf(series);
    key.push_back(numberText(series.rank));
    key.push_back(numberText(series.deviceOrdinal));
    return key;
}

Key nameKey(const CounterSeries& series)
{
    Key key = rankKey(series);
    key.push_back(withoutNumbers(series.process));
    key.push_back(series.name);
    return key;
}

Key writerKey(const CounterSeries& series)
{
    Key key = nameKey(series);
    key.push_back(series.process);
    return key;
}

/// Pairs the series of two logs in rounds. Each round uses a less strict key than the one before.
class SeriesMatcher
{
public:
    SeriesMatcher(const Trace& before, const Trace& after)
        : m_before(before.counters)
        , m_after(after.counters)
        , m_afterOf(m_before.size())
        , m_isPaired(m_after.size(), false)
    {
        for (Key (*keyOf)(const CounterSeries&) : {writerKey, nameKey, rankKey, measureOf})
            pairUnique(keyOf);
    }

    const std::vector<std::optional<std::size_t>>& afterOf() const { return m_afterOf; }

private:
    /// Pairs two series if each is the only unpaired one of its log with this key.
    void pairUnique(Key (*keyOf)(const CounterSeries&))
    {
        std::map<Key, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> byKey;
        for (std::size_t i = 0; i < m_before.size(); ++i)
            if (!m_afterOf[i])
                byKey[keyOf(m_before[i])].first.push_back(i);
        for (std::size_t i = 0; i < m_after.size(); ++i)
            if (!m_isPaired[i])
                byKey[keyOf(m_after[i])].second.push_back(i);
        for (const auto& [key, indices] : byKey)
            if (indices.first.size() == 1 && indices.second.size() == 1) {
                m_afterOf[indices.first.front()] = indices.second.front();
                m_isPaired[indices.second.front()] = true;
            }
    }

    const std::vector<CounterSeries>& m_before;
    const std::vector<CounterSeries>& m_after;
    std::vector<std::optional<std::size_t>> m_afterOf; ///< by series before
    std::vector<bool> m_isPaired; ///< by series after
};

/// Returns the sort key of a pair: measures of device memory first, best and largest first; then series in
/// bytes.
std::tuple<bool, std::size_t, bool, double> orderOfSeries(const Trace& before, const SeriesPair& pair)
{
    const std::optional<std::size_t> rank = measureRank(before.counters[pair.before]);
    const double largest = std::max(pair.beforeFigures.largest, pair.afterFigures.largest);
    return {!rank, rank.value_or(0), !pair.isBytes, rank ? -largest : 0};
}

} // namespace

std::optional<SeriesFigures> seriesFigures(const CounterSeries& series)
{
    SeriesFigures figures;
    for (std::size_t i = 0; i < series.points(); ++i) {
        const double value = series.value[i];
        if (!std::isfinite(value))
            continue;
        if (figures.points++ == 0)
            figures.first = figures.smallest = value;
        figures.smallest = std::min(figures.smallest, value);
        if (figures.points == 1 || value > figures.largest) {
            figures.largest = value;
            figures.largestPoint = i;
        }
        figures.last = value;
    }
    figures.largestStep = figures.points > 0 ? series.stepAt(figures.largestPoint) : CounterSeries::kNoStep;
    return figures.points > 0 ? std::optional(figures) : std::nullopt;
}

std::vector<SeriesPair> pairedSeries(const Trace& before, const Trace& after)
{
    const SeriesMatcher matcher(before, after);
    std::vector<SeriesPair> pairs;
    for (std::size_t i = 0; i < before.counters.size(); ++i) {
        const std::optional<std::size_t>& afterIndex = matcher.afterOf()[i];
        const std::optional<SeriesFigures> beforeFigures
            = afterIndex ? seriesFigures(before.counters[i]) : std::nullopt;
        const std::optional<SeriesFigures> afterFigures
            = afterIndex ? seriesFigures(after.counters[*afterIndex]) : std::nullopt;
        if (beforeFigures && afterFigures)
            pairs.push_back(
                {i, *afterIndex, *beforeFigures, *afterFigures, before.counters[i].unit == "bytes"});
    }
    std::ranges::stable_sort(pairs, [&before](const SeriesPair& a, const SeriesPair& b) {
        return orderOfSeries(before, a) < orderOfSeries(before, b);
    });
    return pairs;
}

bool measuresDeviceMemory(const CounterSeries& series)
{
    return measureRank(series).has_value();
}

std::optional<SeriesPair> bestMemorySeries(const Trace& log)
{
    std::vector<SeriesPair> pairs = pairedSeries(log, log);
    if (pairs.empty() || !measuresDeviceMemory(log.counters[pairs.front().before]))
        return std::nullopt;
    return pairs.front();
}

Bytes wholeBytes(double value)
{
    constexpr double limit = 4e18; // leaves room for differences
    return static_cast<Bytes>(std::clamp(value, -limit, limit));
}

} // namespace highwater
