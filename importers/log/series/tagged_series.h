#pragma once

#include <string>

#include "importers/log/series/key_meanings.h"
#include "importers/log/series/series_store.h"

namespace highwater::logs {

/// Collects the series of a tracker's file by tag. The table's rules for keys say what a tag measures;
/// unknown tags are kept as numbers without a unit.
class TaggedSeries
{
public:
    /// The series go to `series`, which must outlive this object. `shape` is the name by which rules refer to
    /// this kind of file.
    TaggedSeries(const PatternTable& table, SeriesStore& series, std::string shape);

    /// Adds a point with this value, in the unit of the tag, and the step and time of `point`.
    void add(const std::string& tag, double value, const SeriesPoint& point);

private:
    std::string m_shape;
    SeriesStore& m_series;
    KeyMeanings m_meanings;
};

} // namespace highwater::logs
