#pragma once

#include <cstdint>
#include <vector>

#include "core/base/hash.h"
#include "importers/pickle/value.h"

namespace highwater {

/// Values of lists that consist of memo references alone, found again by the bytes that wrote them.
///
/// In a memory snapshot 70 to 85 % of the bytes are such lists: each captured stack, again and again. Reading
/// one a second time costs one comparison of bytes. What followed last time is tried first, since a training
/// loop repeats itself; else the bytes' hash decides, confirmed by comparing them.
class ReferenceListCache
{
public:
    struct Hit
    {
        Value value;
        std::size_t length = 0; ///< bytes of the references and the closing opcode; 0: not found
    };

    /// The list that followed the previous one last time, if its bytes are at `at`.
    Hit predicted(const std::uint8_t* at, std::size_t available);
    /// The list written by exactly these bytes.
    Hit find(const std::uint8_t* bytes, std::size_t length);
    void remember(const std::uint8_t* bytes, std::size_t length, const Value& value);
    /// To be called when a memo entry gets another meaning.
    void clear();

    std::size_t memoryBytes() const { return m_bytes.size() + m_lists.size() * (sizeof(List) + 24); }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    struct List
    {
        std::size_t offset = 0;
        std::size_t length = 0;
        Value value;
        std::uint32_t next = kNone; ///< the list that followed this one last time
    };

    bool matches(const List& list, const std::uint8_t* at, std::size_t available) const;
    Hit follow(std::uint32_t index);

    std::vector<std::uint8_t> m_bytes;
    std::vector<List> m_lists;
    NumberMap<std::uint64_t, std::uint32_t> m_byHash;
    std::uint32_t m_previous = kNone;
};

} // namespace highwater
