#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <utility>

namespace highwater {

/// A random-access iterator over a table that makes its rows on demand: `table[i]` returns by value. The
/// table must outlive the iterator.
template <typename Table>
class IndexIterator
{
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = decltype(std::declval<const Table&>()[0]);
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    IndexIterator() = default;
    IndexIterator(const Table& table, std::size_t index)
        : m_table(&table)
        , m_index(static_cast<std::ptrdiff_t>(index))
    {
    }

    value_type operator*() const { return (*m_table)[static_cast<std::size_t>(m_index)]; }
    value_type operator[](std::ptrdiff_t n) const { return *(*this + n); }
    IndexIterator& operator+=(std::ptrdiff_t n)
    {
        m_index += n;
        return *this;
    }
    IndexIterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
    IndexIterator& operator++() { return *this += 1; }
    IndexIterator& operator--() { return *this -= 1; }
    IndexIterator operator++(int) { return std::exchange(*this, *this + 1); }
    IndexIterator operator--(int) { return std::exchange(*this, *this - 1); }
    friend IndexIterator operator+(IndexIterator i, std::ptrdiff_t n) { return i += n; }
    friend IndexIterator operator+(std::ptrdiff_t n, IndexIterator i) { return i += n; }
    friend IndexIterator operator-(IndexIterator i, std::ptrdiff_t n) { return i -= n; }
    friend std::ptrdiff_t operator-(const IndexIterator& a, const IndexIterator& b)
    {
        return a.m_index - b.m_index;
    }
    bool operator==(const IndexIterator& other) const { return m_index == other.m_index; }
    auto operator<=>(const IndexIterator& other) const { return m_index <=> other.m_index; }

private:
    const Table* m_table = nullptr;
    std::ptrdiff_t m_index = 0;
};

/// Successive rows of a table, by value. The table must outlive the range.
template <typename Table>
class IndexRange
{
public:
    IndexRange(const Table& table, std::size_t first, std::size_t last)
        : m_begin(table, first)
        , m_end(table, last)
    {
    }

    std::size_t size() const { return static_cast<std::size_t>(m_end - m_begin); }
    bool empty() const { return m_begin == m_end; }
    auto operator[](std::size_t i) const { return m_begin[static_cast<std::ptrdiff_t>(i)]; }
    auto front() const { return *m_begin; }
    IndexIterator<Table> begin() const { return m_begin; }
    IndexIterator<Table> end() const { return m_end; }

private:
    IndexIterator<Table> m_begin;
    IndexIterator<Table> m_end;
};

} // namespace highwater
