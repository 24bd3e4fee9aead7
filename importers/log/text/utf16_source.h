#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

namespace highwater::logs {

/// True if the text begins with a UTF-16 byte order mark, as in files redirected by Windows PowerShell.
bool isUtf16(std::string_view prefix);

/// Converts UTF-16 that begins with a byte order mark to UTF-8 without one. Invalid text becomes U+FFFD.
class Utf16Source : public ByteSource
{
public:
    explicit Utf16Source(std::unique_ptr<ByteSource> inner);
    Result<std::size_t> read(std::span<std::byte> buffer) override;
    SourcePosition position() const override { return m_inner->position(); }

private:
    Result<void> decodeMore();
    void decodeUnit(char16_t unit);

    std::unique_ptr<ByteSource> m_inner;
    std::string m_raw; ///< bytes that are not decoded yet; between calls at most half a unit
    std::string m_text; ///< decoded, but not yet returned
    std::size_t m_returned = 0;
    char16_t m_highSurrogate = 0;
    bool m_bigEndian = false;
    bool m_hasReadMark = false;
    bool m_ended = false;
};

} // namespace highwater::logs
