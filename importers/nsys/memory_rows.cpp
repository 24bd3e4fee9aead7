#include "importers/nsys/memory_rows.h"

#include <algorithm>
#include <array>

#include "core/base/text_parts.h"

namespace highwater::nsys {

namespace {

constexpr std::string_view kUsageTable = "CUDA_GPU_MEMORY_USAGE_EVENTS";

constexpr std::array<std::string_view, 8> kKindNames
    = {"pageable", "pinned", "device", "array", "managed", "device static", "managed static", "unknown"};

MemoryKind kindFromNumber(std::int64_t number)
{
    const auto last = static_cast<std::int64_t>(MemoryKind::Unknown);
    return number >= 0 && number < last ? static_cast<MemoryKind>(number) : MemoryKind::Unknown;
}

/// Meaning of the numbers for operations and memory kinds: from the file's own enum tables, else as in known
/// versions.
class Numbering
{
public:
    explicit Numbering(Database& database)
        : m_operations(enumLabels(database, "ENUM_CUDA_DEV_MEM_EVENT_OPER"))
    {
        for (const auto& [number, label] : enumLabels(database, "ENUM_CUDA_MEM_KIND"))
            if (const auto kind = valueNamed<MemoryKind>(kKindNames, label))
                m_kinds.emplace(number, *kind);
    }

    MemoryKind kind(std::int64_t number) const
    {
        const auto found = m_kinds.find(number);
        return found == m_kinds.end() ? kindFromNumber(number) : found->second;
    }

    /// Returns true for a deallocation, false for an allocation, nullopt for other operations. Compares the
    /// beginning of the label ("Allocation"), since all symbolic names begin with "CUDA_DEV_MEM_EVENT_OPR_".
    std::optional<bool> isFree(std::int64_t number) const
    {
        if (const auto found = m_operations.find(number); found != m_operations.end()) {
            if (found->second.starts_with("dealloc") || found->second.starts_with("free"))
                return true;
            if (found->second.starts_with("alloc"))
                return false;
        }
        return number == 0 || number == 1 ? std::optional(number == 1) : std::nullopt;
    }

private:
    std::map<std::int64_t, std::string> m_operations;
    std::map<std::int64_t, MemoryKind> m_kinds;
};

/// Columns in the order in which `readMemoryRows` requests them.
struct MemoryColumn
{
    enum : int
    {
        Start,
        Process,
        Device,
        Context,
        Address,
        Bytes,
        Kind,
        Operation,
        Name,
        Correlation,
        Stream,
        LocalPool,
        LocalPoolSize,
        LocalPoolUtilized,
        ImportedPool
    };
};

/// Returns a size; nothing if it is missing, negative or implausible.
std::optional<Bytes> bytesIn(const TableScan& table, int column)
{
    const std::optional<Bytes> bytes = table.optionalInteger(column);
    return bytes && *bytes >= 0 && *bytes <= kLargestStoredSize ? bytes : std::nullopt;
}

/// True if the row has a time, an address and a plausible size.
bool isUsable(const TableScan& table)
{
    return table.isInteger(MemoryColumn::Start) && table.isInteger(MemoryColumn::Address)
        && bytesIn(table, MemoryColumn::Bytes);
}

MemoryRow rowOf(const TableScan& table, const Numbering& numbering, Nanoseconds offset)
{
    MemoryRow row;
    row.time = table.integer(MemoryColumn::Start) + offset;
    row.process = processOf(table.integer(MemoryColumn::Process));
    row.device = table.integer(MemoryColumn::Device);
    row.context = table.integer(MemoryColumn::Context);
    row.address = static_cast<Address>(table.integer(MemoryColumn::Address));
    row.bytes = table.integer(MemoryColumn::Bytes);
    row.kind = table.isNull(MemoryColumn::Kind) ? MemoryKind::Device
                                                : numbering.kind(table.integer(MemoryColumn::Kind));
    row.correlation = table.integer(MemoryColumn::Correlation);
    row.hasStream = table.isInteger(MemoryColumn::Stream);
    row.stream = table.integer(MemoryColumn::Stream);
    const std::int64_t localPool = table.integer(MemoryColumn::LocalPool);
    row.pool
        = static_cast<std::uint64_t>(localPool != 0 ? localPool : table.integer(MemoryColumn::ImportedPool));
    row.poolSize = bytesIn(table, MemoryColumn::LocalPoolSize);
    row.poolUtilized = bytesIn(table, MemoryColumn::LocalPoolUtilized);
    return row;
}

} // namespace

std::string_view toText(MemoryKind kind)
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::vector<MemoryRow> readMemoryRows(Database& database, Nanoseconds offset, TraceBuilder& builder)
{
    const Numbering numbering(database);
    std::vector<MemoryRow> rows;
    std::int64_t unreadable = 0;
    TableScan table(database, kUsageTable,
        {"start", "globalPid", "deviceId", "contextId", "address", "bytes", "memKind", "memoryOperationType",
            "name", "correlationId", "streamId", "localMemoryPoolAddress", "localMemoryPoolSize",
            "localMemoryPoolUtilizedSize", "importedMemoryPoolAddress"});
    while (database.countMemory(sizeof(MemoryRow)) && table.next()) {
        const std::optional<bool> isFree = numbering.isFree(table.integer(MemoryColumn::Operation));
        if (!isFree || !table.isInteger(MemoryColumn::Operation) || !isUsable(table)) {
            ++unreadable;
            continue;
        }
        rows.push_back(rowOf(table, numbering, offset));
        rows.back().isFree = *isFree;
        if (const std::string_view name = table.text(MemoryColumn::Name); !name.empty())
            rows.back().variable = builder.strings().intern(name);
    }
    if (unreadable > 0)
        builder.log().add(Severity::Warning, "event-unreadable",
            "a row of the memory-usage table without a usable time, address, size or operation is ignored",
            {}, unreadable);
    std::ranges::stable_sort(rows, {}, &MemoryRow::time);
    return rows;
}

std::vector<PoolFigure> readPoolFigures(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows)
{
    constexpr std::int64_t kDestroyed = 2; // ENUM_CUDA_MEMPOOL_OPER
    std::vector<PoolFigure> figures;
    for (const MemoryRow& row : rows)
        if (row.poolSize || row.poolUtilized)
            figures.push_back(
                {row.time, row.process, row.device, row.pool, row.poolSize, row.poolUtilized, false});
    database.countMemory(figures.size() * sizeof(PoolFigure));
    TableScan table(database, "CUDA_GPU_MEMORY_POOL_EVENTS",
        {"start", "globalPid", "deviceId", "address", "operationType", "localMemoryPoolSize",
            "localMemoryPoolUtilizedSize"});
    while (database.countMemory(sizeof(PoolFigure)) && table.next())
        if (table.isInteger(0))
            figures.push_back({table.integer(0) + offset, processOf(table.integer(1)), table.integer(2),
                static_cast<std::uint64_t>(table.integer(3)), bytesIn(table, 5), bytesIn(table, 6),
                table.integer(4) == kDestroyed});
    std::ranges::stable_sort(figures, {}, &PoolFigure::time);
    return figures;
}

} // namespace highwater::nsys
