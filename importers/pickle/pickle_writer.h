#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "importers/pickle/opcodes.h"

namespace highwater {

/// Appends the shortest opcode for the number, as Python does.
void appendPickleNumber(std::string& out, std::int64_t number);
void appendPickleNumber(std::string& out, std::uint64_t number);
/// Appends the shortest opcode for the text, which must be shorter than 4 GiB. Python reads only UTF-8.
void appendPickleText(std::string& out, std::string_view text);

/// Writes a pickle into a text. `op` and `littleEndian` append an opcode or a part of an operand, the other
/// methods one opcode with its operand; all return the object as `Self`, the derived class. Source of opcodes
/// and operands: CPython, Lib/pickletools.py.
template <typename Self>
class PickleOpcodes
{
public:
    Self& op(unsigned char code)
    {
        m_bytes += static_cast<char>(code);
        return self();
    }
    Self& proto(unsigned char version) { return op(pickle::Proto).op(version); }
    Self& emptyDict() { return op(pickle::EmptyDict); }
    Self& emptyList() { return op(pickle::EmptyList); }
    Self& mark() { return op(pickle::Mark); }
    Self& setItems() { return op(pickle::SetItems); }
    Self& appends() { return op(pickle::Appends); }
    Self& memoize() { return op(pickle::Memoize); }
    Self& get(std::uint32_t slot)
    {
        return slot < 256 ? op(pickle::BinGet).op(static_cast<unsigned char>(slot))
                          : op(pickle::LongBinGet).littleEndian(slot, 4);
    }
    Self& tuple2() { return op(pickle::Tuple2); }
    Self& none() { return op(pickle::None); }
    Self& boolean(bool value) { return op(value ? pickle::NewTrue : pickle::NewFalse); }
    /// Appends a number with its own value, also an unsigned one of 2^63 and above.
    template <std::integral T>
    Self& integer(T value)
    {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        appendPickleNumber(m_bytes, static_cast<Wide>(value));
        return self();
    }
    Self& text(std::string_view text)
    {
        appendPickleText(m_bytes, text);
        return self();
    }

    /// Appends the lowest `count` bytes of a number, as operands have them.
    Self& littleEndian(std::uint64_t value, int count)
    {
        for (int i = 0; i < count; ++i)
            m_bytes += static_cast<char>(value >> (8 * i) & 0xFF);
        return self();
    }

    /// Returns what was written since the beginning or the last `clear`.
    const std::string& bytes() const { return m_bytes; }
    /// Drops the bytes so far. Call it after they have been written to a file.
    void clear() { m_bytes.clear(); }

private:
    Self& self() { return static_cast<Self&>(*this); }

    std::string m_bytes;
};

namespace pickle {

/// The writer for code that needs no methods of its own.
class Writer : public PickleOpcodes<Writer>
{
};

} // namespace pickle

} // namespace highwater
