#include "importers/log/series/tagged_series.h"

namespace highwater::logs {

TaggedSeries::TaggedSeries(const PatternTable& table, SeriesStore& series, std::string shape)
    : m_shape(std::move(shape))
    , m_series(series)
    , m_meanings(table, series)
{
}

void TaggedSeries::add(const std::string& tag, double value, const SeriesPoint& point)
{
    const KeyMeaning& meaning = m_meanings.meaningOfKey(m_shape, tag);
    const bool isFigure = meaning.rule && meaning.rule->role == Role::Figure;
    SeriesPoint scaled = point;
    scaled.value = value * (isFigure ? meaning.factor : 1);
    Writer writer;
    if (isFigure)
        writer.device = meaning.device;
    SeriesSpec unitlessSpec;
    unitlessSpec.name = tag;
    unitlessSpec.family = m_shape;
    m_series.add(isFigure ? meaning.spec : m_series.spec(unitlessSpec), writer, scaled);
}

} // namespace highwater::logs
