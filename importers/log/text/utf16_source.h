#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

namespace highwater::logs {

/// Whether a text begins with a byte order mark of UTF-16, as files redirected by Windows PowerShell do.
bool isUtf16(std::string_view prefix);

/// Converts UTF-16 of either byte order, given by its mark, to UTF-8; invalid text becomes U+FFFD.
class Utf16Source : public ByteSource
{
public:
    explicit Utf16Source(std::unique_ptr<ByteSource> inner);
    Result<std::size_t> read(std::span<std::byte> into) override;
    SourcePosition position() const override { return m_inner->position(); }

private:
    Result<void> decodeMore();
    void decodeUnit(char16_t unit);
    void append(char32_t codePoint);

    std::unique_ptr<ByteSource> m_inner;
    std::string m_raw; ///< a byte that waits for its partner
    std::string m_text; ///< decoded, not yet handed out
    std::size_t m_handedOut = 0;
    char16_t m_highSurrogate = 0;
    bool m_bigEndian = false;
    bool m_markRead = false;
    bool m_ended = false;
};

} // namespace highwater::logs
