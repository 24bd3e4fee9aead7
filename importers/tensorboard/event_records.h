#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::tensorboard {

/// CRC-32C (Castagnoli), masked as in TensorFlow's record files.
std::uint32_t maskedChecksum(std::string_view bytes);

/// Splits a TensorBoard event file into records: u64 length, u32 masked CRC of the length, payload, u32
/// masked CRC of the payload, all little-endian.
class EventRecords
{
public:
    /// Records longer than `mostBytes` are refused, but only if the source has all their bytes: a false
    /// length usually means that the file ends within a record.
    EventRecords(ByteSource& source, std::uint64_t mostBytes);

    /// Returns the next payload, valid until the next call; nothing at the end. Errors give the byte at which
    /// the record begins.
    Result<std::optional<std::string_view>> next();

private:
    /// Fills `m_record` up to that length; returns false if the source ends earlier.
    Result<bool> fill(std::size_t bytes);
    /// Reads and drops bytes; returns false if the source ends earlier.
    Result<bool> skip(std::uint64_t bytes);

    ByteSource& m_source;
    std::uint64_t m_mostBytes;
    std::uint64_t m_offset = 0; ///< start of the current record
    std::string m_record;
};

/// True if a file begins with such a record.
bool beginsWithRecord(std::string_view prefix);

} // namespace highwater::tensorboard
