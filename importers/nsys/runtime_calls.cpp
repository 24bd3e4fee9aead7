#include "importers/nsys/runtime_calls.h"

#include <algorithm>
#include <array>

#include "core/base/characters.h"
#include "core/base/hash.h"

namespace highwater::nsys {

namespace {

constexpr std::string_view kRuntimeTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
/// The value of both cudaErrorMemoryAllocation and CUDA_ERROR_OUT_OF_MEMORY.
constexpr std::int64_t kOutOfMemory = 2;
constexpr std::size_t kMaxRefusals = 100'000;

using CallKey = std::pair<GlobalId, std::int64_t>; ///< process and correlation

struct ApiName
{
    StringId name;
    bool isMemoryCall = false;
};

struct CallColumn
{
    enum : int
    {
        Start,
        End,
        Thread,
        Correlation,
        Name,
        Returned,
        CallChain
    };
};

class CallReader
{
public:
    CallReader(Database& database, Nanoseconds offset, std::vector<MemoryRow>& rows, TraceBuilder& builder)
        : m_database(database)
        , m_offset(offset)
        , m_builder(builder)
        , m_texts(database)
    {
        for (const MemoryRow& row : rows)
            if (row.correlation != 0)
                m_neededCalls.try_emplace({row.process, row.correlation}, -1);
    }

    RuntimeCalls readCalls(bool keepAll, std::vector<MemoryRow>& rows)
    {
        TableScan table(m_database, kRuntimeTable,
            {"start", "end", "globalTid", "correlationId", "nameId", "returnValue", "callchainId"});
        while (table.next()) {
            const ApiName& api = apiName(table.integer(CallColumn::Name));
            if (api.isMemoryCall || keepAll)
                addActivity(table, api);
            if (api.isMemoryCall && table.integer(CallColumn::Returned) == kOutOfMemory
                && m_calls.refused.size() < kMaxRefusals)
                m_calls.refused.push_back({api.name, table.integer(CallColumn::Start) + m_offset});
            keepIfNeeded(table, api);
        }
        for (MemoryRow& row : rows)
            if (const auto found = m_neededCalls.find({row.process, row.correlation});
                found != m_neededCalls.end())
                row.call = found->second;
        return std::move(m_calls);
    }

private:
    const ApiName& apiName(std::int64_t id)
    {
        const auto [found, isNew] = m_names.try_emplace(id);
        if (isNew) {
            const std::string text = m_texts.find(id);
            const std::string_view name = withoutVersion(text);
            found.value() = {m_builder.strings().intern(name), isMemoryCall(name)};
        }
        return found->second;
    }

    void addActivity(const TableScan& table, const ApiName& api)
    {
        Activity activity;
        activity.kind = ActivityKind::RuntimeCall;
        activity.name = api.name;
        activity.lane = threadNumber(table.integer(CallColumn::Thread));
        activity.begin = table.integer(CallColumn::Start) + m_offset;
        activity.end = std::max(activity.begin, table.integer(CallColumn::End) + m_offset);
        if (m_database.countMemory(sizeof(Activity)))
            m_builder.addActivity(activity);
    }

    void keepIfNeeded(const TableScan& table, const ApiName& api)
    {
        if (m_neededCalls.empty())
            return;
        const GlobalId thread = table.integer(CallColumn::Thread);
        const auto found = m_neededCalls.find({processOf(thread), table.integer(CallColumn::Correlation)});
        if (found == m_neededCalls.end() || found->second >= 0)
            return;
        found.value() = static_cast<std::int32_t>(m_calls.calls.size());
        m_calls.calls.push_back({api.name, thread, table.integer(CallColumn::CallChain)});
    }

    Database& m_database;
    Nanoseconds m_offset;
    TraceBuilder& m_builder;
    StringLookup m_texts;
    NumberMap<std::int64_t, ApiName> m_names;
    NumberMap<CallKey, std::int32_t> m_neededCalls; ///< index of the needed call; −1 until it is found
    RuntimeCalls m_calls;
};

} // namespace

std::string_view withoutVersion(std::string_view apiName)
{
    constexpr std::size_t fewestDigits = 4;
    const std::size_t suffix = apiName.rfind("_v");
    if (suffix == std::string_view::npos)
        return apiName;
    const std::string_view number = apiName.substr(suffix + 2);
    const bool isVersion = number.size() >= fewestDigits && std::ranges::all_of(number, isDigit);
    return isVersion ? apiName.substr(0, suffix) : apiName;
}

bool isMemoryCall(std::string_view apiName)
{
    static constexpr std::array<std::string_view, 14> prefixes
        = {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaHostRegister", "cudaHostUnregister",
            "cudaMemPoolTrimTo", "cuMemAlloc", "cuMemFree", "cuMemHostAlloc", "cuMemHostRegister",
            "cuMemHostUnregister", "cuMemCreate", "cuMemRelease", "cuMemPoolTrimTo"};
    return std::ranges::any_of(
        prefixes, [apiName](std::string_view prefix) { return apiName.starts_with(prefix); });
}

RuntimeCalls readRuntimeCalls(
    Database& database, Nanoseconds offset, bool keepAll, std::vector<MemoryRow>& rows, TraceBuilder& builder)
{
    database.countMemory(rows.size() * 48); // the map of the needed calls
    return CallReader(database, offset, rows, builder).readCalls(keepAll, rows);
}

} // namespace highwater::nsys
