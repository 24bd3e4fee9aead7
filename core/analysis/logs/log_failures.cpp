#include "core/analysis/logs/log_failures.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

/// True for the message with which PyTorch passes on the error of a replica or a worker. The original error
/// follows.
bool passesOnError(const LogEvent& event)
{
    return event.kind == LogEvent::Kind::Unclear && contains(event.text, "Caught OutOfMemoryError in ");
}

/// Counts each message that passes on an error as a copy of the failure after it.
void joinPassedOn(const Trace& trace, std::vector<LogFailure>& failures)
{
    for (std::size_t i = failures.size(); i-- > 1;) {
        const LogEvent& original = trace.logEvents[failures[i].event];
        if (!original.isMemoryFailure() || !passesOnError(trace.logEvents[failures[i - 1].event]))
            continue;
        failures[i].copies += failures[i - 1].copies;
        failures.erase(failures.begin() + static_cast<std::ptrdiff_t>(i - 1));
    }
}

} // namespace

std::vector<LogFailure> failuresOfEveryKind(const Trace& trace)
{
    std::vector<LogFailure> failures;
    std::vector<std::size_t> indexOf; // index into `failures` by failure number
    for (std::size_t i = 0; i < trace.logEvents.size(); ++i) {
        const std::int64_t failure = trace.logEvents[i].failure;
        if (failure < 0 || static_cast<std::size_t>(failure) > trace.logEvents.size())
            continue;
        const auto number = static_cast<std::size_t>(failure);
        if (indexOf.size() <= number)
            indexOf.resize(number + 1, trace.logEvents.size());
        if (indexOf[number] >= failures.size()) {
            indexOf[number] = failures.size();
            failures.push_back({i, 1});
            continue;
        }
        LogFailure& known = failures[indexOf[number]];
        ++known.copies;
        if (trace.logEvents[known.event].kind == LogEvent::Kind::Unclear
            && trace.logEvents[i].kind != LogEvent::Kind::Unclear)
            known.event = i;
    }
    std::ranges::sort(failures, {}, &LogFailure::event);
    joinPassedOn(trace, failures);
    return failures;
}

std::vector<LogFailure> logFailures(const Trace& trace)
{
    std::vector<LogFailure> failures = failuresOfEveryKind(trace);
    std::erase_if(failures, [&](const LogFailure& failure) {
        return trace.logEvents[failure.event].kind != LogEvent::Kind::Oom;
    });
    return failures;
}

MemoryFailureEnd::MemoryFailureEnd(const Trace& log)
{
    const auto found = std::ranges::find_if(log.logEvents, [](const LogEvent& event) {
        return event.isMemoryFailure() && event.kind != LogEvent::Kind::Unclear && event.fatal != false;
    });
    if (found == log.logEvents.end())
        return;
    m_line = found->line;
    m_failure = found->failure;
    // Other ranks may log a step or two before they notice; a third one means that the run goes on.
    constexpr std::size_t kMaxLatePoints = 2;
    for (const CounterSeries& series : log.counters) {
        std::size_t late = 0;
        for (const std::uint64_t line : series.line) {
            late += line > m_line ? 1 : 0;
            if (late <= kMaxLatePoints)
                continue;
            m_workLine = m_workLine == 0 ? line : std::min(m_workLine, line);
            break;
        }
    }
}

bool MemoryFailureEnd::explains(const LogEvent& event) const
{
    const bool isConsequence = event.kind == LogEvent::Kind::Unclear
        || (event.kind == LogEvent::Kind::Other && event.pattern == "other.collective");
    return isConsequence && m_line > 0 && event.line > m_line && (m_workLine == 0 || event.line < m_workLine)
        && (event.failure == LogEvent::kNoFailure || event.failure != m_failure);
}

std::string deviceText(const LogEvent& event)
{
    if (!event.figures || !event.figures->device)
        return {};
    const OomFigures& figures = *event.figures;
    const std::string_view kind = figures.deviceKind.empty() ? "GPU" : std::string_view(figures.deviceKind);
    return fmt::format("{} {}", sanitizedText(kind), *figures.device);
}

std::vector<SharedFailure> sharedFailures(const Trace& trace)
{
    const auto deviceOf = [&](const LogFailure& failure) {
        const std::optional<OomFigures>& figures = trace.logEvents[failure.event].figures;
        return figures ? figures->device : std::nullopt;
    };
    std::vector<SharedFailure> shared;
    // Index into `shared` of the first failure with each requested size. A failure of the same request on
    // another device is added to that entry; a failure on the same device gets an entry of its own.
    std::map<std::pair<Bytes, Bytes>, std::size_t> firstOf;
    for (const LogFailure& failure : logFailures(trace)) {
        const std::optional<OomFigures>& figures = trace.logEvents[failure.event].figures;
        SharedFailure* sameRequest = nullptr;
        if (figures && figures->requested) {
            const auto [first, isNew] = firstOf.try_emplace(
                {figures->requested->bytes, figures->requested->rounding}, shared.size());
            if (!isNew && deviceOf(shared[first->second].first) != figures->device)
                sameRequest = &shared[first->second];
        }
        if (sameRequest)
            sameRequest->others.push_back(failure);
        else
            shared.push_back({failure, {}});
    }
    return shared;
}

std::string othersText(const Trace& trace, const SharedFailure& failure)
{
    constexpr std::size_t kMaxNamed = 16;
    std::string text;
    const std::size_t named = std::min(failure.others.size(), kMaxNamed);
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "also " : "; ") + placeText(trace.logEvents[failure.others[i].event]);
    if (failure.others.size() > named)
        text += fmt::format("; and {} more", failure.others.size() - named);
    return text;
}

std::vector<std::size_t> seriesOrder(const Trace& trace)
{
    std::vector<std::size_t> order(trace.counters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
        const CounterSeries& series = trace.counters[i];
        return measuresDevice(series) ? 0 : series.unit == "bytes" ? 1 : 2;
    });
    return order;
}

std::string stepText(const LogEvent& event)
{
    if (event.step == LogEvent::kNoStep)
        return {};
    return event.stepInferred ? fmt::format("after step {}", event.step - 1)
                              : fmt::format("during step {}", event.step);
}

std::string messageExcerpt(const LogEvent& event)
{
    constexpr std::size_t longest = 160;
    return sanitizedText(cutText(event.text, longest));
}

std::string placeText(const LogEvent& event)
{
    std::string text = fmt::format("line {}", formatCount(event.line));
    if (event.rank)
        text += fmt::format(", rank {}", *event.rank);
    else if (!event.process.empty())
        text += ", " + event.process;
    if (const std::string device = deviceText(event); !device.empty())
        text += ", " + device;
    if (const std::string step = stepText(event); !step.empty())
        text += ", " + step;
    return text;
}

bool isSettingWarning(const LogEvent& event)
{
    return event.pattern == "torch.expandable";
}

std::string writerOfSeries(const CounterSeries& series)
{
    std::string text = series.rank ? fmt::format("rank {}", *series.rank) : std::string();
    if (series.deviceOrdinal)
        text += fmt::format("{}GPU {}", text.empty() ? "" : ", ", *series.deviceOrdinal);
    return text.empty() ? series.process : text;
}

std::string valueText(const CounterSeries& series, double value)
{
    if (series.unit == "bytes")
        return formatBytes(static_cast<Bytes>(value));
    return fmt::format(
        "{:.6g}{}{}", value, series.unit.empty() || series.unit == "%" ? "" : " ", series.unit);
}

bool measuresDevice(const CounterSeries& series)
{
    return series.unit == "bytes" && series.metric != "device_total" && !series.metric.starts_with("host")
        && !contains(series.name, "cpu");
}

std::optional<Bytes> loggedCapacity(const Trace& trace)
{
    std::optional<Bytes> capacity;
    const auto raiseTo = [&](Bytes bytes) { capacity = std::max(capacity.value_or(0), bytes); };
    for (const CounterSeries& series : trace.counters)
        if (series.metric == "device_total" && series.unit == "bytes")
            for (const double value : series.value)
                raiseTo(static_cast<Bytes>(value));
    for (const LogEvent& event : trace.logEvents)
        if (event.figures && event.figures->capacity)
            raiseTo(event.figures->capacity->bytes);
    return capacity;
}

bool hasReadableText(const Trace& trace)
{
    const TraceKind kind = trace.metadata.kind;
    return kind != TraceKind::TensorBoardEvents && kind != TraceKind::WandbRun && kind != TraceKind::Native;
}

bool isLog(const Trace& trace)
{
    return trace.devices.empty()
        && (!trace.counters.empty() || !trace.logEvents.empty()
            || trace.metadata.kind == TraceKind::TrainerLog);
}

bool isEmptyLog(const Trace& trace)
{
    return trace.metadata.kind == TraceKind::TrainerLog && trace.counters.empty() && trace.logEvents.empty();
}

} // namespace highwater
