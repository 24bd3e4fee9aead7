#include "core/base/string_pool.h"

#include <algorithm>

namespace highwater {

namespace {
constexpr std::size_t kChunkBytes = 64 * 1024;
}

StringId StringPool::intern(std::string_view text)
{
    if (auto found = m_ids.find(text); found != m_ids.end())
        return StringId(found->second);
    const std::string_view stored = store(text);
    const auto id = static_cast<std::uint32_t>(m_views.size());
    m_views.push_back(stored);
    m_ids.emplace(stored, id);
    return StringId(id);
}

StringId StringPool::find(std::string_view text) const
{
    auto found = m_ids.find(text);
    return found == m_ids.end() ? StringId() : StringId(found->second);
}

std::string_view StringPool::view(StringId id) const
{
    return id.index() < m_views.size() ? m_views[id.index()] : std::string_view();
}

std::string_view StringPool::store(std::string_view text)
{
    if (m_chunks.empty() || m_chunkUsed + text.size() > m_chunkSize) {
        m_chunkSize = std::max(kChunkBytes, text.size());
        m_chunks.push_back(std::make_unique<char[]>(m_chunkSize));
        m_chunkUsed = 0;
    }
    char* copy = m_chunks.back().get() + m_chunkUsed;
    std::copy(text.begin(), text.end(), copy);
    m_chunkUsed += text.size();
    m_textBytes += text.size();
    return {copy, text.size()};
}

} // namespace highwater
