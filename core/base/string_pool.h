#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "core/base/strong_id.h"

namespace highwater {

using StringId = StrongId<struct StringTag>;

/// Interned strings. Ids count from 0 in order of first appearance; views stay valid as long as the pool.
class StringPool
{
public:
    StringId intern(std::string_view text);
    /// Returns the id of a string, or none if it is not in the pool.
    StringId find(std::string_view text) const;
    /// Returns the string; empty for none and for ids that are out of range.
    std::string_view view(StringId id) const;
    std::size_t size() const { return m_views.size(); }
    /// Returns an estimate of the memory used.
    std::size_t memoryBytes() const { return m_textBytes + m_views.size() * 64; }

private:
    std::string_view store(std::string_view text);

    std::deque<std::unique_ptr<char[]>> m_chunks;
    std::size_t m_chunkUsed = 0;
    std::size_t m_chunkSize = 0;
    std::size_t m_textBytes = 0;
    std::vector<std::string_view> m_views;
    tsl::robin_map<std::string_view, std::uint32_t> m_ids;
};

} // namespace highwater
