#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/valid_text.h"
#include "importers/pickle/opcodes.h"
#include "importers/pickle/pickle_machine.h"

namespace highwater {

using namespace pickle;

namespace {

constexpr std::uint64_t kMaxStringBytes = 64u << 20;
constexpr std::size_t kMaxLineBytes = 1u << 20;
constexpr std::uint8_t kNewestProtocol = 5;
constexpr std::uint32_t kLargestCodePoint = 0x10FFFF;

/// Decodes raw-unicode-escape, in which protocol 0 writes text: bytes are Latin-1, \uXXXX and \UXXXXXXXX are
/// code points. An escape with other digits, or above U+10FFFF, stays as it is.
std::string decodeRawUnicode(std::string_view line)
{
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::size_t digitCount = line[i] != '\\' || i + 1 >= line.size() ? 0
            : line[i + 1] == 'u'                                               ? 4
            : line[i + 1] == 'U'                                               ? 8
                                                                               : 0;
        std::uint32_t code = 0;
        if (digitCount > 0 && i + 2 + digitCount <= line.size()) {
            const char* const digitsBegin = line.data() + i + 2;
            const char* const digitsEnd = digitsBegin + digitCount;
            if (std::from_chars(digitsBegin, digitsEnd, code, 16).ptr == digitsEnd
                && code <= kLargestCodePoint) {
                appendUtf8(out, code);
                i += 1 + digitCount;
                continue;
            }
        }
        appendUtf8(out, static_cast<unsigned char>(line[i]));
    }
    return out;
}

} // namespace

PickleMachine::Step PickleMachine::interpretOperand(std::uint8_t opcode)
{
    switch (opcode) {
    case BinUnicode: return need(4) == Step::Next ? pushString(operand<std::uint32_t>()) : Step::Failed;
    case BinUnicode8: return need(8) == Step::Next ? pushString(operand<std::uint64_t>()) : Step::Failed;
    case ShortBinString: return need(1) == Step::Next ? pushString(operand<std::uint8_t>()) : Step::Failed;
    case BinString: return need(4) == Step::Next ? pushString(operand<std::uint32_t>()) : Step::Failed;
    case ShortBinBytes:
        return need(1) == Step::Next ? pushOpaqueBytes(operand<std::uint8_t>()) : Step::Failed;
    case BinBytes: return need(4) == Step::Next ? pushOpaqueBytes(operand<std::uint32_t>()) : Step::Failed;
    case BinBytes8:
    case ByteArray8: return need(8) == Step::Next ? pushOpaqueBytes(operand<std::uint64_t>()) : Step::Failed;
    case Long4: return need(4) == Step::Next ? pushLong(operand<std::uint32_t>()) : Step::Failed;
    case BinFloat: {
        if (need(8) != Step::Next)
            return Step::Failed;
        push(Value::ofFloat(std::bit_cast<double>(__builtin_bswap64(operand<std::uint64_t>()))));
        return Step::Next;
    }
    case Int: return pushIntLine(false);
    case Long: return pushIntLine(true);
    case Float: return pushFloatLine();
    case Unicode: return pushTextLine(false);
    case String: return pushTextLine(true);
    default: return refuse(opcode);
    }
}

/// Reads a little-endian two's complement of any length. Pushes an opaque value if it has more than 9 bytes
/// or needs more than 64 bits.
PickleMachine::Step PickleMachine::pushLongOfAnyLength(std::size_t length)
{
    if (length > 9)
        return pushOpaqueBytes(length);
    if (need(length) != Step::Next)
        return Step::Failed;
    std::uint64_t bits = 0;
    std::memcpy(&bits, m_cursor, std::min<std::size_t>(length, 8));
    const bool isNegative = length > 0 && (m_cursor[length - 1] & 0x80);
    const bool ninthIsSign = length < 9 || m_cursor[8] == (isNegative ? 0xFF : 0x00);
    m_cursor += length;
    if (isNegative && length < 8)
        bits |= ~std::uint64_t{0} << (8 * length);
    const bool topBit = (bits >> 63) != 0;
    if (!ninthIsSign || (length == 9 && isNegative && !topBit)) {
        push(Value::opaque()); // more than 64 bits
        return Step::Next;
    }
    Value value = Value::ofInt(static_cast<std::int64_t>(bits));
    value.unsignedBits = topBit && !isNegative;
    push(value);
    return Step::Next;
}

PickleMachine::Step PickleMachine::pushString(std::uint64_t length)
{
    if (length <= static_cast<std::uint64_t>(m_end - m_cursor)) {
        push(Value::ofString(
            m_factory.string({reinterpret_cast<const char*>(m_cursor), static_cast<std::size_t>(length)})));
        m_cursor += length;
        return Step::Next;
    }
    if (length > kMaxStringBytes)
        return failAt(ErrorCode::LimitExceeded,
            fmt::format("a text is longer than {}, unlike any in a snapshot", formatBytes(kMaxStringBytes)));
    // A text longer than the window is collected piece by piece, so that a false length costs nothing.
    m_text.clear();
    while (m_text.size() < length) {
        if (m_cursor == m_end)
            if (const Step step = refill(); step != Step::Next)
                return step;
        const std::size_t piece = std::min<std::size_t>(
            static_cast<std::size_t>(m_end - m_cursor), static_cast<std::size_t>(length) - m_text.size());
        m_text.append(reinterpret_cast<const char*>(m_cursor), piece);
        m_cursor += piece;
    }
    push(Value::ofString(m_factory.string(m_text)));
    return Step::Next;
}

PickleMachine::Step PickleMachine::pushOpaqueBytes(std::uint64_t length)
{
    while (length > 0) {
        if (m_cursor == m_end)
            if (const Step step = refill(); step != Step::Next)
                return step;
        const std::uint64_t piece
            = std::min<std::uint64_t>(static_cast<std::uint64_t>(m_end - m_cursor), length);
        m_cursor += piece;
        length -= piece;
    }
    push(Value::opaque());
    return Step::Next;
}

PickleMachine::Step PickleMachine::readLine(std::string& line)
{
    line.clear();
    for (;;) {
        if (m_cursor == m_end)
            if (const Step step = refill(); step != Step::Next)
                return step;
        const auto* newline = static_cast<const std::uint8_t*>(
            std::memchr(m_cursor, '\n', static_cast<std::size_t>(m_end - m_cursor)));
        const std::uint8_t* const end = newline ? newline : m_end;
        line.append(reinterpret_cast<const char*>(m_cursor), static_cast<std::size_t>(end - m_cursor));
        m_cursor = newline ? newline + 1 : m_end;
        if (newline)
            return Step::Next;
        if (line.size() > kMaxLineBytes)
            return failAt(ErrorCode::Malformed,
                fmt::format("a line of a protocol 0 pickle is longer than {}", formatBytes(kMaxLineBytes)));
    }
}

PickleMachine::Step PickleMachine::pushIntLine(bool isLong)
{
    if (readLine(m_text) != Step::Next)
        return Step::Failed;
    if (!isLong && (m_text == "00" || m_text == "01")) {
        push(Value::ofBool(m_text == "01"));
        return Step::Next;
    }
    std::string_view digits = m_text;
    if (isLong && digits.ends_with('L'))
        digits.remove_suffix(1);
    const char* const end = digits.data() + digits.size();
    std::int64_t number = 0;
    std::uint64_t unsignedNumber = 0;
    if (const auto [rest, error] = std::from_chars(digits.data(), end, number);
        error == std::errc() && rest == end) {
        push(Value::ofInt(number));
    } else if (const auto [restLarge, errorLarge] = std::from_chars(digits.data(), end, unsignedNumber);
               errorLarge == std::errc() && restLarge == end) {
        Value value = Value::ofInt(static_cast<std::int64_t>(unsignedNumber));
        value.unsignedBits = true;
        push(value);
    } else if (error == std::errc::result_out_of_range) {
        push(Value::opaque());
    } else {
        return failAt(ErrorCode::Malformed, "the text of an integer is not a number");
    }
    return Step::Next;
}

PickleMachine::Step PickleMachine::pushFloatLine()
{
    if (readLine(m_text) != Step::Next)
        return Step::Failed;
    double number = 0;
    if (std::from_chars(m_text.data(), m_text.data() + m_text.size(), number).ec != std::errc())
        return failAt(ErrorCode::Malformed, "the text of a floating-point number is not a number");
    push(Value::ofFloat(number));
    return Step::Next;
}

PickleMachine::Step PickleMachine::pushTextLine(bool isQuoted)
{
    std::string line;
    if (readLine(line) != Step::Next)
        return Step::Failed;
    if (isQuoted && line.size() >= 2)
        line = line.substr(1, line.size() - 2);
    push(Value::ofString(m_factory.string(decodeRawUnicode(line))));
    return Step::Next;
}

PickleMachine::Step PickleMachine::readProtocol()
{
    if (need(1) != Step::Next)
        return Step::Failed;
    const auto protocol = operand<std::uint8_t>();
    if (protocol > kNewestProtocol)
        return failAt(ErrorCode::UnknownFormat,
            fmt::format("pickle protocol {} is newer than the newest known ({})", protocol, kNewestProtocol));
    return Step::Next;
}

} // namespace highwater
