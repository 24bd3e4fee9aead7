#include "importers/nsys/trace_notes.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "importers/nsys/gpu_work.h"
#include "importers/nsys/nvtx_name.h"

namespace highwater::nsys {

namespace {

constexpr std::string_view kHowToRecord = "record again with \"nsys profile --trace=cuda,nvtx "
                                          "--cuda-memory-usage=true\" to see what was allocated";

std::set<GlobalId> processesOf(const ReadExport& read)
{
    std::set<GlobalId> processes;
    for (const MemoryRow& row : read.rows)
        processes.insert(row.process);
    for (const NvtxRange& range : read.nvtx.ranges)
        processes.insert(processOf(range.thread));
    return processes;
}

std::string processText(const ReadExport& read, GlobalId process)
{
    const auto found = read.description.processNames.find(process);
    const std::string name = found == read.description.processNames.end() ? "" : " " + found->second;
    return std::to_string(read.devices.processOf(process)) + name;
}

std::string gpuText(const GpuInfo& gpu)
{
    const std::string memory = gpu.totalMemory ? ", " + formatBytes(*gpu.totalMemory) : "";
    return fmt::format("{}: {}{}", gpu.id, gpu.name, memory);
}

template <typename Items, typename Text>
std::string joined(const Items& items, Text text)
{
    constexpr std::size_t most = 64;
    std::string all;
    std::size_t count = 0;
    for (const auto& item : items) {
        if (++count > most)
            return all + ", …";
        all += (all.empty() ? "" : ", ") + text(item);
    }
    return all;
}

void describeProducer(const ReadExport& read, TraceMetadata& metadata)
{
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty())
            metadata.producer.emplace_back(name, text);
    };
    const std::set<GlobalId> processes = processesOf(read);
    add("product", read.description.product);
    add("schema_version", read.description.schemaVersion);
    add("gpus", joined(read.description.gpus, gpuText));
    add("processes", joined(processes, [&](GlobalId process) { return processText(read, process); }));
    if (processes.size() != 1)
        return;
    const auto rank = read.description.ranks.find(*processes.begin());
    if (rank != read.description.ranks.end())
        add("rank", std::to_string(rank->second));
}

std::string reasonForNoRows(const ReadExport& read, const Database& database)
{
    if (database.has("CUDA_GPU_MEMORY_USAGE_EVENTS") && database.problem())
        return "the memory-usage table cannot be read";
    if (read.description.collectsMemory.value_or(false))
        return "the export has no memory events although they were recorded (COLLECT_GPU_MEMORY_USAGE is "
               "true), so nothing was allocated through CUDA";
    const std::string state = database.has("CUDA_GPU_MEMORY_USAGE_EVENTS") ? "is empty" : "is missing";
    const std::string why
        = read.description.collectsMemory ? ", since COLLECT_GPU_MEMORY_USAGE was false when recording" : "";
    return fmt::format("the memory-usage table {}{}; {}", state, why, kHowToRecord);
}

std::string stepsText(const ReadExport& read, const StringPool& strings)
{
    const std::int64_t steps = std::ranges::count_if(
        read.nvtx.ranges, [&](const NvtxRange& range) { return isStepName(strings.view(range.name)); });
    return steps > 0 ? fmt::format(", {} of which mark steps", formatCount(steps)) : std::string();
}

void noteMemory(const ReadExport& read, Database& database, const StringPool& strings, ImportLog& log)
{
    if (!read.rows.empty()) {
        log.add(Severity::Info, "driver-memory",
            "bytes are what the program took from the CUDA driver; nvidia-smi shows more, since contexts, "
            "kernels and libraries take some hundred MiB that are not recorded");
        return;
    }
    log.add(Severity::Warning, "no-memory-events", reasonForNoRows(read, database));
    if (const std::string contents = contentsText(database); !contents.empty())
        log.add(Severity::Info, "contents", "the export has " + contents + stepsText(read, strings));
}

/// `isWhole` is false if a part of the export could not be read. Missing calls then may have been recorded,
/// so they are not reported.
void noteStacks(const ReadExport& read, bool isWhole, ImportLog& log)
{
    const auto count = [&](auto&& applies) { return std::ranges::count_if(read.rows, applies); };
    if (const std::int64_t rows = count([](const MemoryRow& row) { return row.byTimeAlone; }); rows > 0)
        log.add(Severity::Info, "attributed-by-time",
            "memory events without a call; they get the NVTX ranges of the only thread that had some open at "
            "the time",
            {}, rows);
    const std::int64_t bare = count([](const MemoryRow& row) { return row.stack.isNone(); });
    if (isWhole && bare > 0 && bare == static_cast<std::int64_t>(read.rows.size()))
        log.add(Severity::Info, "no-stacks",
            "no memory event has a call; record with --trace=cuda,nvtx and --cudabacktrace=memory to see who "
            "allocates");
}

void noteRefusals(const ReadExport& read, TraceBuilder& builder)
{
    if (read.refused.empty())
        return;
    const RefusedCall& first = *std::ranges::min_element(read.refused, {}, &RefusedCall::time);
    std::string when;
    if (!read.rows.empty())
        when = first.time >= read.rows.front().time ? fmt::format(
                   ", first {} after the first memory event", formatDuration(first.time - read.rows[0].time))
                                                    : ", first before the first memory event";
    builder.log().add(Severity::Warning, "out-of-memory",
        fmt::format(
            "the driver answered {} with \"out of memory\"{}", builder.strings().view(first.name), when),
        {}, static_cast<std::int64_t>(read.refused.size()));
}

void noteClock(const ExportDescription& description, ImportLog& log)
{
    if (description.handShift)
        log.add(Severity::Warning, "times-shifted",
            fmt::format(
                "times were shifted by {} ns when exporting, so they cannot be aligned with other recordings",
                *description.handShift));
    else if (description.clock == Clock::Own)
        log.add(Severity::Info, "no-epoch",
            "the export has no date, so its times count from the start of the recording");
}

} // namespace

void describeTrace(const ReadExport& read, Database& database, TraceBuilder& builder)
{
    TraceMetadata& metadata = builder.metadata();
    metadata.kind = TraceKind::NsysExport;
    metadata.clock = read.description.clock;
    metadata.hasHistory = !read.rows.empty();
    describeProducer(read, metadata);
    noteMemory(read, database, builder.strings(), builder.log());
    noteStacks(read, !database.problem(), builder.log());
    noteRefusals(read, builder);
    noteClock(read.description, builder.log());
    for (const std::string& loss : read.description.losses)
        builder.log().add(
            Severity::Warning, "recorder-lost-events", "the recorder lost data: " + sanitizedText(loss));
    if (read.nvtx.operatorsLeftOut > 0)
        builder.log().add(Severity::Info, "operators-left-out",
            "ranges of operators are omitted, since there are too many to show", {},
            read.nvtx.operatorsLeftOut);
}

} // namespace highwater::nsys
