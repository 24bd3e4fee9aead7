#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace highwater {

/// The texts that the reader of snapshots knows. They are interned first, so that the id of such a text is
/// its index in this list, and fields are recognized by comparing numbers.
enum class Key : std::uint32_t
{
    // Trace entries.
    Action,
    Addr,
    DeviceFree,
    Size,
    Stream,
    TimeUs,
    Frames,
    PoolIdField,
    CompileContext,
    UserMetadata,
    // Segments and blocks.
    Device,
    AddressField,
    TotalSize,
    AllocatedSize,
    ActiveSize,
    RequestedSize,
    SegmentType,
    SegmentPoolId,
    IsExpandable,
    Blocks,
    State,
    History,
    RealSize,
    // Frames and annotations.
    Name,
    Filename,
    Line,
    OriginalTrace,
    Stage,
    // Top level.
    Segments,
    DeviceTraces,
    AllocatorSettings,
    ExternalAnnotations,
    HostSegments,
    HostTraces,
    Overflowed,
    MaxEntries,
    Count,
    // Values.
    Empty = Count,
    NotAvailable,
    Start,
    End,
    Small,
    Large,
    ActiveAllocated,
    ActivePendingFree,
    ActiveAwaitingFree,
    Inactive,
    CountWithValues,
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Key::CountWithValues)> kKeyTexts
    = {"action", "addr", "device_free", "size", "stream", "time_us", "frames", "pool_id", "compile_context",
        "user_metadata", "device", "address", "total_size", "allocated_size", "active_size", "requested_size",
        "segment_type", "segment_pool_id", "is_expandable", "blocks", "state", "history", "real_size", "name",
        "filename", "line", "fx_original_trace", "stage", "segments", "device_traces", "allocator_settings",
        "external_annotations", "host_segments", "host_traces", "trace_alloc_overflowed",
        "trace_alloc_max_entries", "", "N/A", "START", "END", "small", "large", "active_allocated",
        "active_pending_free", "active_awaiting_free", "inactive"};

/// Returns a key as a bit of a set of keys.
constexpr std::uint64_t bit(Key key)
{
    return std::uint64_t{1} << static_cast<std::uint32_t>(key);
}
static_assert(static_cast<std::size_t>(Key::Count) <= 64);

} // namespace highwater
