#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/column.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::kineto {

/// A part of the decompressed text that moves over it from front to back, padded for a vectorised reader.
class TextWindow
{
public:
    static constexpr std::size_t kPadding = 128;
    static constexpr std::size_t kUsualBytes = std::size_t{4} << 20;
    /// Memory per byte that reading needs at most: the text itself and an index of its punctuation.
    static constexpr std::size_t kMemoryFactor = 5;

    TextWindow(ByteSource& source, std::uint64_t maxMemoryBytes)
        : m_source(source)
        , m_maxMemoryBytes(maxMemoryBytes)
    {
    }

    /// The text that was read and not dropped.
    std::string_view view() const { return {m_bytes.data() + m_begin, m_size}; }
    /// Of the view, to be written; the byte before it is there, too, and kPadding bytes behind it.
    char* data() { return m_bytes.data() + m_begin; }
    /// Where the view begins in the text.
    std::uint64_t offset() const { return m_offset; }
    /// Whether the text ends with the view.
    bool isLast() const { return m_isLast; }
    /// Why the source ended before its end.
    const std::optional<Error>& cutShort() const { return m_cutShort; }

    void drop(std::size_t bytes);
    /// Reads until the view has that many bytes or the text ends. Fails with Cancelled, and with
    /// LimitExceeded where the view would need more memory than it may take.
    Result<void> fill(std::size_t bytes);

private:
    ByteSource& m_source;
    std::uint64_t m_maxMemoryBytes;
    Column<char> m_bytes;
    std::size_t m_begin = 1; ///< of the view
    std::size_t m_size = 0; ///< of the view
    std::uint64_t m_offset = 0;
    bool m_isLast = false;
    std::optional<Error> m_cutShort;
};

} // namespace highwater::kineto
