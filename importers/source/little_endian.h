#pragma once

#include <cstdint>
#include <string_view>

namespace highwater {

/// Decodes a little-endian number of at most 8 bytes.
inline std::uint64_t littleEndian(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

} // namespace highwater
