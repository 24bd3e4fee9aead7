#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace highwater::protobuf {

/// A field of an encoded message: number and value, as the wire tells them without a description.
struct Field
{
    enum class Kind : std::uint8_t
    {
        Varint = 0,
        Fixed64 = 1,
        Bytes = 2,
        Fixed32 = 5
    };
    std::uint32_t number = 0;
    Kind kind = Kind::Varint;
    std::uint64_t value = 0; ///< of varints and fixed ones
    std::string_view bytes; ///< of strings, messages and packed lists

    double asDouble() const { return std::bit_cast<double>(value); }
    float asFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
    std::int64_t asInteger() const { return static_cast<std::int64_t>(value); }
};

/// Walks the fields of an encoded message (protobuf's wire format). Lengths are checked; reading stops at
/// what cannot be.
class WireReader
{
public:
    explicit WireReader(std::string_view message)
        : m_rest(message)
    {
    }

    /// False at the end, or where the message is broken (`isBroken`).
    bool next(Field& field);
    bool isBroken() const { return m_broken; }

private:
    bool readVarint(std::uint64_t& value);
    bool readFixed(std::size_t bytes, std::uint64_t& value);
    bool breakOff();

    std::string_view m_rest;
    bool m_broken = false;
};

} // namespace highwater::protobuf
