#include "importers/nsys/trace_notes.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "importers/nsys/gpu_work.h"
#include "importers/nsys/nvtx_name.h"

namespace highwater::nsys {

namespace {

constexpr std::string_view kHowToRecord = "record again with \"nsys profile "
                                          "--cuda-memory-usage=true\" to see what was allocated";

/// Returns the processes that memory rows and ranges name.
std::set<GlobalId> processesOf(const ReadExport& content)
{
    std::set<GlobalId> processes;
    for (const MemoryRow& row : content.rows)
        processes.insert(row.process);
    for (const NvtxRange& range : content.nvtx.ranges)
        processes.insert(processOf(range.thread));
    return processes;
}

std::string processText(const ReadExport& content, GlobalId process)
{
    const auto found = content.description.processNames.find(process);
    const std::string name = found == content.description.processNames.end() ? "" : " " + found->second;
    return std::to_string(content.devices.processOf(process)) + name;
}

std::string gpuText(const GpuInfo& gpu)
{
    const std::string memory = gpu.totalMemory ? ", " + formatBytes(*gpu.totalMemory) : "";
    return fmt::format("{}: {}{}", gpu.id, gpu.name, memory);
}

/// Joins the texts of at most 64 items with commas.
template <typename Items, typename Text>
std::string joined(const Items& items, Text text)
{
    constexpr std::size_t kMaxItems = 64;
    std::string list;
    std::size_t count = 0;
    for (const auto& item : items) {
        if (++count > kMaxItems)
            return list + ", …";
        list += (list.empty() ? "" : ", ") + text(item);
    }
    return list;
}

void describeProducer(const ReadExport& content, TraceMetadata& metadata)
{
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty())
            metadata.producer.emplace_back(name, text);
    };
    const std::set<GlobalId> processes = processesOf(content);
    add("product", content.description.product);
    add("schema_version", content.description.schemaVersion);
    add("gpus", joined(content.description.gpus, gpuText));
    add("processes", joined(processes, [&](GlobalId process) { return processText(content, process); }));
    if (processes.size() != 1)
        return;
    const auto rank = content.description.ranks.find(*processes.begin());
    if (rank != content.description.ranks.end())
        add("rank", std::to_string(rank->second));
}

std::string reasonForNoRows(const ReadExport& content, const Database& database)
{
    if (database.has("CUDA_GPU_MEMORY_USAGE_EVENTS") && database.problem())
        return "the memory-usage table cannot be read";
    if (content.description.collectsMemory.value_or(false))
        return "the export has no memory events although they were recorded (COLLECT_GPU_MEMORY_USAGE is "
               "true), so nothing was allocated through CUDA";
    const std::string state = database.has("CUDA_GPU_MEMORY_USAGE_EVENTS") ? "is empty" : "is missing";
    const std::string reason = content.description.collectsMemory
        ? ", since COLLECT_GPU_MEMORY_USAGE was false when recording"
        : "";
    return fmt::format("the memory-usage table {}{}; {}", state, reason, kHowToRecord);
}

std::string stepsText(const ReadExport& content, const StringPool& strings)
{
    const std::int64_t stepCount = std::ranges::count_if(
        content.nvtx.ranges, [&](const NvtxRange& range) { return isStepName(strings.view(range.name)); });
    return stepCount > 0 ? fmt::format(
               ", {} of which {}", formatCount(stepCount), stepCount == 1 ? "marks a step" : "mark steps")
                         : std::string();
}

void noteMemory(const ReadExport& content, Database& database, const StringPool& strings, ImportLog& log)
{
    if (!content.rows.empty()) {
        log.add(Severity::Info, "driver-memory",
            "bytes are what the program took from the CUDA driver; nvidia-smi shows more, since contexts, "
            "kernels and libraries take a few hundred MiB that are not recorded");
        return;
    }
    log.add(Severity::Warning, "no-memory-events", reasonForNoRows(content, database));
    if (const std::string contents = contentsText(database); !contents.empty())
        log.add(Severity::Info, "contents", "the export has " + contents + stepsText(content, strings));
}

/// `isWhole` is false if a part of the export could not be read. Missing calls then may have been recorded,
/// so they are not reported.
void noteStacks(const ReadExport& content, bool isWhole, ImportLog& log)
{
    const auto count = [&](auto&& applies) { return std::ranges::count_if(content.rows, applies); };
    if (const std::int64_t rowCount = count([](const MemoryRow& row) { return row.stackFoundByTime; });
        rowCount > 0)
        log.add(Severity::Info, "attributed-by-time",
            "a memory event without a call gets the NVTX ranges of the only thread that had ranges open "
            "at that time",
            {}, rowCount);
    const std::int64_t withoutStack = count([](const MemoryRow& row) { return row.stack.isNone(); });
    if (isWhole && withoutStack > 0 && withoutStack == static_cast<std::int64_t>(content.rows.size()))
        log.add(Severity::Info, "no-stacks",
            "no memory event has a call; record with --trace=cuda,nvtx and --cudabacktrace=memory to see who "
            "allocates");
}

void noteRefusals(const ReadExport& content, TraceBuilder& builder)
{
    if (content.refused.empty())
        return;
    const RefusedCall& first = *std::ranges::min_element(content.refused, {}, &RefusedCall::time);
    std::string whenFirst;
    if (!content.rows.empty())
        whenFirst = first.time >= content.rows.front().time
            ? fmt::format(
                ", first {} after the first memory event", formatDuration(first.time - content.rows[0].time))
            : ", first before the first memory event";
    builder.log().add(Severity::Warning, "out-of-memory",
        fmt::format(
            "the driver answered {} with \"out of memory\"{}", builder.strings().view(first.name), whenFirst),
        {}, static_cast<std::int64_t>(content.refused.size()));
}

/// NVTX counters may hold memory by scope, but the export does not state their units.
void noteCounters(const Database& database, ImportLog& log)
{
    const std::int64_t counterCount = std::ranges::count_if(database.tables(),
        [](const auto& table) { return table.first.starts_with("NVTX_COUNTER_SAMPLES_"); });
    if (counterCount > 0)
        log.add(Severity::Info, "nvtx-counters", "the export has NVTX counters, which are not read", {},
            counterCount);
}

void noteClock(const ExportDescription& description, ImportLog& log)
{
    if (description.userTimeShift)
        log.add(Severity::Warning, "times-shifted",
            fmt::format(
                "times were shifted by {} when exporting, so they cannot be aligned with other recordings",
                formatDuration(*description.userTimeShift)));
    else if (description.clock == Clock::Own)
        log.add(Severity::Info, "no-epoch",
            "the export has no date, so its times count from the start of the recording");
}

} // namespace

void describeTrace(const ReadExport& content, Database& database, TraceBuilder& builder)
{
    TraceMetadata& metadata = builder.metadata();
    metadata.kind = TraceKind::NsysExport;
    metadata.clock = content.description.clock;
    metadata.hasHistory = !content.rows.empty();
    describeProducer(content, metadata);
    noteMemory(content, database, builder.strings(), builder.log());
    noteStacks(content, !database.problem(), builder.log());
    noteRefusals(content, builder);
    noteCounters(database, builder.log());
    noteClock(content.description, builder.log());
    for (const std::string& loss : content.description.losses)
        builder.log().add(
            Severity::Warning, "recorder-lost-events", "the recorder lost data: " + sanitizedText(loss));
    if (content.nvtx.leftOutOperatorCount > 0)
        builder.log().add(Severity::Info, "operators-left-out",
            "ranges of operators are omitted, since there are too many to show", {},
            content.nvtx.leftOutOperatorCount);
}

} // namespace highwater::nsys
