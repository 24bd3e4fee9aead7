#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/column.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::kineto {

/// A window that moves forward over the decompressed text, padded for a vectorised reader.
class TextWindow
{
public:
    static constexpr std::size_t kPadding = 128;
    static constexpr std::size_t kUsualBytes = std::size_t{4} << 20;
    /// Upper bound on the memory per byte of text: the text itself, and the parser's index of its
    /// punctuation.
    static constexpr std::size_t kMemoryFactor = 5;

    TextWindow(ByteSource& source, std::uint64_t maxMemoryBytes)
        : m_source(source)
        , m_maxMemoryBytes(maxMemoryBytes)
    {
    }

    /// Returns the text that was read and not yet dropped.
    std::string_view view() const { return {m_text.data() + m_begin, m_size}; }
    /// Returns the view's first byte, writable. The byte before it and kPadding bytes after the view exist as
    /// well.
    char* data() { return m_text.data() + m_begin; }
    /// Returns the position of the view in the whole text.
    std::uint64_t offset() const { return m_offset; }
    /// True if the view reaches the end of the text.
    bool isLast() const { return m_isLast; }
    /// Returns the error that ended the source early; nullopt if it ended normally. It is no failure of the
    /// window, because the text before it is usable.
    const std::optional<Error>& sourceErrorAtEnd() const { return m_cutShort; }

    /// Removes bytes from the front of the view.
    void drop(std::size_t bytes);
    /// Reads until the view has `bytes` bytes or the text ends. Fails if the source was cancelled or hit a
    /// limit, and with LimitExceeded if the view would need more memory than allowed. Invalidates the view.
    Result<void> fill(std::size_t bytes);

private:
    ByteSource& m_source;
    std::uint64_t m_maxMemoryBytes;
    Column<char> m_text;
    std::size_t m_begin = 1; ///< start of the view
    std::size_t m_size = 0; ///< size of the view
    std::uint64_t m_offset = 0;
    bool m_isLast = false;
    std::optional<Error> m_cutShort;
};

} // namespace highwater::kineto
