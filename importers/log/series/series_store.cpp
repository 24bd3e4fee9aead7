#include "importers/log/series/series_store.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxNames = 4096; ///< limit for labels, and for processes
constexpr std::size_t kMaxSeries = 20'000;
constexpr std::size_t kMaxSpecs = 10'000;
constexpr std::int64_t kMaxRanks = 1 << 20;
constexpr std::int64_t kMaxDevices = 1 << 10;
constexpr double kMaxBytes = 4.6e18; ///< just below 2^62

/// Returns nothing for a metric that is no quantity of memory.
std::optional<Quantity> quantityOf(std::string_view metric)
{
    constexpr std::pair<std::string_view, Quantity> kQuantities[]
        = {{"requested", Quantity::Requested}, {"allocated", Quantity::Allocated},
            {"reserved", Quantity::Reserved}, {"device_used", Quantity::DeviceUsed}};
    for (const auto& [name, quantity] : kQuantities)
        if (metric == name || metric == std::string(name) + "_peak")
            return quantity;
    return std::nullopt;
}

/// Appends to a column that stays empty until a value other than `fill` arrives.
template <typename T>
void appendLazily(std::vector<T>& column, std::size_t row, T value, T fill)
{
    if (column.empty() && value == fill)
        return;
    column.resize(row, fill);
    column.push_back(value);
}

/// Fills a column that `appendLazily` began up to the last row.
template <typename T>
void completeColumn(std::vector<T>& column, std::size_t rows, T fill)
{
    if (!column.empty())
        column.resize(rows, fill);
}

/// Returns the name of a series before names of several families are told apart.
std::string nameOf(const SeriesSpec& spec)
{
    if (!spec.name.empty())
        return spec.name;
    if (!spec.component.empty())
        return spec.component;
    return spec.stage.empty() ? spec.metric : spec.metric + " (" + spec.stage + ")";
}

/// Returns a series without points, writer and name.
CounterSeries emptySeries(const SeriesSpec& spec)
{
    CounterSeries series;
    series.unit = spec.unit;
    series.metric = spec.metric;
    if (spec.unit == "bytes")
        series.quantity = quantityOf(spec.metric);
    series.since = spec.since;
    series.unitGuessed = spec.unitGuessed;
    series.unitNote = spec.unitNote;
    series.component = spec.component;
    series.stage = spec.stage;
    series.pattern = spec.pattern;
    return series;
}

} // namespace

SpecId SeriesStore::spec(const SeriesSpec& description)
{
    std::string key = description.name;
    for (const std::string* part : {&description.metric, &description.component, &description.stage,
             &description.family, &description.unit})
        (key += '\n') += *part;
    if (const auto found = m_specIds.find(key); found != m_specIds.end())
        return found->second;
    if (m_specs.size() >= kMaxSpecs)
        return static_cast<SpecId>(kMaxSpecs); // an id without a series: its points are dropped
    m_specs.push_back(description);
    const auto id = static_cast<SpecId>(m_specs.size() - 1);
    m_specIds.emplace(std::move(key), id);
    return id;
}

std::uint32_t SeriesStore::interned(Names& names, std::string_view text)
{
    if (text.empty())
        return 0;
    if (const auto found = names.ids.find(std::string(text)); found != names.ids.end())
        return found->second;
    if (names.names.size() > kMaxNames)
        return 0;
    const auto id = static_cast<std::uint32_t>(names.names.size());
    names.names.emplace_back(text);
    names.ids.emplace(names.names.back(), id);
    return id;
}

SeriesStore::StoredSeries* SeriesStore::seriesFor(SpecId spec, const Writer& writer)
{
    const std::int64_t rank = writer.rank.value_or(-1) + 1;
    const std::int64_t device = writer.device.value_or(-1) + 1;
    if (spec >= m_specs.size() || rank < 0 || rank > kMaxRanks || device < 0 || device > kMaxDevices)
        return nullptr;
    const std::uint64_t key = std::uint64_t{spec} << 48 | static_cast<std::uint64_t>(rank) << 26
        | static_cast<std::uint64_t>(device) << 14 | writer.process;
    if (const auto found = m_index.find(key); found != m_index.end())
        return &m_series[found->second];
    if (m_series.size() >= kMaxSeries)
        return nullptr;
    m_index.emplace(key, static_cast<std::uint32_t>(m_series.size()));
    StoredSeries added{spec, emptySeries(m_specs[spec]), {}};
    added.series.rank = writer.rank;
    added.series.deviceOrdinal = writer.device;
    added.series.process = m_processes.names[writer.process];
    m_series.push_back(std::move(added));
    m_seriesBytes += m_series.back().memoryBytes();
    return &m_series.back();
}

void SeriesStore::add(SpecId spec, const Writer& writer, const SeriesPoint& point)
{
    if (!std::isfinite(point.value)
        || (spec < m_specs.size() && m_specs[spec].unit == "bytes" && std::abs(point.value) > kMaxBytes)) {
        ++m_notFinite;
        return;
    }
    StoredSeries* const target = seriesFor(spec, writer);
    if (!target) {
        ++m_leftOut;
        return;
    }
    const std::size_t bytesBefore = target->memoryBytes();
    CounterSeries& series = target->series;
    const std::size_t row = series.value.size();
    const bool isMemory = series.unit == "bytes";
    series.value.push_back(isMemory ? std::round(point.value) : point.value);
    m_memoryPointCount += isMemory ? 1 : 0;
    appendLazily(series.time, row, point.time, Nanoseconds{0});
    appendLazily(series.step, row, point.step, CounterSeries::kNoStep);
    appendLazily(series.epoch, row, point.epoch, -1.0);
    appendLazily(series.line, row, point.line, std::uint64_t{0});
    appendLazily(target->label, row, point.label, std::uint32_t{0});
    series.stepNumbering = std::max(series.stepNumbering, point.stepNumbering);
    m_seriesBytes += target->memoryBytes() - bytesBefore;
    ++m_pointCount;
}

bool SeriesStore::hasMemoryFigures() const
{
    return std::ranges::any_of(m_series, [](const StoredSeries& s) { return s.series.unit == "bytes"; });
}

void SeriesStore::logTo(ImportLog& log) const
{
    if (m_notFinite > 0)
        log.add(Severity::Info, "value-not-finite",
            "a value that is not a finite number, or impossibly large, is ignored", {}, m_notFinite);
    if (m_leftOut > 0)
        log.add(Severity::Warning, "too-many-series",
            "there are too many series; the figures of further series are ignored", {}, m_leftOut);
}

std::size_t SeriesStore::memoryBytes() const
{
    return m_seriesBytes + (m_specs.size() + m_labels.names.size() + m_processes.names.size()) * 256;
}

std::vector<std::string> SeriesStore::finalNames() const
{
    struct Family
    {
        std::string name; ///< empty if there are several
        bool onlyFallback = true;
    };
    std::map<std::string, Family> families; ///< by name; fallbacks are used only if a name has nothing else
    for (const SeriesSpec& spec : m_specs) {
        Family& family = families.try_emplace(nameOf(spec), Family{spec.family, true}).first->second;
        if (spec.isFallback && !family.onlyFallback)
            continue;
        if (family.onlyFallback && !spec.isFallback)
            family = {spec.family, false};
        else if (family.name != spec.family)
            family.name.clear();
    }
    std::vector<std::string> names;
    for (const SeriesSpec& spec : m_specs) {
        const std::string name = nameOf(spec);
        const Family& family = families[name];
        if (spec.isFallback && !family.onlyFallback)
            names.emplace_back();
        else
            names.push_back(family.name == spec.family ? name : name + " [" + spec.family + "]");
    }
    return names;
}

/// Renumbers the labels from the ids of all labels to those of this series.
void SeriesStore::finishLabels(StoredSeries& stored) const
{
    if (stored.label.empty())
        return;
    CounterSeries& series = stored.series;
    std::vector<std::uint32_t> idInSeries(m_labels.names.size(), 0);
    series.labels.emplace_back();
    for (const std::uint32_t label : stored.label)
        if (label != 0 && idInSeries[label] == 0) {
            idInSeries[label] = static_cast<std::uint32_t>(series.labels.size());
            series.labels.push_back(m_labels.names[label]);
        }
    series.label = std::move(stored.label);
    for (std::uint32_t& label : series.label)
        label = idInSeries[label];
}

void SeriesStore::moveTo(TraceBuilder& builder)
{
    const std::vector<std::string> names = finalNames();
    for (StoredSeries& stored : m_series) {
        CounterSeries& series = stored.series;
        series.name = names[stored.spec];
        if (series.name.empty())
            continue;
        completeColumn(stored.label, series.points(), std::uint32_t{0});
        completeColumn(series.time, series.points(), Nanoseconds{0});
        completeColumn(series.step, series.points(), CounterSeries::kNoStep);
        completeColumn(series.epoch, series.points(), -1.0);
        completeColumn(series.line, series.points(), std::uint64_t{0});
        finishLabels(stored);
        builder.addCounter(std::move(series));
    }
    m_series.clear();
    m_index.clear();
    m_seriesBytes = 0;
}

} // namespace highwater::logs
