#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace highwater::protobuf {

/// A field of an encoded message: its number and value, which can be read without a description of the
/// message.
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
    std::uint64_t value = 0; ///< for varints and fixed fields
    std::string_view content; ///< for strings, messages and packed lists

    /// Returns the value of a Fixed64.
    double asDouble() const { return std::bit_cast<double>(value); }
    /// Returns the value of a Fixed32.
    float asFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
    std::int64_t asInteger() const { return static_cast<std::int64_t>(value); }
};

/// Iterates over the fields of an encoded message (protobuf's wire format). Checks lengths and stops at
/// invalid data, and at the groups of old protobuf versions.
class WireReader
{
public:
    explicit WireReader(std::string_view message)
        : m_rest(message)
    {
    }

    /// Reads the next field, whose content is a view into the message. Returns false at the end, or if the
    /// message is broken (`isBroken`).
    bool next(Field& field);
    bool isBroken() const { return m_broken; }
    /// Reads the next number of a packed list of varints. Returns false at the end, or for a broken number.
    bool readVarint(std::uint64_t& value);
    /// True if nothing is left to read.
    bool isAtEnd() const { return m_rest.empty(); }

private:
    bool readFixed(std::size_t bytes, std::uint64_t& value);
    bool markBroken();

    std::string_view m_rest;
    bool m_broken = false;
};

} // namespace highwater::protobuf
