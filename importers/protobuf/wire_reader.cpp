#include "importers/protobuf/wire_reader.h"

#include "importers/source/little_endian.h"

namespace highwater::protobuf {

bool WireReader::markBroken()
{
    m_broken = true;
    m_rest = {};
    return false;
}

bool WireReader::readVarint(std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

bool WireReader::readFixed(std::size_t bytes, std::uint64_t& value)
{
    if (m_rest.size() < bytes)
        return false;
    value = littleEndian(m_rest.substr(0, bytes));
    m_rest.remove_prefix(bytes);
    return true;
}

bool WireReader::next(Field& field)
{
    if (m_rest.empty())
        return false;
    std::uint64_t key = 0;
    if (!readVarint(key))
        return markBroken();
    field.number = static_cast<std::uint32_t>(key >> 3);
    field.kind = static_cast<Field::Kind>(key & 7);
    field.value = 0;
    field.content = {};
    switch (field.kind) {
    case Field::Kind::Varint: return readVarint(field.value) || markBroken();
    case Field::Kind::Fixed64: return readFixed(8, field.value) || markBroken();
    case Field::Kind::Fixed32: return readFixed(4, field.value) || markBroken();
    case Field::Kind::Bytes: break;
    default: return markBroken();
    }
    std::uint64_t length = 0;
    if (!readVarint(length) || length > m_rest.size())
        return markBroken();
    field.content = m_rest.substr(0, length);
    m_rest.remove_prefix(length);
    return true;
}

} // namespace highwater::protobuf
