#include "importers/log/text/utf16_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

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

void Utf16Source::append(char32_t codePoint)
{
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((codePoint >> shift) & 0x3F)); };
    if (codePoint < 0x80) {
        m_text += static_cast<char>(codePoint);
    } else if (codePoint < 0x800) {
        m_text += {static_cast<char>(0xC0 | (codePoint >> 6)), tail(0)};
    } else if (codePoint < 0x10000) {
        m_text += {static_cast<char>(0xE0 | (codePoint >> 12)), tail(6), tail(0)};
    } else {
        m_text += {static_cast<char>(0xF0 | (codePoint >> 18)), tail(12), tail(6), tail(0)};
    }
}

void Utf16Source::decodeUnit(char16_t unit)
{
    if (m_highSurrogate) {
        const char16_t high = std::exchange(m_highSurrogate, char16_t{0});
        if (isLowSurrogate(unit)) {
            append(0x10000 + ((char32_t{high} - 0xD800) << 10) + (char32_t{unit} - 0xDC00));
            return;
        }
        append(kReplacement);
    }
    if (isHighSurrogate(unit))
        m_highSurrogate = unit;
    else
        append(isLowSurrogate(unit) ? kReplacement : char32_t{unit});
}

Result<void> Utf16Source::decodeMore()
{
    std::array<char, 64 * 1024> block;
    const Result<std::size_t> got = m_inner->read(std::as_writable_bytes(std::span(block)));
    if (!got)
        return tl::unexpected<Error>(got.error());
    m_raw.append(block.data(), *got);
    m_ended = *got == 0;
    std::size_t at = 0;
    if (!m_hasReadMark && m_raw.size() >= 2) {
        m_bigEndian = m_raw[0] == '\xFE';
        m_hasReadMark = true;
        at = 2;
    }
    for (; m_hasReadMark && at + 1 < m_raw.size(); at += 2) {
        const auto first = static_cast<unsigned char>(m_raw[at]);
        const auto second = static_cast<unsigned char>(m_raw[at + 1]);
        decodeUnit(static_cast<char16_t>(m_bigEndian ? first << 8 | second : second << 8 | first));
    }
    m_raw.erase(0, at);
    if (m_ended && (m_highSurrogate || !m_raw.empty()))
        append(kReplacement);
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
