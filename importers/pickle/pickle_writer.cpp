#include "importers/pickle/pickle_writer.h"

#include <limits>

namespace highwater {

namespace {

/// Appends the lowest `bytes` bytes of the value.
void appendLittleEndian(std::string& out, std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// Returns the length of the number's shortest two's complement, in bytes.
int signedBytes(std::int64_t number)
{
    int bytes = 1;
    while (bytes < 8 && (number >> (8 * bytes - 1)) != (number < 0 ? -1 : 0))
        ++bytes;
    return bytes;
}

} // namespace

void appendPickleNumber(std::string& out, std::int64_t number)
{
    const auto bits = static_cast<std::uint64_t>(number);
    if (number >= 0 && number < 256) {
        out += static_cast<char>(pickle::BinInt1);
        appendLittleEndian(out, bits, 1);
    } else if (number >= 0 && number < 65536) {
        out += static_cast<char>(pickle::BinInt2);
        appendLittleEndian(out, bits, 2);
    } else if (number >= std::numeric_limits<std::int32_t>::min()
        && number <= std::numeric_limits<std::int32_t>::max()) {
        out += static_cast<char>(pickle::BinInt);
        appendLittleEndian(out, bits, 4);
    } else {
        const int bytes = signedBytes(number);
        out += static_cast<char>(pickle::Long1);
        out += static_cast<char>(bytes);
        appendLittleEndian(out, bits, bytes);
    }
}

void appendPickleNumber(std::string& out, std::uint64_t number)
{
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return appendPickleNumber(out, static_cast<std::int64_t>(number));
    out += static_cast<char>(pickle::Long1);
    out += static_cast<char>(9);
    appendLittleEndian(out, number, 8);
    out += '\0'; // holds the sign
}

void appendPickleText(std::string& out, std::string_view text)
{
    if (text.size() < 256) {
        out += static_cast<char>(pickle::ShortBinUnicode);
        appendLittleEndian(out, text.size(), 1);
    } else {
        out += static_cast<char>(pickle::BinUnicode);
        appendLittleEndian(out, text.size(), 4);
    }
    out += text;
}

} // namespace highwater
