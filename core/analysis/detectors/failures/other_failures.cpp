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

/// Findings, and lines that one of them names, of logs that repeat themselves without end.
constexpr std::size_t kMostOthersOfALog = 64;
constexpr std::size_t kLongestQuote = 160;

/// At the beginning of a sentence; names such as ggml are written as they are.
std::string speakerOf(const LogEvent& event, std::string_view otherwise)
{
    const std::string speaker = event.speaker.empty() ? std::string(otherwise) : sanitizedText(event.speaker);
    const bool isName
        = !speaker.starts_with("the ") && !speaker.starts_with("a ") && !speaker.starts_with("an ");
    return isName ? speaker : upperFirst(speaker);
}

/// ", 4.00 MiB requested"; empty: the message tells no figure.
std::string toldFigures(const LogEvent& event)
{
    const std::string figures = event.figures ? figuresText(*event.figures) : std::string();
    return figures.empty() ? figures : ": " + figures;
}

std::string lookWith(const LogEvent& event)
{
    const std::string_view monitor = monitorOf(event.figures.value_or(OomFigures{}));
    return monitor.empty() ? std::string() : fmt::format("; {} shows who holds it", monitor);
}

void wordDriver(const LogEvent& event, Finding& finding)
{
    finding.rule = "driver-out-of-memory";
    finding.grade = Grade::B;
    finding.title = fmt::format("{} found no room on the device ({}){}", speakerOf(event, "a library"),
        placeText(event), toldFigures(event));
    finding.remedy.action
        = "Leave room outside of PyTorch's allocator, whose cache nobody else can use: lower "
          "the batch, or bound its share with set_per_process_memory_fraction"
        + lookWith(event);
    finding.wouldDisprove = "A device with room at that moment";
}

void wordEngine(const LogEvent& event, Finding& finding)
{
    finding.rule = "engine-no-room";
    finding.grade = Grade::B;
    finding.title = fmt::format("{} had no room within its share of the device ({}){}",
        speakerOf(event, "the engine"), placeText(event), toldFigures(event));
    finding.remedy.action = "Give the engine a larger share (gpu_memory_utilization, mem-fraction-static), a "
                            "shorter max_model_len or more GPUs; what others hold on the device counts too";
    finding.wouldDisprove = "The same failure with the device to itself";
}

void wordUnclear(const LogEvent& event, Finding& finding)
{
    finding.rule = "unclear-failure";
    finding.grade = Grade::C;
    finding.wouldDisprove = "Another reason for the failure in the rest of the output";
    switch (event.subject) {
    case LogEvent::Subject::Host:
    case LogEvent::Subject::SharedMemory:
        finding.title
            = fmt::format("A process was killed ({}), perhaps for want of host memory: the log does "
                          "not say by whom",
                placeText(event));
        finding.remedy.action
            = "Look for the reason in the kernel's log (dmesg) or the batch system's account "
              "of the job (sacct, kubectl describe)";
        return;
    case LogEvent::Subject::Device:
        finding.title = fmt::format("{} failed ({}), which often hides that the device was full",
            speakerOf(event, "an allocation"), placeText(event));
        finding.remedy.action
            = "Record the device's memory while the run goes: the log cannot decide it" + lookWith(event);
        return;
    case LogEvent::Subject::Unknown:
        finding.title = fmt::format("An allocation failed ({}); the log does not say of which memory{}",
            placeText(event), toldFigures(event));
        finding.remedy.action = "Look at the lines before it: what was asked for, and from whom";
        return;
    }
}

using Alike = std::tuple<LogEvent::Kind, LogEvent::Subject, std::string>;

void addOthersFailures(const DetectorInput& input, std::size_t companion, std::vector<Finding>& all)
{
    const Trace& log = *input.companions[companion].trace;
    std::map<Alike, std::size_t> known;
    for (const LogFailure& failure : failuresOfEveryKind(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        if (event.kind == LogEvent::Kind::HostOom || event.kind == LogEvent::Kind::Oom)
            continue; // of which other rules tell
        const auto [entry, isNew] = known.try_emplace({event.kind, event.subject, event.speaker}, all.size());
        if (isNew && all.size() == kMostOthersOfALog)
            return;
        if (isNew) {
            Finding finding{.bytes
                = event.figures && event.figures->requested ? event.figures->requested->bytes : Bytes{0}};
            if (event.figures)
                finding.device = event.figures->device;
            if (event.kind == LogEvent::Kind::DriverOom)
                wordDriver(event, finding);
            else if (event.kind == LogEvent::Kind::EngineOom)
                wordEngine(event, finding);
            else
                wordUnclear(event, finding);
            all.push_back(std::move(finding));
        }
        Finding& finding = all[entry->second];
        if (finding.evidence.size() < kMostOthersOfALog)
            finding.addEvidence(LogLineTarget{companion, event.line}, "{}: {}", placeText(event),
                sanitizedText(event.text.substr(0, kLongestQuote)));
    }
}

} // namespace

std::vector<Finding> findOtherFailuresInLog(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (std::size_t i = 0; i < input.companions.size(); ++i)
        addOthersFailures(input, i, all);
    return all;
}

} // namespace highwater
