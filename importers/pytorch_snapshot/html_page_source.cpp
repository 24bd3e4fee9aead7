#include "importers/pytorch_snapshot/html_page_source.h"

namespace highwater {

namespace {

constexpr std::string_view kMarker = "\"base64\"";
constexpr std::size_t kPageBytes = 256 * 1024;
constexpr int kEnd = -1;

/// Value of each base64 character; −1 for all others.
constexpr std::array<std::int8_t, 256> makeDecodeTable()
{
    std::array<std::int8_t, 256> table{};
    for (std::int8_t& value : table)
        value = -1;
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
    return table;
}

constexpr std::array<std::int8_t, 256> kDecode = makeDecodeTable();

} // namespace

HtmlPageSource::HtmlPageSource(std::unique_ptr<ByteSource> page)
    : m_page(std::move(page))
{
}

Result<std::unique_ptr<ByteSource>> HtmlPageSource::open(std::unique_ptr<ByteSource> page)
{
    std::unique_ptr<HtmlPageSource> source(new HtmlPageSource(std::move(page)));
    for (const std::string_view marker : {kMarker, std::string_view(":"), std::string_view("\"")}) {
        const Result<bool> found = source->skipTo(marker);
        if (!found)
            return tl::unexpected<Error>(found.error());
        if (!*found)
            return fail(ErrorCode::UnknownFormat,
                "is a web page without an embedded memory snapshot (perhaps an error or login page); "
                "download the file itself");
    }
    return source;
}

Result<int> HtmlPageSource::nextCharacter()
{
    if (m_used == m_piece.size()) {
        m_piece.resize(kPageBytes);
        const Result<std::size_t> got = m_page->read(std::as_writable_bytes(std::span(m_piece)));
        m_piece.resize(got.value_or(0));
        m_used = 0;
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            return kEnd;
    }
    ++m_offset;
    return static_cast<unsigned char>(m_piece[m_used++]);
}

Result<bool> HtmlPageSource::skipTo(std::string_view marker)
{
    std::size_t matchedBytes = 0;
    while (matchedBytes < marker.size()) {
        const Result<int> character = nextCharacter();
        if (!character)
            return tl::unexpected<Error>(character.error());
        if (*character == kEnd)
            return false;
        matchedBytes = *character == marker[matchedBytes] ? matchedBytes + 1
            : *character == marker[0]                     ? 1
                                                          : 0;
    }
    return true;
}

/// Decodes the next group of four characters into m_group.
Result<void> HtmlPageSource::decodeGroup()
{
    std::uint32_t bits = 0;
    int digits = 0;
    while (digits < 4) {
        const Result<int> character = nextCharacter();
        if (!character)
            return tl::unexpected<Error>(character.error());
        m_ended = *character == kEnd || *character == '"' || *character == '=';
        if (m_ended)
            break;
        if (const std::int8_t value = kDecode[static_cast<std::size_t>(*character)]; value >= 0) {
            bits = bits << 6 | static_cast<std::uint32_t>(value);
            ++digits;
        } else if (*character != '\\' && *character != '\n' && *character != '\r' && *character != ' ') {
            return fail(
                ErrorCode::Malformed, "the embedded snapshot is not base64", Place::byte(m_offset - 1));
        }
    }
    bits <<= 6 * (4 - digits);
    m_groupUsed = 0;
    m_groupFilled = static_cast<std::size_t>(digits * 6 / 8);
    for (std::size_t i = 0; i < m_groupFilled; ++i)
        m_group[i] = static_cast<std::byte>(bits >> (16 - 8 * i) & 0xFF);
    return {};
}

Result<std::size_t> HtmlPageSource::read(std::span<std::byte> buffer)
{
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        if (m_groupUsed < m_groupFilled) {
            buffer[filled++] = m_group[m_groupUsed++];
            continue;
        }
        if (m_ended || m_failure)
            break;
        if (const Result<void> decoded = decodeGroup(); !decoded)
            m_failure = decoded.error();
    }
    if (filled == 0 && m_failure) // first return the bytes decoded before the failure
        return tl::unexpected<Error>(*m_failure);
    return filled;
}

} // namespace highwater
