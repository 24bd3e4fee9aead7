#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "importers/source/byte_source.h"

namespace highwater {

/// Reads the first file embedded in a page from PyTorch's `_memory_viz.py`, where a script holds a JSON list
/// of objects `{"name": …, "base64": …}`. Decodes while reading, and ends at the closing quote, at padding,
/// or where the page ends. Fails with Malformed at a character that is neither base64 nor a blank, line end
/// or backslash.
class HtmlPageSource : public ByteSource
{
public:
    /// Fails with UnknownFormat if the page has no embedded file.
    static Result<std::unique_ptr<ByteSource>> open(std::unique_ptr<ByteSource> page);

    Result<std::size_t> read(std::span<std::byte> buffer) override;
    SourcePosition position() const override { return m_page->position(); }

private:
    explicit HtmlPageSource(std::unique_ptr<ByteSource> page);
    /// Skips to the byte after the marker. Returns false if the page ends before.
    Result<bool> skipTo(std::string_view marker);
    Result<int> nextCharacter();
    Result<void> decodeGroup();

    std::unique_ptr<ByteSource> m_page;
    std::string m_piece;
    std::size_t m_used = 0;
    std::uint64_t m_offset = 0;
    std::array<std::byte, 3> m_group{}; ///< decoded, but not yet returned
    std::size_t m_groupUsed = 0;
    std::size_t m_groupFilled = 0;
    bool m_ended = false;
    std::optional<Error> m_failure;
};

} // namespace highwater
