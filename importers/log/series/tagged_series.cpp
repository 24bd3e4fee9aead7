#include "importers/log/series/tagged_series.h"

namespace highwater::logs {

TaggedSeries::TaggedSeries(const PatternTable& table, std::string shape)
    : m_shape(std::move(shape))
    , m_meanings(table, m_series)
{
}

void TaggedSeries::add(const std::string& tag, double value, const SeriesPoint& point)
{
    const KeyMeaning& meaning = m_meanings.of(m_shape, tag);
    const bool isFigure = meaning.rule && meaning.rule->role == Role::Figure;
    SeriesPoint scaled = point;
    scaled.value = value * (isFigure ? meaning.factor : 1);
    Writer writer;
    if (isFigure)
        writer.device = meaning.device;
    SeriesSpec plain;
    plain.name = tag;
    plain.family = m_shape;
    m_series.add(isFigure ? meaning.spec : m_series.spec(plain), writer, scaled);
}

void TaggedSeries::moveTo(TraceBuilder& builder)
{
    if (!m_series.hasMemoryFigures())
        builder.log().add(
            Severity::Info, "no-memory-figures", "no series is a figure of memory in a form that is known");
    if (m_series.notFinite() > 0)
        builder.log().add(Severity::Info, "value-not-finite", "a value is no finite number; it is left out",
            {}, m_series.notFinite());
    m_series.moveTo(builder);
}

} // namespace highwater::logs
