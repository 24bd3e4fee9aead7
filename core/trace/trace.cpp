#include "core/trace/trace.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

std::string_view toText(DeviceKind kind)
{
    switch (kind) {
    case DeviceKind::Cuda: return "cuda";
    case DeviceKind::Cpu: return "cpu";
    case DeviceKind::Hip: return "hip";
    case DeviceKind::Xpu: return "xpu";
    case DeviceKind::Mps: return "mps";
    case DeviceKind::Mtia: return "mtia";
    case DeviceKind::HostPinned: return "host";
    case DeviceKind::Other: break;
    }
    return "other";
}

std::string_view toText(TraceKind kind)
{
    switch (kind) {
    case TraceKind::Unknown: break;
    case TraceKind::Snapshot: return "pytorch-snapshot";
    case TraceKind::KinetoTrace: return "kineto-trace";
    case TraceKind::MemoryTimeline: return "torch-memory-timeline";
    case TraceKind::NsysExport: return "nsys-sqlite";
    case TraceKind::CuptiText: return "cupti-text";
    case TraceKind::TrainerLog: return "trainer-log";
    case TraceKind::MemoryStats: return "torch-memory-stats";
    case TraceKind::NvidiaSmi: return "nvidia-smi-csv";
    case TraceKind::WandbRun: return "wandb";
    case TraceKind::TensorBoardEvents: return "tensorboard-events";
    case TraceKind::RankSummary: return "highwater-summary";
    case TraceKind::Native: return "highwater";
    }
    return {};
}

std::string_view inWords(TraceKind kind)
{
    switch (kind) {
    case TraceKind::Unknown: break;
    case TraceKind::Snapshot: return "PyTorch snapshot";
    case TraceKind::KinetoTrace: return "PyTorch profiler trace";
    case TraceKind::MemoryTimeline: return "PyTorch memory timeline";
    case TraceKind::NsysExport: return "Nsight Systems export";
    case TraceKind::CuptiText: return "CUPTI records";
    case TraceKind::TrainerLog: return "log";
    case TraceKind::MemoryStats: return "PyTorch memory statistics";
    case TraceKind::NvidiaSmi: return "nvidia-smi log";
    case TraceKind::WandbRun: return "Weights & Biases run";
    case TraceKind::TensorBoardEvents: return "TensorBoard events";
    case TraceKind::RankSummary: return "Highwater summary";
    case TraceKind::Native: return "Highwater file";
    }
    return {};
}

std::string_view toText(Quantity quantity)
{
    switch (quantity) {
    case Quantity::Requested: return "requested";
    case Quantity::Allocated: return "allocated";
    case Quantity::Reserved: return "reserved";
    case Quantity::DeviceUsed: break;
    }
    return "device_used";
}

std::string_view inWords(Quantity quantity)
{
    return quantity == Quantity::DeviceUsed ? "device used" : toText(quantity);
}

std::string_view toText(Extent extent)
{
    return extent == Extent::Whole ? "whole" : extent == Extent::Part ? "part" : "none";
}

std::string_view toText(Clock clock)
{
    switch (clock) {
    case Clock::Unix: return "unix";
    case Clock::Local: return "local";
    case Clock::Own: break;
    }
    return "own";
}

std::string Device::label() const
{
    const std::string number = ordinal == kNoOrdinal ? std::string() : fmt::format(":{}", ordinal);
    const std::string owner = process ? fmt::format(" · pid {}", *process) : std::string();
    return fmt::format("{}{}{}", toText(kind), number, owner);
}

std::string Device::words() const
{
    return deviceWords(label());
}

std::string deviceWords(const std::string& label)
{
    constexpr std::string_view cuda = "cuda:";
    return label.starts_with(cuda) ? "GPU " + label.substr(cuda.size()) : label;
}

std::string_view Trace::actionName(Action action) const
{
    if (action < Action::FirstUnknown)
        return knownActionName(action);
    const std::size_t index
        = static_cast<std::size_t>(action) - static_cast<std::size_t>(Action::FirstUnknown);
    return index < unknownActions.size() ? std::string_view(unknownActions[index])
                                         : std::string_view("(other)");
}

TimeQuality timeQuality(const MemoryEventTable& events, RowRange rows)
{
    const auto first = events.time.begin() + rows.first;
    const auto last = events.time.begin() + rows.last;
    if (std::all_of(first, last, [](Nanoseconds time) { return time == 0; }))
        return TimeQuality::None;
    return *first != 0 && std::is_sorted(first, last) ? TimeQuality::Ordered : TimeQuality::Irregular;
}

std::string Trace::streamLabel(StreamId stream) const
{
    if (stream.isNone())
        return "stream not recorded";
    const std::int64_t handle = streams[stream.index()];
    constexpr std::int64_t firstPointer = 4096;
    if (handle >= 0 && handle < firstPointer)
        return fmt::format("stream {}", handle);
    // Other handles are pointers; a sequence number is easier to read.
    const bool afterDefault = !defaultStream.isNone() && defaultStream < stream;
    const std::size_t number = stream.index() + (afterDefault ? 0 : 1);
    return fmt::format("stream {} ({})", number, formatAddress(static_cast<Address>(handle)));
}

std::string Trace::poolLabel(PoolId pool) const
{
    if (pool.isNone())
        return "pool not recorded";
    const PoolKey& key = pools[pool.index()];
    return key.isDefault() ? "default pool" : fmt::format("private pool ({}, {})", key.first, key.second);
}

} // namespace highwater
