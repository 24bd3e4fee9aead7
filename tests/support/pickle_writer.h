#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::test {

/// Writes pickles opcode by opcode; each method writes one opcode with its operand.
class PickleWriter
{
public:
    PickleWriter& op(unsigned char code)
    {
        return raw(std::string_view(reinterpret_cast<const char*>(&code), 1));
    }
    PickleWriter& raw(std::string_view bytes)
    {
        m_bytes += bytes;
        return *this;
    }
    PickleWriter& u16(std::uint16_t value) { return littleEndian(value, 2); }
    PickleWriter& u32(std::uint32_t value) { return littleEndian(value, 4); }
    PickleWriter& u64(std::uint64_t value) { return littleEndian(value, 8); }

    PickleWriter& proto(unsigned char version) { return op(0x80).op(version); }
    PickleWriter& emptyDict() { return op('}'); }
    PickleWriter& emptyList() { return op(']'); }
    PickleWriter& mark() { return op('('); }
    PickleWriter& setItems() { return op('u'); }
    PickleWriter& setItem() { return op('s'); }
    PickleWriter& appends() { return op('e'); }
    PickleWriter& append() { return op('a'); }
    PickleWriter& memoize() { return op(0x94); }
    PickleWriter& put(std::uint32_t slot)
    {
        return slot < 256 ? op('q').op(static_cast<unsigned char>(slot)) : op('r').u32(slot);
    }
    PickleWriter& get(std::uint32_t slot)
    {
        return slot < 256 ? op('h').op(static_cast<unsigned char>(slot)) : op('j').u32(slot);
    }
    PickleWriter& tuple2() { return op(0x86); }
    PickleWriter& none() { return op('N'); }
    PickleWriter& boolean(bool value) { return op(value ? 0x88 : 0x89); }
    /// The shortest form, as Python writes it.
    PickleWriter& integer(std::int64_t value);
    PickleWriter& text(std::string_view text);
    /// A key and an integer, a key and a text.
    template <std::integral T>
    PickleWriter& entry(std::string_view key, T value)
    {
        return text(key).integer(static_cast<std::int64_t>(value));
    }
    PickleWriter& entry(std::string_view key, std::string_view value) { return text(key).text(value); }
    std::string stop() const { return m_bytes + "."; }
    const std::string& bytes() const { return m_bytes; }

    // Records of a snapshot.
    PickleWriter& event(std::string_view action, std::int64_t address, std::int64_t size);
    PickleWriter& frame(std::string_view function, std::string_view file, std::int64_t line);
    /// A segment with one block that fills it.
    PickleWriter& segment(std::int64_t address, std::int64_t size,
        std::string_view state = "active_allocated", std::int64_t device = 0);

private:
    PickleWriter& littleEndian(std::uint64_t value, int bytes);

    std::string m_bytes;
};

} // namespace highwater::test
