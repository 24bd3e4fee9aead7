#pragma once

#include <cstdint>
#include <string_view>

/// Highwater's own file (.hwt): a trace stored as columns, which opens quickly.
///
/// Layout, all numbers little-endian:
///
///     magic      8 bytes   "HWTRACE\n"
///     version    u32       kVersion
///     sections   u32       number of sections that follow
///     section*   u32 id, u32 reserved (0), u64 raw bytes, u64 stored bytes, u64 XXH3 of the raw bytes
///                with the id as its seed, then the stored bytes: one zstd frame
///
/// A section has one column, or one small table field by field. Readers skip unknown ids; ids are never
/// reused. A change that older programs cannot read raises kVersion; readers refuse newer versions by number.
namespace highwater::native {

inline constexpr std::string_view kMagic = "HWTRACE\n";
inline constexpr std::uint32_t kVersion = 1;

/// The ids of the sections.
enum class Section : std::uint32_t
{
    Document = 1, ///< JSON: metadata, devices, streams, pools, counters, log events, actions, import log
    StringLengths = 2, ///< u32 each
    StringBytes = 3,
    Frames = 4, ///< columns: function u32, file u32, line i32, kind u8, details u32
    StackNodes = 5, ///< columns: frame u32, caller u32; node 0 is the empty stack
    EventActions = 10,
    EventAddresses = 11,
    EventSizes = 12,
    EventTimes = 13, ///< differences from the previous row
    EventStreams = 14,
    EventStacks = 15,
    EventPools = 16, ///< absent if no event has one
    EventDetails = 17, ///< absent if no event has any
    EventCategories = 18, ///< absent if no event has one
    Partners = 20, ///< of all devices, one after the other
    UntouchedBlocks = 21, ///< of all devices, one after the other; the document has the number for each
    Segments = 30,
    Blocks = 31,
    BlockCategories = 32, ///< absent if no block has one
    Spans = 40,
    Activities = 41, ///< absent if there are none
    SpanProcesses = 42, ///< i64 each; absent if no span has one
};

} // namespace highwater::native
