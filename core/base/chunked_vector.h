#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace highwater {

/// A sequence in chunks of at most kMaxInChunk values: inserting and erasing move the values of one chunk
/// only. A copy shares all chunks with its original and costs one pointer per chunk. The first change to a
/// shared chunk copies that chunk. Positions are valid until the next insertion or erasure.
///
/// Copies may be read in several threads. One thread may change a copy while other threads copy or read the
/// original, as long as the original lives.
template <typename T>
class ChunkedVector
{
public:
    static constexpr std::size_t kMaxInChunk = 128;

    struct Position
    {
        std::size_t chunk = 0;
        std::size_t index = 0;
        bool operator==(const Position&) const = default;
    };

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    Position begin() const { return {}; }
    Position end() const { return {m_chunks.size(), 0}; }
    const T& operator[](Position position) const { return (*m_chunks[position.chunk])[position.index]; }
    /// Returns the value for changing it. The reference is valid until the sequence is changed or copied.
    T& edit(Position position) { return unsharedChunk(position.chunk)[position.index]; }

    Position next(Position position) const
    {
        return position.index + 1 < m_chunks[position.chunk]->size()
            ? Position{position.chunk, position.index + 1}
            : Position{position.chunk + 1, 0};
    }
    Position previous(Position position) const
    {
        return position.index > 0 ? Position{position.chunk, position.index - 1}
                                  : Position{position.chunk - 1, m_chunks[position.chunk - 1]->size() - 1};
    }

    /// Returns the position of the first value for which `isBefore` is false; `isBefore` must be true for all
    /// values before it. O(log size).
    template <typename Predicate>
    Position partitionPoint(Predicate&& isBefore) const
    {
        const auto chunk = std::ranges::partition_point(
            m_chunks, [&](const Chunk& values) { return isBefore(values->back()); });
        if (chunk == m_chunks.end())
            return end();
        const std::vector<T>& values = **chunk;
        const auto value = std::partition_point(values.begin(), values.end(), isBefore);
        return {static_cast<std::size_t>(chunk - m_chunks.begin()),
            static_cast<std::size_t>(value - values.begin())};
    }

    /// Inserts a value before a position and returns the position of the value. O(kMaxInChunk), plus
    /// O(chunks) if the chunk is full and is split in half. At the end, a full chunk is followed by a new
    /// one.
    Position insert(Position before, T value)
    {
        ++m_size;
        if (before == end()) {
            // Appending: chunks that are filled in order stay full.
            if (m_chunks.empty() || m_chunks.back()->size() == kMaxInChunk)
                m_chunks.push_back(std::make_shared<std::vector<T>>());
            std::vector<T>& last = unsharedChunk(m_chunks.size() - 1);
            last.push_back(std::move(value));
            return {m_chunks.size() - 1, last.size() - 1};
        }
        if (m_chunks[before.chunk]->size() == kMaxInChunk)
            before = split(before);
        std::vector<T>& values = unsharedChunk(before.chunk);
        values.insert(values.begin() + static_cast<std::ptrdiff_t>(before.index), std::move(value));
        return before;
    }

    /// Erases the value at a position, which must not be the end, and returns the position of the value after
    /// it. O(kMaxInChunk), plus O(chunks) if the chunk becomes empty.
    Position erase(Position position)
    {
        --m_size;
        std::vector<T>& values = unsharedChunk(position.chunk);
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(position.index));
        if (values.empty())
            m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(position.chunk));
        else if (position.index == values.size())
            return {position.chunk + 1, 0};
        return position;
    }

    /// Returns all values, in order.
    std::vector<T> values() const
    {
        std::vector<T> all;
        all.reserve(m_size);
        for (const Chunk& chunk : m_chunks)
            all.insert(all.end(), chunk->begin(), chunk->end());
        return all;
    }

    /// Returns the bytes used; the bytes of a shared chunk are divided equally among the copies that share
    /// it.
    std::size_t memoryBytes() const
    {
        std::size_t bytes = m_chunks.capacity() * sizeof(m_chunks[0]);
        for (const Chunk& chunk : m_chunks)
            bytes += (sizeof(*chunk) + chunk->capacity() * sizeof(T))
                / static_cast<std::size_t>(chunk.use_count());
        return bytes;
    }

private:
    using Chunk = std::shared_ptr<std::vector<T>>;

    /// Returns a chunk that no copy shares; copies it first if one does.
    std::vector<T>& unsharedChunk(std::size_t index)
    {
        Chunk& chunk = m_chunks[index];
        if (chunk.use_count() > 1)
            chunk = std::make_shared<std::vector<T>>(*chunk);
        return *chunk;
    }

    /// Splits a full chunk in half. Returns the new position of the value at `position`.
    Position split(Position position)
    {
        constexpr std::size_t half = kMaxInChunk / 2;
        std::vector<T>& full = unsharedChunk(position.chunk);
        auto upper = std::make_shared<std::vector<T>>(
            std::make_move_iterator(full.begin() + half), std::make_move_iterator(full.end()));
        full.erase(full.begin() + half, full.end());
        m_chunks.insert(m_chunks.begin() + static_cast<std::ptrdiff_t>(position.chunk + 1), std::move(upper));
        return position.index < half ? position : Position{position.chunk + 1, position.index - half};
    }

    std::vector<Chunk> m_chunks; ///< No chunk is empty
    std::size_t m_size = 0;
};

} // namespace highwater
