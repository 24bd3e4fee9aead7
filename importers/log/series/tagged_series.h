#pragma once

#include <string>

#include "importers/log/series/key_meanings.h"
#include "importers/log/series/series_store.h"

namespace highwater::logs {

/// Series of a tracker's file, named by their tags. What a tag measures follows from the table's rules for
/// keys; unknown ones are kept as bare numbers.
class TaggedSeries
{
public:
    /// `shape`: what rules may name the file's kind by.
    TaggedSeries(const PatternTable& table, std::string shape);

    void add(const std::string& tag, double value, const SeriesPoint& point);
    std::size_t memoryBytes() const { return m_series.memoryBytes(); }
    void moveTo(TraceBuilder& builder);

private:
    std::string m_shape;
    SeriesStore m_series;
    KeyMeanings m_meanings;
};

} // namespace highwater::logs
