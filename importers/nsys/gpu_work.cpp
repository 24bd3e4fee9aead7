#include "importers/nsys/gpu_work.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater::nsys {

namespace {

constexpr std::string_view kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::string_view kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr std::string_view kSets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr std::size_t kMaxDevices = 10'000; ///< limit for hostile files

/// Short names for ENUM_CUDA_MEMCPY_OPER.
constexpr std::array<std::string_view, 14> kCopyNames = {"Memcpy", "Memcpy HtoD", "Memcpy DtoH",
    "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA", "Memcpy AtoD", "Memcpy DtoA", "Memcpy DtoD", "Memcpy HtoH",
    "Memcpy PtoP", "Memcpy UVM HtoD", "Memcpy UVM DtoH", "Memcpy UVM DtoD"};

/// The columns that all three tables have, in this order, followed by up to two columns of the table itself.
struct WorkColumn
{
    enum : int
    {
        Start,
        End,
        Device,
        Stream,
        Process,
        FirstOwn,
        SecondOwn
    };
};

class WorkReader
{
public:
    WorkReader(Database& database, Nanoseconds offset, const DeviceMap& devices, TraceBuilder& builder)
        : m_database(database)
        , m_offset(offset)
        , m_devices(devices)
        , m_builder(builder)
        , m_texts(database)
    {
    }

    void addKernels()
    {
        TableScan table(m_database, kKernels,
            {"start", "end", "deviceId", "streamId", "globalPid", "shortName", "demangledName"});
        while (table.next()) {
            const int column
                = table.isNull(WorkColumn::FirstOwn) ? WorkColumn::SecondOwn : WorkColumn::FirstOwn;
            add(table, ActivityKind::Kernel, kernelName(table.integer(column)), 0);
        }
    }

    void addCopies()
    {
        TableScan table(
            m_database, kCopies, {"start", "end", "deviceId", "streamId", "globalPid", "copyKind", "bytes"});
        while (table.next()) {
            const auto kind = static_cast<std::uint64_t>(table.integer(WorkColumn::FirstOwn));
            const std::string_view name = kCopyNames[kind < kCopyNames.size() ? kind : 0];
            add(table, ActivityKind::Copy, m_builder.strings().intern(name),
                table.integer(WorkColumn::SecondOwn));
        }
    }

    void addSets()
    {
        const StringId name = m_builder.strings().intern("Memset");
        TableScan table(m_database, kSets, {"start", "end", "deviceId", "streamId", "globalPid", "bytes"});
        while (table.next())
            add(table, ActivityKind::Set, name, table.integer(WorkColumn::FirstOwn));
    }

private:
    void add(const TableScan& table, ActivityKind kind, StringId name, Bytes bytes)
    {
        if (!table.isInteger(WorkColumn::Start) || !m_database.countMemory(sizeof(Activity)))
            return;
        const DeviceUse use(processOf(table.integer(WorkColumn::Process)), table.integer(WorkColumn::Device));
        Activity activity;
        activity.kind = kind;
        activity.name = name;
        activity.device = static_cast<std::int32_t>(m_devices.ordinalOf(use));
        activity.lane = table.integer(WorkColumn::Stream);
        activity.begin = table.integer(WorkColumn::Start) + m_offset;
        activity.end = std::max(activity.begin, table.integer(WorkColumn::End) + m_offset);
        activity.bytes = std::max<Bytes>(bytes, 0);
        m_builder.addActivity(activity);
    }

    StringId kernelName(std::int64_t id)
    {
        const auto [found, isNew] = m_kernelNames.try_emplace(id);
        if (isNew)
            found.value() = m_builder.strings().intern(m_texts.find(id));
        return found->second;
    }

    Database& m_database;
    Nanoseconds m_offset;
    const DeviceMap& m_devices;
    TraceBuilder& m_builder;
    StringLookup m_texts;
    NumberMap<std::int64_t, StringId> m_kernelNames;
};

} // namespace

void addGpuWork(Database& database, Nanoseconds offset, const DeviceMap& devices, TraceBuilder& builder)
{
    WorkReader reader(database, offset, devices, builder);
    reader.addKernels();
    reader.addCopies();
    reader.addSets();
}

std::set<DeviceUse> devicesOfGpuWork(Database& database)
{
    std::set<DeviceUse> uses;
    for (const std::string_view name : {kKernels, kCopies, kSets}) {
        TableScan table(database, name, {"globalPid", "deviceId"});
        DeviceUse last(0, -1);
        while (uses.size() < kMaxDevices && table.next()) {
            const DeviceUse use(processOf(table.integer(0)), table.integer(1));
            if (use != last && table.isInteger(0) && table.isInteger(1))
                uses.insert(use);
            last = use;
        }
    }
    return uses;
}

std::string contentsText(Database& database)
{
    struct Part
    {
        std::string_view table, one, many;
    };
    constexpr std::array<Part, 5> parts = {{{kKernels, "kernel", "kernels"}, {kCopies, "copy", "copies"},
        {kSets, "memset", "memsets"}, {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUDA call", "CUDA calls"},
        {"NVTX_EVENTS", "NVTX event", "NVTX events"}}};
    std::string text;
    for (const Part& part : parts)
        if (const std::int64_t rowCount = database.likelyRows(part.table); rowCount > 0)
            text += (text.empty() ? "" : ", ") + counted(rowCount, part.one, part.many);
    return text;
}

} // namespace highwater::nsys
