#pragma once

#include <cstdint>
#include <string_view>

/// A summary of a recording (.hws), which `highwater summarize` writes and `highwater ranks` merges.
///
/// Layout, all numbers little-endian:
///
///     magic      8 bytes   "HWRANKS\n"
///     version    u32       kVersion
///     sections   u32       number of sections that follow
///     section*   u32 id, u32 reserved (0), u64 raw bytes, u64 stored bytes, u64 XXH3 of the stored
///                bytes with `sectionSeed` as its seed, then the stored bytes: one zstd frame
///
/// Nothing follows the last section, so every changed bit is detected without unpacking anything. Readers
/// skip unknown ids; ids are never reused. A change that older programs cannot read raises kVersion; readers
/// refuse newer versions by number.
///
/// Columns of numbers are stored as differences from the previous row, the columns of a table one after the
/// other. Texts: u32 count, u32 length of each, then their bytes.
namespace highwater::summary {

inline constexpr std::string_view kMagic = "HWRANKS\n";
inline constexpr std::uint32_t kVersion = 1;

/// The ids of the sections.
enum class Section : std::uint32_t
{
    Document = 1, ///< JSON: identity, source, device, failures, findings, settings, sites, limits
    StepTexts = 2, ///< texts of the steps: names, sources, grades, phases
    Steps = 3, ///< columns: 6 × i64, 4 × u32 (texts), u8 flags
    Moments = 4, ///< u32 flags and u32 rows, then columns of i64: event, time, reserved, each category
    Strings = 5, ///< texts in frames
    Frames = 6, ///< columns: function u32, file u32, line i32, kind u8
    Nodes = 7, ///< columns: frame u32, caller u32
    Allocations = 8, ///< columns: bytes i64, count u32, stack u32, category u32, birth u32, death u32
};

/// Usual limit on a file's size, which the writer itself does not check.
inline constexpr std::size_t kMaxFileBytes = 200'000;

inline constexpr std::uint32_t kMaxSections = 64;
inline constexpr std::uint64_t kMaxSectionBytes = std::uint64_t{64} << 20; ///< raw or stored
inline constexpr std::uint64_t kMaxRawBytes = std::uint64_t{256} << 20; ///< for all sections together
inline constexpr std::size_t kMaxRows = 1'000'000; ///< for any table

constexpr std::uint64_t sectionSeed(std::uint32_t id, std::uint64_t rawBytes)
{
    return (std::uint64_t{id} << 32) ^ rawBytes; // rawBytes is at most kMaxSectionBytes
}

/// The beginning of a section.
struct SectionHead
{
    std::uint32_t id = 0;
    std::uint32_t reserved = 0;
    std::uint64_t rawBytes = 0;
    std::uint64_t storedBytes = 0;
    std::uint64_t checksum = 0;
};
static_assert(sizeof(SectionHead) == 32);

} // namespace highwater::summary
