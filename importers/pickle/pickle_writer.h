#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "importers/pickle/opcodes.h"

namespace highwater {

/// Appends the shortest opcode for the number, as Python does: unsigned numbers of 64 bits need LONG1.
void appendPickleNumber(std::string& out, std::int64_t number);
void appendPickleNumber(std::string& out, std::uint64_t number);
/// Appends the shortest opcode for the text. It must be shorter than 4 GiB, and UTF-8 if Python is to read
/// it.
void appendPickleText(std::string& out, std::string_view text);

/// Writes pickles opcode by opcode; each method appends one opcode with its operand. `Self` is the derived
/// class, which the methods return.
template <typename Self>
class PickleOpcodes
{
public:
    Self& op(unsigned char code)
    {
        m_bytes += static_cast<char>(code);
        return self();
    }
    Self& raw(std::string_view bytes)
    {
        m_bytes += bytes;
        return self();
    }
    Self& u32(std::uint32_t value) { return littleEndian(value, 4); }
    Self& u64(std::uint64_t value) { return littleEndian(value, 8); }

    Self& proto(unsigned char version) { return op(pickle::Proto).op(version); }
    Self& emptyDict() { return op(pickle::EmptyDict); }
    Self& emptyList() { return op(pickle::EmptyList); }
    Self& mark() { return op(pickle::Mark); }
    Self& setItems() { return op(pickle::SetItems); }
    Self& setItem() { return op(pickle::SetItem); }
    Self& appends() { return op(pickle::Appends); }
    Self& append() { return op(pickle::Append); }
    Self& memoize() { return op(pickle::Memoize); }
    Self& put(std::uint32_t slot)
    {
        return slot < 256 ? op(pickle::BinPut).op(static_cast<unsigned char>(slot))
                          : op(pickle::LongBinPut).u32(slot);
    }
    Self& get(std::uint32_t slot)
    {
        return slot < 256 ? op(pickle::BinGet).op(static_cast<unsigned char>(slot))
                          : op(pickle::LongBinGet).u32(slot);
    }
    Self& tuple2() { return op(pickle::Tuple2); }
    Self& none() { return op(pickle::None); }
    Self& boolean(bool value) { return op(value ? pickle::NewTrue : pickle::NewFalse); }
    Self& integer(std::int64_t value)
    {
        appendPickleNumber(m_bytes, value);
        return self();
    }
    Self& unsignedInteger(std::uint64_t value)
    {
        appendPickleNumber(m_bytes, value);
        return self();
    }
    Self& text(std::string_view text)
    {
        appendPickleText(m_bytes, text);
        return self();
    }
    /// Appends a key and a number, or a key and a text.
    template <std::integral T>
    Self& entry(std::string_view key, T value)
    {
        return text(key).integer(static_cast<std::int64_t>(value));
    }
    Self& entry(std::string_view key, std::string_view value) { return text(key).text(value); }

    std::string stop() const { return m_bytes + static_cast<char>(pickle::Stop); }
    const std::string& bytes() const { return m_bytes; }
    /// Drops the bytes so far. Call it after they have been written to a file.
    void clear() { m_bytes.clear(); }

private:
    Self& self() { return static_cast<Self&>(*this); }
    Self& littleEndian(std::uint64_t value, int bytes)
    {
        for (int i = 0; i < bytes; ++i)
            m_bytes += static_cast<char>(value >> (8 * i) & 0xFF);
        return self();
    }

    std::string m_bytes;
};

namespace pickle {

class Writer : public PickleOpcodes<Writer>
{
};

} // namespace pickle

} // namespace highwater
