#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "core/base/memory_limit.h"

namespace highwater {

/// A growing array of plain values, used as one column of a table.
///
/// Unlike std::vector it grows through realloc, which moves a large array by remapping its pages: a column of
/// a hundred million values is built without copying it or holding it twice. Growing throws std::bad_alloc
/// beyond the memory limit. Move-only.
template <typename T>
class Column
{
    static_assert(std::is_trivially_copyable_v<T>, "a column holds plain values");

public:
    Column() = default;
    Column(Column&& other) noexcept { swap(other); }
    Column& operator=(Column&& other) noexcept
    {
        swap(other);
        return *this;
    }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    ~Column() { freeWithinLimit(m_data); }

    void push_back(T value)
    {
        if (m_size == m_capacity)
            reserve(m_capacity + m_capacity / 2 + 64);
        m_data[m_size++] = value;
    }

    void reserve(std::size_t capacity)
    {
        if (capacity <= m_capacity)
            return;
        void* moved = reallocateWithinLimit(static_cast<void*>(m_data), capacity * sizeof(T));
        if (!moved)
            throw std::bad_alloc();
        m_data = static_cast<T*>(moved);
        m_capacity = capacity;
    }

    /// Sets the size; new values, if any, are `fill`.
    void resize(std::size_t size, T fill = T{})
    {
        reserve(size);
        for (std::size_t i = m_size; i < size; ++i)
            m_data[i] = fill;
        m_size = size;
    }

    /// Sets the size; new values, if any, are uninitialised and must be written next.
    void resizeForOverwrite(std::size_t size)
    {
        reserve(size);
        m_size = size;
    }

    void pop_back() { --m_size; }
    void clear() { m_size = 0; }

    T& operator[](std::size_t i) { return m_data[i]; }
    const T& operator[](std::size_t i) const { return m_data[i]; }
    T& back() { return m_data[m_size - 1]; }
    const T& back() const { return m_data[m_size - 1]; }
    T* data() { return m_data; }
    const T* data() const { return m_data; }
    T* begin() { return m_data; }
    T* end() { return m_data + m_size; }
    const T* begin() const { return m_data; }
    const T* end() const { return m_data + m_size; }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    std::size_t capacity() const { return m_capacity; }
    /// Returns the bytes of the values, without unused capacity.
    std::size_t memoryBytes() const { return m_size * sizeof(T); }

    void swap(Column& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
    }

private:
    T* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace highwater
