#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/detectors/failures/oom_cause_words.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Limit on the findings of all logs, and on the lines that one finding cites: some logs repeat a message
/// endlessly.
constexpr std::size_t kMaxOtherFailures = 64;

std::string speakerName(const LogEvent& event, std::string_view fallback)
{
    return event.speaker.empty() ? std::string(fallback) : sanitizedText(event.speaker);
}

/// Returns " 4 MiB"; empty if the message does not give the request.
std::string requestSuffix(const LogEvent& event)
{
    return event.figures && event.figures->requested ? " " + formatBytes(event.figures->requested->bytes)
                                                     : std::string();
}

/// Returns " on GPU 3 (rank 3)", or the part of it that is known.
std::string placeSuffix(const LogEvent& event)
{
    const std::string device = deviceText(event);
    return fmt::format("{}{}{}", device.empty() ? "" : " on ", device,
        event.rank ? fmt::format(" (rank {})", *event.rank) : "");
}

std::string monitorHint(const LogEvent& event)
{
    const std::string_view monitor = monitorProgram(event.figures.value_or(OomFigures{}));
    return monitor.empty() ? std::string()
                           : fmt::format("; {} shows which process holds GPU memory", monitor);
}

void describeDriverFailure(const LogEvent& event, Finding& finding)
{
    finding.rule = "driver-out-of-memory";
    finding.grade = Grade::B;
    finding.title = fmt::format("Out of GPU memory{}: {} could not allocate{}", placeSuffix(event),
        speakerName(event, "a library"), requestSuffix(event));
    finding.remedy.action = "Leave GPU memory free for other libraries: the cache of the framework is not "
                            "available to them. Lower the batch, or cap the cache (PyTorch: "
                            "set_per_process_memory_fraction; TensorFlow: memory_limit)"
        + monitorHint(event);
}

/// Returns the option that sets an engine's share of the GPU: " (gpu_memory_utilization)"; empty if unknown.
std::string_view shareOption(std::string_view engine)
{
    return engine == "vLLM"  ? " (gpu_memory_utilization)"
        : engine == "SGLang" ? " (--mem-fraction-static)"
                             : "";
}

void describeEngineFailure(const LogEvent& event, Finding& finding)
{
    finding.rule = "engine-no-room";
    finding.grade = Grade::B;
    finding.title = fmt::format("The inference engine ({}) has no GPU memory left in its share{}",
        speakerName(event, "not named"), placeSuffix(event));
    finding.remedy.action = fmt::format("Give the engine a larger share{}, a shorter maximum length or more "
                                        "GPUs, and end other processes on the GPU: they reduce its share",
        shareOption(event.speaker));
    finding.wouldDisprove = "Wrong if the engine also fails with the GPU to itself";
}

void describeUnclearFailure(const LogEvent& event, Finding& finding)
{
    finding.rule = "unclear-failure";
    finding.grade = Grade::C;
    finding.wouldDisprove = "Wrong if the rest of the output gives another reason";
    switch (event.subject) {
    case LogEvent::Subject::Host:
    case LogEvent::Subject::SharedMemory:
        finding.title = fmt::format(
            "A process died{}, perhaps out of host memory: the log does not say why", placeSuffix(event));
        finding.remedy.action
            = "Look for the reason in the kernel log (dmesg) or the job's record (sacct, kubectl describe)";
        return;
    case LogEvent::Subject::Device:
        finding.title = fmt::format("{} failed{}, which often means that the GPU was full",
            upperFirst(speakerName(event, "an allocation")), placeSuffix(event));
        finding.remedy.action
            = "Record GPU memory during the run: the log does not show whether the GPU was full"
            + monitorHint(event);
        return;
    case LogEvent::Subject::Unknown:
        finding.title = fmt::format(
            "An allocation failed{}; the log does not say whether of GPU or host memory", placeSuffix(event));
        finding.remedy.action
            = "Read the lines before the message: they may show what was requested and where";
        return;
    }
}

using FailureKind = std::tuple<LogEvent::Kind, LogEvent::Subject, std::string>;

void addFailuresOfOthers(const DetectorInput& input, std::size_t auxiliary, std::vector<Finding>& findings)
{
    const Trace& log = *input.auxiliaryFiles[auxiliary].trace;
    const MemoryFailureEnd end(log);
    std::map<FailureKind, std::size_t> findingOfKind;
    for (const LogFailure& failure : failuresOfEveryKind(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        if (event.kind == LogEvent::Kind::HostOom || event.kind == LogEvent::Kind::Oom || end.explains(event))
            continue; // other rules report these
        const auto [entry, isNew]
            = findingOfKind.try_emplace({event.kind, event.subject, event.speaker}, findings.size());
        if (isNew && findings.size() == kMaxOtherFailures)
            return;
        if (isNew) {
            Finding finding{.bytes
                = event.figures && event.figures->requested ? event.figures->requested->bytes : Bytes{0}};
            if (event.figures)
                finding.device = event.figures->device;
            if (event.kind == LogEvent::Kind::DriverOom)
                describeDriverFailure(event, finding);
            else if (event.kind == LogEvent::Kind::EngineOom)
                describeEngineFailure(event, finding);
            else
                describeUnclearFailure(event, finding);
            findings.push_back(std::move(finding));
        }
        Finding& finding = findings[entry->second];
        if (finding.evidence.size() < kMaxOtherFailures)
            finding.addEvidence(
                LogLineTarget{auxiliary, event.line}, "{}: {}", placeText(event), messageExcerpt(event));
        if (const std::string figures = event.figures ? figuresText(*event.figures) : std::string();
            isNew && !figures.empty())
            finding.addEvidence(LogLineTarget{auxiliary, event.line}, figures);
    }
}

/// Adds the failures that have nothing to do with memory, one fact for each kind of message.
void addUnrelatedFailures(const DetectorInput& input, std::size_t auxiliary, std::vector<Finding>& findings)
{
    const Trace& log = *input.auxiliaryFiles[auxiliary].trace;
    const MemoryFailureEnd end(log);
    std::map<std::string, std::size_t> findingOfPattern;
    for (const LogEvent& event : log.logEvents) {
        if (event.kind != LogEvent::Kind::Other || end.explains(event))
            continue;
        const auto [entry, isNew] = findingOfPattern.try_emplace(event.pattern, findings.size());
        if (isNew) {
            Finding finding{.rule = "other-failure", .grade = Grade::A, .kind = FindingKind::Fact};
            finding.title = fmt::format("The run failed for a reason other than memory{}: {}",
                placeSuffix(event), event.speaker.empty() ? "see the line" : event.speaker);
            finding.remedy.action = "Read the line itself: more memory does not help";
            finding.wouldDisprove
                = "Wrong if a part of the output that is missing here reports a lack of memory";
            findings.push_back(std::move(finding));
        }
        Finding& finding = findings[entry->second];
        if (finding.evidence.size() < kMaxOtherFailures)
            finding.addEvidence(
                LogLineTarget{auxiliary, event.line}, "{}: {}", placeText(event), messageExcerpt(event));
    }
}

} // namespace

std::vector<Finding> findOtherFailuresInLog(const DetectorInput& input)
{
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i) {
        addFailuresOfOthers(input, i, findings);
        addUnrelatedFailures(input, i, findings);
    }
    return findings;
}

} // namespace highwater
