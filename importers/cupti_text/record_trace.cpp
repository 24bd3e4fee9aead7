#include "importers/cupti_text/record_trace.h"

#include <algorithm>
#include <set>

#include "importers/nsys/device_map.h"
#include "importers/nsys/event_rows.h"
#include "importers/nsys/pool_counters.h"

namespace highwater::cupti_text {

namespace {

/// Times from this on are nanoseconds since 1970. Smaller times come from CUPTI's own clock, which starts
/// with the machine.
constexpr Nanoseconds kEarliestUnixTime = 1'000'000'000'000'000'000; // September 2001

/// Returns the process's id in the form of an Nsight Systems export.
nsys::GlobalId globalIdOf(std::int64_t process)
{
    return (process & 0xFFFFFF) << 24;
}

/// Returns false if the items were in order already.
template <typename Items>
bool sortByTime(Items& items)
{
    const auto earlier = [](const auto& a, const auto& b) { return a.time < b.time; };
    if (std::ranges::is_sorted(items, earlier))
        return false;
    std::ranges::stable_sort(items, earlier);
    return true;
}

/// Converts the numbers to the form that the importer of Nsight Systems exports uses.
void convertToNsysForm(RecordList& list)
{
    for (nsys::PoolFigure& pool : list.pools)
        pool.process = globalIdOf(pool.process);
    for (nsys::MemoryRow& row : list.rows) {
        row.process = globalIdOf(row.process);
        row.hasStream = row.hasStream && row.stream != kInvalidNumber;
        if (row.poolSize || row.poolUtilized)
            list.pools.push_back(
                {row.time, row.process, row.device, row.pool, row.poolSize, row.poolUtilized, false});
    }
}

/// Returns the devices that records name, not counting those of host memory.
std::set<nsys::DeviceUse> devicesOf(const RecordList& list)
{
    std::set<nsys::DeviceUse> uses;
    for (const nsys::MemoryRow& row : list.rows)
        if (!nsys::isOfHost(row.kind))
            uses.emplace(row.process, row.device);
    for (const nsys::PoolFigure& pool : list.pools)
        uses.emplace(pool.process, pool.device);
    return uses;
}

/// Describes the devices. The sample prints the name of the one device that it uses.
nsys::ExportDescription descriptionOf(const RecordList& list, const std::set<nsys::DeviceUse>& uses)
{
    nsys::ExportDescription description;
    std::set<std::int64_t> ordinals;
    for (const nsys::DeviceUse& use : uses)
        ordinals.insert(use.second);
    if (!list.deviceName.empty() && ordinals.size() == 1)
        description.gpus.push_back({*ordinals.begin(), list.deviceName, {}, {}});
    return description;
}

/// Reports what was lost or changed while reading.
void noteReading(const RecordList& list, bool wasSorted, ImportLog& log)
{
    if (list.unreadable > 0)
        log.add(Severity::Warning, "record-unreadable",
            "a record without a usable time, operation, address or size is ignored", list.firstUnreadable,
            list.unreadable);
    if (list.dropped > 0)
        log.add(Severity::Warning, "recorder-lost-events",
            "the recorder lost records, so some allocations and frees are missing", {}, list.dropped);
    if (wasSorted)
        log.add(Severity::Info, "sorted-by-time", "records were not in time order and have been sorted");
    if (list.numbersWereSwapped)
        log.add(Severity::Info, "numbers-put-right",
            "process, correlation and stream were swapped, as the sample of CUDA 12.4 prints them, and have "
            "been corrected");
}

/// Explains what the figures cover.
void noteMeaning(const RecordList& list, std::size_t processCount, ImportLog& log)
{
    log.add(Severity::Info, "driver-memory",
        "bytes are what the program took from the CUDA driver; contexts, kernels and libraries take more "
        "that is not recorded");
    const std::int64_t poolRows
        = std::ranges::count_if(list.rows, [](const nsys::MemoryRow& row) { return row.pool != 0; });
    if (poolRows > 0)
        log.add(Severity::Info, "from-pools",
            "asynchronous allocations count with their own bytes; the counters have the sizes of the pools",
            {}, poolRows);
    if (processCount > 1)
        log.add(Severity::Info, "several-processes",
            "the records are of several processes, which are kept apart since they may number GPUs "
            "differently",
            {}, static_cast<std::int64_t>(processCount));
}

std::size_t countProcesses(const RecordList& list)
{
    std::set<nsys::GlobalId> processes;
    for (const nsys::MemoryRow& row : list.rows)
        processes.insert(row.process);
    return processes.size();
}

void fillMetadata(const RecordList& list, TraceMetadata& metadata)
{
    metadata.kind = TraceKind::CuptiText;
    metadata.hasHistory = !list.rows.empty();
    metadata.producer.emplace_back("form", list.form);
    if (!list.deviceName.empty())
        metadata.producer.emplace_back("device_name", list.deviceName);
    const bool isUnix = !list.rows.empty() && list.rows.front().time >= kEarliestUnixTime;
    metadata.clock = isUnix ? Clock::Unix : Clock::Own;
}

} // namespace

void fillTrace(RecordList list, TraceBuilder& builder)
{
    const bool wasSorted = sortByTime(list.rows);
    convertToNsysForm(list);
    sortByTime(list.pools);
    fillMetadata(list, builder.metadata());
    noteReading(list, wasSorted, builder.log());
    noteMeaning(list, countProcesses(list), builder.log());
    const std::set<nsys::DeviceUse> uses = devicesOf(list);
    const nsys::ExportDescription description = descriptionOf(list, uses);
    const nsys::DeviceMap devices(description, uses);
    nsys::addMemoryEvents(list.rows, devices, builder);
    nsys::addPoolCounters(list.pools, devices, builder);
}

} // namespace highwater::cupti_text
