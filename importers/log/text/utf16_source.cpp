#include "importers/log/text/utf16_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/valid_text.h"

namespace highwater::logs {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool isHighSurrogate(char16_t unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

bool isLowSurrogate(char16_t unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

} // namespace

bool isUtf16(std::string_view prefix)
{
    return prefix.starts_with("\xFF\xFE") || prefix.starts_with("\xFE\xFF");
}

Utf16Source::Utf16Source(std::unique_ptr<ByteSource> inner)
    : m_inner(std::move(inner))
{
}

void Utf16Source::decodeUnit(char16_t unit)
{
    if (m_highSurrogate) {
        const char16_t high = std::exchange(m_highSurrogate, char16_t{0});
        if (isLowSurrogate(unit)) {
            appendUtf8(m_text, 0x10000 + ((char32_t{high} - 0xD800) << 10) + (char32_t{unit} - 0xDC00));
            return;
        }
        appendUtf8(m_text, kReplacement);
    }
    if (isHighSurrogate(unit))
        m_highSurrogate = unit;
    else
        appendUtf8(m_text, isLowSurrogate(unit) ? kReplacement : char32_t{unit});
}

Result<void> Utf16Source::decodeMore()
{
    std::array<char, 64 * 1024> block;
    const Result<std::size_t> got = m_inner->read(std::as_writable_bytes(std::span(block)));
    if (!got)
        return tl::unexpected<Error>(got.error());
    m_raw.append(block.data(), *got);
    m_ended = *got == 0;
    std::size_t decoded = 0;
    if (!m_hasReadMark && m_raw.size() >= 2) {
        m_bigEndian = m_raw[0] == '\xFE';
        m_hasReadMark = true;
        decoded = 2;
    }
    for (; m_hasReadMark && decoded + 1 < m_raw.size(); decoded += 2) {
        const auto first = static_cast<unsigned char>(m_raw[decoded]);
        const auto second = static_cast<unsigned char>(m_raw[decoded + 1]);
        decodeUnit(static_cast<char16_t>(m_bigEndian ? first << 8 | second : second << 8 | first));
    }
    m_raw.erase(0, decoded);
    if (m_ended && (m_highSurrogate || !m_raw.empty()))
        appendUtf8(m_text, kReplacement);
    return {};
}

Result<std::size_t> Utf16Source::read(std::span<std::byte> buffer)
{
    while (m_returned == m_text.size() && !m_ended) {
        m_text.clear();
        m_returned = 0;
        if (const Result<void> decoded = decodeMore(); !decoded)
            return tl::unexpected<Error>(decoded.error());
    }
    const std::size_t bytes = std::min(buffer.size(), m_text.size() - m_returned);
    std::memcpy(buffer.data(), m_text.data() + m_returned, bytes);
    m_returned += bytes;
    return bytes;
}

} // namespace highwater::logs
