#include "importers/log/figure_sink.h"

#include <tuple>

namespace highwater::logs {

FigureSink::FigureSink(SeriesStore& series, StepTracker& steps, ClockTracker& clock, TimeFinder& times)
    : m_series(series)
    , m_steps(steps)
    , m_clock(clock)
    , m_times(times)
{
}

void FigureSink::beginRecord(const LineContext& context, const RecordFacts& facts)
{
    m_writer = context.writer;
    if (facts.rank)
        m_writer.rank = facts.rank;
    m_writer.device = facts.device;
    m_point = {};
    m_point.line = context.line;
    m_point.epoch = facts.epoch;
    if (facts.step) {
        m_steps.record(m_writer, *facts.step, context.line);
        m_point.step = *facts.step;
        m_point.stepNumbering = StepNumbering::Record;
    } else {
        std::tie(m_point.step, m_point.stepNumbering) = m_steps.find(m_writer);
    }
    const std::optional<LineTime> time = facts.time ? facts.time : m_times.find(context.whole);
    if (time)
        m_point.time = m_clock.accept(*time);
    m_point.label = m_series.label(facts.label.substr(0, 200));
}

void FigureSink::add(SpecId spec, double value)
{
    m_point.value = value;
    m_series.add(spec, m_writer, m_point);
}

void FigureSink::add(SpecId spec, double value, std::int64_t device)
{
    Writer writer = m_writer;
    writer.device = device;
    m_point.value = value;
    m_series.add(spec, writer, m_point);
}

} // namespace highwater::logs
