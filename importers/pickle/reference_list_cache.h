#pragma once

#include <cstdint>
#include <vector>

#include "core/base/hash.h"
#include "importers/pickle/value.h"

namespace highwater {

/// Remembers lists that consist only of memo references, and finds their values again by their bytes in the
/// pickle.
///
/// In a memory snapshot 70 to 85% of the bytes are such lists, because each captured stack is repeated many
/// times. The list that followed last time is tried first, because a training loop repeats itself; if it
/// fits, reading a list costs one comparison of bytes. Otherwise the bytes are looked up by their hash and
/// compared.
class ReferenceListCache
{
public:
    struct Hit
    {
        Value value;
        std::size_t length = 0; ///< length of the references and the closing opcode; 0 if not found
    };

    /// Returns the list that followed the previous one last time, if `bytes` begins with
    /// its bytes.
    Hit predicted(const std::uint8_t* bytes, std::size_t available);
    /// Returns the remembered list with exactly these bytes.
    Hit find(const std::uint8_t* list, std::size_t length);
    /// Remembers the value of a list. Does nothing once the lists take 64 MiB.
    void remember(const std::uint8_t* list, std::size_t length, const Value& value);
    /// Forgets all lists. Call it before a memo entry is overwritten.
    void clear();

    std::size_t memoryBytes() const { return m_encodedLists.size() + m_lists.size() * (sizeof(List) + 24); }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    struct List
    {
        std::size_t offset = 0;
        std::size_t length = 0;
        Value value;
        std::uint32_t next = kNone; ///< the list that followed this one last time
    };

    bool matches(const List& list, const std::uint8_t* bytes, std::size_t available) const;
    Hit setPrevious(std::uint32_t index);

    std::vector<std::uint8_t> m_encodedLists;
    std::vector<List> m_lists;
    NumberMap<std::uint64_t, std::uint32_t> m_byHash;
    std::uint32_t m_previous = kNone;
};

} // namespace highwater
