#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace highwater {

/// A sequence in chunks of at most kMostInChunk values: inserting and erasing move the values of one chunk,
/// not all that follow. Copying it costs little more than copying a vector. Positions hold until the next
/// change.
template <typename T>
class ChunkedVector
{
public:
    static constexpr std::size_t kMostInChunk = 128;

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
    T& operator[](Position at) { return m_chunks[at.chunk][at.index]; }
    const T& operator[](Position at) const { return m_chunks[at.chunk][at.index]; }

    Position next(Position at) const
    {
        return at.index + 1 < m_chunks[at.chunk].size() ? Position{at.chunk, at.index + 1}
                                                        : Position{at.chunk + 1, 0};
    }
    Position previous(Position at) const
    {
        return at.index > 0 ? Position{at.chunk, at.index - 1}
                            : Position{at.chunk - 1, m_chunks[at.chunk - 1].size() - 1};
    }

    /// The first value for which `isBefore` is false; it must be true for all before that one. O(log size).
    template <typename Predicate>
    Position partitionPoint(Predicate&& isBefore) const
    {
        const auto chunk = std::ranges::partition_point(
            m_chunks, [&](const std::vector<T>& values) { return isBefore(values.back()); });
        if (chunk == m_chunks.end())
            return end();
        const auto value = std::partition_point(chunk->begin(), chunk->end(), isBefore);
        return {static_cast<std::size_t>(chunk - m_chunks.begin()),
            static_cast<std::size_t>(value - chunk->begin())};
    }

    /// O(kMostInChunk), plus O(chunks) once in that many calls. Returns the position of the value.
    Position insert(Position before, T value)
    {
        ++m_size;
        if (before == end()) {
            // Appending: chunks that are filled in order stay full.
            if (m_chunks.empty() || m_chunks.back().size() == kMostInChunk)
                m_chunks.emplace_back();
            m_chunks.back().push_back(std::move(value));
            return {m_chunks.size() - 1, m_chunks.back().size() - 1};
        }
        if (m_chunks[before.chunk].size() == kMostInChunk)
            before = split(before);
        std::vector<T>& values = m_chunks[before.chunk];
        values.insert(values.begin() + static_cast<std::ptrdiff_t>(before.index), std::move(value));
        return before;
    }

    /// As insert. Returns the position of the value that followed.
    Position erase(Position at)
    {
        --m_size;
        std::vector<T>& values = m_chunks[at.chunk];
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(at.index));
        if (values.empty())
            m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(at.chunk));
        else if (at.index == values.size())
            return {at.chunk + 1, 0};
        return at;
    }

    /// All values, in order.
    std::vector<T> values() const
    {
        std::vector<T> all;
        all.reserve(m_size);
        for (const std::vector<T>& chunk : m_chunks)
            all.insert(all.end(), chunk.begin(), chunk.end());
        return all;
    }

    std::size_t memoryBytes() const
    {
        std::size_t bytes = m_chunks.capacity() * sizeof(m_chunks[0]);
        for (const std::vector<T>& chunk : m_chunks)
            bytes += chunk.capacity() * sizeof(T);
        return bytes;
    }

private:
    /// Splits the chunk in half. Returns where the position is afterwards.
    Position split(Position at)
    {
        constexpr std::size_t half = kMostInChunk / 2;
        std::vector<T>& full = m_chunks[at.chunk];
        std::vector<T> upper(
            std::make_move_iterator(full.begin() + half), std::make_move_iterator(full.end()));
        full.erase(full.begin() + half, full.end());
        m_chunks.insert(m_chunks.begin() + static_cast<std::ptrdiff_t>(at.chunk + 1), std::move(upper));
        return at.index < half ? at : Position{at.chunk + 1, at.index - half};
    }

    std::vector<std::vector<T>> m_chunks; ///< none is empty
    std::size_t m_size = 0;
};

} // namespace highwater
