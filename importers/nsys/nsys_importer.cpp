#include "importers/nsys/nsys_importer.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/conclude_import.h"
#include "importers/nsys/call_chains.h"
#include "importers/nsys/database_file.h"
#include "importers/nsys/event_rows.h"
#include "importers/nsys/gpu_work.h"
#include "importers/nsys/memory_rows.h"
#include "importers/nsys/nvtx_ranges.h"
#include "importers/nsys/pool_counters.h"
#include "importers/nsys/row_stacks.h"
#include "importers/nsys/runtime_calls.h"
#include "importers/nsys/trace_notes.h"

namespace highwater {

namespace {

using namespace nsys;

/// Opens a complete file in place, and other content in memory.
Result<std::unique_ptr<Database>> openDatabase(ByteSource& source, const ImportOptions& options)
{
    if (isCompleteFile(options.plainFilePath)) {
        if (Result<void> atRest = checkNotBeingWritten(options.plainFilePath); !atRest)
            return tl::unexpected<Error>(atRest.error());
        return Database::openFile(options.plainFilePath, options);
    }
    std::optional<Error> missing;
    Result<std::string> content = readContent(source, options.maxMemoryBytes, missing);
    if (!content)
        return tl::unexpected<Error>(content.error());
    return Database::openBytes(std::move(*content), std::move(missing), options);
}

/// True if the name of a table begins with `start`.
bool hasTable(const Database& database, std::string_view start)
{
    return std::any_of(database.tables().begin(), database.tables().end(),
        [&](const auto& table) { return table.first.starts_with(start); });
}

/// Returns the reason why Nsight Systems did not write this database, or nothing if it did.
std::optional<Error> reasonToRefuse(const Database& database)
{
    if (database.has("META_DATA_EXPORT") || database.has("EXPORT_META_DATA")
        || (database.has("StringIds") && hasTable(database, "TARGET_INFO_")))
        return std::nullopt;
    const bool isFromProfiler = database.has("StringTable") || hasTable(database, "CUPTI_ACTIVITY_KIND_");
    if (isFromProfiler)
        return Error{ErrorCode::UnknownFormat,
            "is a database of nvprof or the Visual Profiler, which do not record memory; use Nsight Systems",
            std::nullopt};
    // A file that was cut off may lack exactly the tables that would identify it.
    return database.problem().value_or(Error{ErrorCode::UnknownFormat,
        "is an SQLite database, but not an export of Nsight Systems", std::nullopt});
}

class Importer
{
public:
    Importer(Database& database, const ImportOptions& options)
        : m_database(database)
        , m_readsGpuWork(options.activities)
        , m_description(describeExport(database))
    {
        for (const std::string_view table :
            {"CUDA_GPU_MEMORY_USAGE_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"})
            database.expectRows(database.likelyRows(table));
    }

    void addWarning(std::string_view code, std::string_view message)
    {
        m_builder.log().add(Severity::Warning, code, message);
    }

    std::shared_ptr<const Trace> importAll()
    {
        const Nanoseconds offset = m_description.offset;
        std::vector<MemoryRow> rows = readMemoryRows(m_database, offset, m_builder);
        RuntimeCalls calls = readRuntimeCalls(m_database, offset, m_readsGpuWork, rows, m_builder);
        const CallChains chains = readCallChains(m_database, calls.calls, m_builder);
        NvtxRanges nvtx = readNvtxRanges(m_database, offset, rows, m_builder.strings());
        attributeStacks(rows, calls.calls, chains, nvtx.ranges, m_builder);
        const DeviceMap devices(m_description, usesOf(rows));
        m_database.countMemory(rows.size() * kBytesPerEvent);
        addMemoryEvents(rows, devices, m_builder);
        addPoolCounters(readPoolFigures(m_database, offset, rows), devices, m_builder);
        addSpans(nvtx, devices, rows.empty());
        if (m_readsGpuWork)
            addGpuWork(m_database, offset, devices, m_builder);
        m_builder.metadata().operatorCount = nvtx.operatorCount;
        describeTrace({m_description, rows, nvtx, calls.refused, devices}, m_database, m_builder);
        if (m_database.problem())
            m_builder.markCutOff();
        return m_builder.finish();
    }

private:
    /// Bytes for an event in the trace, and for its entries in the maps that place it.
    static constexpr std::size_t kBytesPerEvent = 250;

    /// Returns the devices that the memory rows name. Without memory rows, returns the devices of kernels,
    /// copies and memsets.
    std::set<DeviceUse> usesOf(const std::vector<MemoryRow>& rows)
    {
        std::set<DeviceUse> uses;
        for (const MemoryRow& row : rows)
            if (!isOfHost(row.kind))
                uses.emplace(row.process, row.device);
        return rows.empty() ? devicesOfGpuWork(m_database) : uses;
    }

    /// A range belongs to its process's device if the process uses only one, otherwise to all devices.
    void addSpans(const NvtxRanges& nvtx, const DeviceMap& devices, bool withOperators)
    {
        const bool isOneProcess = areOfOneProcess(nvtx.ranges);
        for (const NvtxRange& range : nvtx.ranges) {
            if (range.isOperator && !withOperators)
                continue;
            const GlobalId process = processOf(range.thread);
            Span span;
            const bool isStep = m_builder.strings().view(range.name).starts_with("ProfilerStep#");
            span.kind = range.isOperator ? SpanKind::Operator
                : isStep                 ? SpanKind::ProfilerStep
                                         : SpanKind::Annotation;
            span.name = range.name;
            span.deviceOrdinal = devices.onlyOrdinalOf(process).value_or(Span::kAllDevices);
            span.process = isOneProcess ? Span::kAnyProcess : devices.processOf(process);
            span.begin = range.begin;
            span.end = range.end;
            span.endMissing = range.isOpen;
            m_builder.addSpan(span);
        }
    }

    static bool areOfOneProcess(const std::vector<NvtxRange>& ranges)
    {
        return std::ranges::all_of(ranges, [&](const NvtxRange& range) {
            return processOf(range.thread) == processOf(ranges.front().thread);
        });
    }

    Database& m_database;
    bool m_readsGpuWork;
    ExportDescription m_description;
    TraceBuilder m_builder;
};

} // namespace

bool sniffNsys(std::string_view prefix)
{
    return prefix.starts_with(kMagic);
}

bool sniffNsysReport(std::string_view prefix)
{
    constexpr std::size_t kHeadBytes = 64;
    const std::string_view head = prefix.substr(0, kHeadBytes);
    return head.starts_with("NVIDIA Tegra Profiler Report")
        || head.starts_with("NVIDIA Nsight Systems Report")
        || contains(head, "[END]NVIDIA Nsight Systems Stream");
}

Result<ImportedTrace> importNsys(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    if (options.stop.stopRequested())
        return fail(ErrorCode::Cancelled, "cancelled");
    Result<std::unique_ptr<Database>> database = openDatabase(*source, options);
    if (!database)
        return tl::unexpected<Error>(database.error());
    source.reset();
    if (const std::optional<Error> refusal = reasonToRefuse(**database))
        return tl::unexpected<Error>(*refusal);
    Importer importer(**database, options);
    if (!options.plainFilePath.empty() && hasWriteAheadLog(options.plainFilePath))
        importer.addWarning(
            "changes-beside", "changes that are still in the -wal file next to this file are not shown");
    const std::shared_ptr<const Trace> trace = importer.importAll();
    const bool isEmpty = trace->events.rows() == 0 && trace->spans.empty() && trace->activities.rows() == 0;
    return concludeImport((*database)->problem(), isEmpty, [&] { return trace; });
}

} // namespace highwater
