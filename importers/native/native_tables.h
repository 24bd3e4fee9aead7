#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

/// The small tables of the own file, each a section of columns (native_format.h).
namespace highwater::native {

/// Reads the columns of a small table from its section, field by field.
class TableReader
{
public:
    /// `rowBytes`: of all fields together.
    TableReader(std::string_view bytes, std::size_t rowBytes)
        : m_bytes(bytes)
        , m_rows(bytes.size() / rowBytes)
        , m_whole(bytes.size() % rowBytes == 0)
    {
    }
    std::size_t rows() const { return m_rows; }
    bool isWhole() const { return m_whole; }

    template <typename T, typename Set>
    void column(Set set)
    {
        for (std::size_t row = 0; row < m_rows; ++row) {
            T value;
            std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
            m_at += sizeof value;
            set(row, value);
        }
    }

private:
    std::string_view m_bytes;
    std::size_t m_rows;
    bool m_whole;
    std::size_t m_at = 0;
};

/// Each reads the bytes of its section; false: they are not whole rows. References in the rows are checked
/// later (`firstProblem`).
bool fillSegments(std::string_view bytes, SegmentTable& segments);
bool fillBlocks(std::string_view bytes, SegmentTable& segments);
/// After the blocks.
bool fillBlockCategories(std::string_view bytes, SegmentTable& segments);
bool fillSpans(std::string_view bytes, std::vector<Span>& rows);
/// After the spans.
bool fillSpanProcesses(std::string_view bytes, std::vector<Span>& rows);
bool fillActivities(std::string_view bytes, ActivityTable& rows);

} // namespace highwater::native
