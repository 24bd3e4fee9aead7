#include "importers/nsys/export_description.h"

#include <array>
#include <charconv>

#include "core/base/text_parts.h"

namespace highwater::nsys {

namespace {

constexpr std::size_t kMaxRows = 100'000; ///< limit for tables that normally have a few rows

/// Returns the number at the beginning of the text; 0 if there is none.
std::int64_t numberOf(std::string_view text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Returns the name of the table that describes the export; NVIDIA's guide and program name it differently.
std::string_view descriptionTable(const Database& database)
{
    return database.has("META_DATA_EXPORT") ? "META_DATA_EXPORT" : "EXPORT_META_DATA";
}

/// Reads only entries that are known to be harmless: others contain host names, user names and environments.
std::int64_t readExportEntries(Database& database, ExportDescription& description)
{
    std::string version;
    std::int64_t shift = 0;
    TableScan entries(database, descriptionTable(database), {"name", "value"});
    while (entries.next()) {
        const std::string name(entries.text(0));
        if (name == "EXPORT_PRODUCT_NAME")
            description.product = entries.text(1);
        else if (name == "EXPORT_PRODUCT_VERSION")
            version = entries.text(1);
        else if (name == "EXPORT_SCHEMA_VERSION")
            description.schemaVersion = entries.text(1);
        else if (name == "EXPORT_CONFIG_TIME_SHIFT")
            shift = numberOf(entries.text(1));
    }
    if (!version.empty())
        description.product += (description.product.empty() ? "" : " ") + version;
    return shift;
}

/// Reads the clock. Times count from the start of the session, unless the export made them absolute.
void readClock(Database& database, std::int64_t shift, ExportDescription& description)
{
    TableScan start(database, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"});
    const std::int64_t epoch = start.next() ? start.integer(0) : 0;
    if (epoch > 0 && (shift == 0 || shift == epoch))
        description.clock = Clock::Unix;
    if (description.clock == Clock::Unix && shift == 0)
        description.offset = epoch;
    if (description.clock == Clock::Own && shift != 0)
        description.userTimeShift = shift;
}

/// Reads all names, but only the needed values, because some values are complete environments.
void readCaptureEntries(Database& database, ExportDescription& description)
{
    TableScan entries(database, "META_DATA_CAPTURE", {"name", "value"});
    while (entries.next()) {
        const std::string_view name = entries.text(0);
        if (name != "COLLECT_GPU_MEMORY_USAGE" && !name.ends_with(":COLLECT_GPU_MEMORY_USAGE"))
            continue;
        const bool collects = lowered(entries.text(1)) == "true";
        description.collectsMemory = collects || description.collectsMemory.value_or(false);
    }
}

void readGpus(Database& database, ExportDescription& description)
{
    TableScan gpus(database, "TARGET_INFO_GPU", {"id", "name", "totalMemory", "cuDevice"});
    while (description.gpus.size() < kMaxRows && gpus.next()) {
        GpuInfo gpu{
            gpus.integer(0), std::string(gpus.text(1)), gpus.optionalInteger(2), gpus.optionalInteger(3)};
        if (gpu.totalMemory && *gpu.totalMemory <= 0)
            gpu.totalMemory.reset();
        description.gpus.push_back(std::move(gpu));
    }
    TableScan devices(database, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
    while (description.cudaDevices.size() < kMaxRows && devices.next())
        description.cudaDevices.push_back({devices.integer(0), devices.integer(1), devices.integer(2)});
}

void readProcesses(Database& database, ExportDescription& description)
{
    TableScan processes(database, "PROCESSES", {"globalPid", "name"});
    while (description.processNames.size() < kMaxRows && processes.next())
        description.processNames.emplace(processes.integer(0), processes.text(1));
    TableScan ranks(database, "MPI_RANKS", {"globalTid", "rank"});
    while (description.ranks.size() < kMaxRows && ranks.next())
        description.ranks.emplace(processOf(ranks.integer(0)), ranks.integer(1));
}

/// Keeps the diagnostics that report lost data.
void readLosses(Database& database, ExportDescription& description)
{
    static constexpr std::array<std::string_view, 4> words = {"dropped", "lost", "overflow", "not all"};
    TableScan diagnostics(database, "DIAGNOSTIC_EVENT", {"text"});
    while (description.losses.size() < kMaxRows && diagnostics.next()) {
        const std::string text = lowered(diagnostics.text(0));
        if (containsAny(text, words))
            description.losses.emplace_back(diagnostics.text(0));
    }
}

} // namespace

ExportDescription describeExport(Database& database)
{
    ExportDescription description;
    const std::int64_t shift = readExportEntries(database, description);
    readClock(database, shift, description);
    readCaptureEntries(database, description);
    readGpus(database, description);
    readProcesses(database, description);
    readLosses(database, description);
    return description;
}

std::map<std::int64_t, std::string> enumLabels(Database& database, std::string_view table)
{
    std::map<std::int64_t, std::string> labels;
    TableScan rows(database, table, {"id", "label"});
    while (labels.size() < kMaxRows && rows.next())
        if (const std::string_view label = rows.text(1); !label.empty())
            labels.emplace(rows.integer(0), lowered(label));
    return labels;
}

} // namespace highwater::nsys
