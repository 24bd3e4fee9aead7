#include "importers/nsys/pool_counters.h"

#include <map>

namespace highwater::nsys {

namespace {

/// Sum of one figure over the pools of a device, with its history.
class PoolSum
{
public:
    void set(std::pair<GlobalId, std::uint64_t> pool, std::optional<Bytes> bytes, Nanoseconds time)
    {
        if (!bytes)
            return;
        Bytes& latest = m_latest[pool];
        m_sum += *bytes - latest;
        latest = *bytes;
        addPoint(time);
    }
    void removePool(std::pair<GlobalId, std::uint64_t> pool, Nanoseconds time)
    {
        const auto found = m_latest.find(pool);
        if (found == m_latest.end())
            return;
        m_sum -= found->second;
        m_latest.erase(found);
        addPoint(time);
    }
    void copyTo(CounterSeries& series) const
    {
        series.time = m_times;
        series.value = m_values;
    }
    bool isEmpty() const { return m_values.empty(); }

private:
    void addPoint(Nanoseconds time)
    {
        m_times.push_back(time);
        m_values.push_back(static_cast<double>(m_sum));
    }

    std::map<std::pair<GlobalId, std::uint64_t>, Bytes> m_latest;
    Bytes m_sum = 0;
    std::vector<Nanoseconds> m_times;
    std::vector<double> m_values;
};

struct DevicePools
{
    PoolSum size;
    PoolSum utilized;
};

/// Adds the history of a sum as a counter of the device, if there is any.
void addSeries(const PoolSum& sum, std::string name, const Device& device, TraceBuilder& builder)
{
    if (sum.isEmpty())
        return;
    CounterSeries series;
    series.name = std::move(name);
    series.deviceOrdinal = device.ordinal;
    if (device.process)
        series.process = "pid " + std::to_string(*device.process);
    series.unit = "bytes";
    sum.copyTo(series);
    builder.addCounter(std::move(series));
}

} // namespace

void addPoolCounters(const std::vector<PoolFigure>& figures, const DeviceMap& devices, TraceBuilder& builder)
{
    std::map<DeviceIndex, DevicePools> pools;
    for (const PoolFigure& figure : figures) {
        DevicePools& devicePools = pools[devices.deviceOf({figure.process, figure.device}, builder)];
        const std::pair pool(figure.process, figure.pool);
        if (figure.isGone) {
            devicePools.size.removePool(pool, figure.time);
            devicePools.utilized.removePool(pool, figure.time);
            continue;
        }
        devicePools.size.set(pool, figure.size, figure.time);
        devicePools.utilized.set(pool, figure.utilized, figure.time);
    }
    for (const auto& [index, sums] : pools) {
        const Device device = builder.deviceRow(index);
        addSeries(sums.size, "pool size", device, builder);
        addSeries(sums.utilized, "pool utilized", device, builder);
    }
}

} // namespace highwater::nsys
