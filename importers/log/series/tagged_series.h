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
    /// They go to `series`, which must outlive it. `shape`: what rules may name the file's kind by.
    TaggedSeries(const PatternTable& table, SeriesStore& series, std::string shape);

    void add(const std::string& tag, double value, const SeriesPoint& point);

private:
    std::string m_shape;
    SeriesStore& m_series;
    KeyMeanings m_meanings;
};

} // namespace highwater::logs
