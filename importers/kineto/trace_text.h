#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/column.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::kineto {

/// The whole decompressed text, padded for a vectorised reader.
struct TraceText
{
    static constexpr std::size_t kPadding = 128;
    /// Memory per byte of text that reading needs at most: the text itself and an index of its punctuation.
    static constexpr std::size_t kMemoryFactor = 5;

    Column<char> bytes; ///< the text and kPadding zeros
    std::size_t size = 0; ///< of the text alone
    std::optional<Error> cutShort; ///< why the source ended before its end

    std::string_view view() const { return {bytes.data(), size}; }
    std::size_t memoryBytes() const { return size * kMemoryFactor; }
};

/// Fails with LimitExceeded where the text is 4 GiB or longer, or reading it needs more than the limit.
Result<TraceText> readTraceText(ByteSource& source, std::uint64_t maxMemoryBytes);

} // namespace highwater::kineto
