#include "importers/pickle/reference_list_cache.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace highwater {

namespace {
/// Most bytes of remembered lists, because a hostile file may consist of nothing but different lists.
constexpr std::size_t kMaxCachedBytes = 64u << 20;
} // namespace

bool ReferenceListCache::matches(const List& list, const std::uint8_t* bytes, std::size_t available) const
{
    return list.length <= available
        && std::memcmp(m_encodedLists.data() + list.offset, bytes, list.length) == 0;
}

ReferenceListCache::Hit ReferenceListCache::setPrevious(std::uint32_t index)
{
    if (m_previous != kNone)
        m_lists[m_previous].next = index;
    m_previous = index;
    return {m_lists[index].value, m_lists[index].length};
}

ReferenceListCache::Hit ReferenceListCache::predicted(const std::uint8_t* bytes, std::size_t available)
{
    if (m_previous == kNone || m_lists[m_previous].next == kNone)
        return {};
    const std::uint32_t guess = m_lists[m_previous].next;
    return matches(m_lists[guess], bytes, available) ? setPrevious(guess) : Hit{};
}

ReferenceListCache::Hit ReferenceListCache::find(const std::uint8_t* list, std::size_t length)
{
    const auto found = m_byHash.find(XXH3_64bits(list, length));
    if (found == m_byHash.end() || m_lists[found->second].length != length
        || !matches(m_lists[found->second], list, length))
        return {};
    return setPrevious(found->second);
}

void ReferenceListCache::remember(const std::uint8_t* list, std::size_t length, const Value& value)
{
    if (m_encodedLists.size() + length > kMaxCachedBytes)
        return;
    const auto index = static_cast<std::uint32_t>(m_lists.size());
    if (!m_byHash.try_emplace(XXH3_64bits(list, length), index).second)
        return;
    m_lists.push_back({m_encodedLists.size(), length, value, kNone});
    m_encodedLists.insert(m_encodedLists.end(), list, list + length);
    setPrevious(index);
}

void ReferenceListCache::clear()
{
    *this = ReferenceListCache();
}

} // namespace highwater
