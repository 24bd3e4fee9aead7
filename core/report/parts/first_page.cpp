#include "core/report/parts/first_page.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_settings.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/first_page_words.h"
#include "core/report/parts/part_text.h"
#include "core/study/finding_place.h"
#include "core/study/next_step.h"
#include "core/study/outcome/run_outcome.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxSettings = 3;
constexpr std::size_t kMaxActions = 3;
constexpr std::array<std::string_view, 4> kFields{"Impact", "Failing line", "Suspects ruled out", "Owner"};

/// Returns ", with 21.5 GiB in use and 21.73 GiB reserved on a GPU of at least 21.77 GiB"; empty if the
/// diagnosis gives the bytes in use. The reserved bytes show why a smaller request than the rest can fail.
std::string usedText(const RunMaterial& run, std::int64_t event)
{
    const UsageCurve& curve = run.study.device()->curve;
    const std::string used = formatBytes(curve.at(event)) + " in use";
    const std::string capacity
        = run.study.capacity() ? " on a GPU of " + boundedText(*run.study.capacity()) : std::string();
    if (contains(run.study.diagnosis().sentence, used + capacity))
        return {};
    const std::optional<Bytes> reserved = curve.reservedAt(event);
    return fmt::format(", with {}{}{}", used,
        reserved ? fmt::format(" and {} reserved", formatBytes(*reserved)) : "", capacity);
}

/// True if the diagnosis names a fault behind a recorded failure. The line to change is then that of the
/// advice, and the line of the request is only where memory ran out.
bool isCausedElsewhere(const RunMaterial& run)
{
    const Diagnosis& diagnosis = run.study.diagnosis();
    return run.study.figures() && !run.study.figures()->ooms.empty() && diagnosis.named
        && diagnosis.named != diagnosis.failureFinding;
}

/// Returns "A request of 48 MiB failed in step 3, with 21.5 GiB in use and 21.73 GiB
/// reserved on a GPU of at least 21.77 GiB.", without the figures that the diagnosis gives.
std::string failureText(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const OomEvent& oom = run.study.figures()->ooms.back();
    const std::string went = endOf(study).failedAt ? "" : "; the run went on";
    const std::optional<FailurePlace>& place = run.study.diagnosis().place;
    const bool isSizeKnown
        = contains(run.study.diagnosis().sentence, formatBytes(oom.requestedBytes) + " requested");
    return fmt::format("{} failed {}{}{}{}.",
        isSizeKnown ? "The request" : fmt::format("A request of {}", formatBytes(oom.requestedBytes)),
        placeWords(study, oom.event),
        place && isCausedElsewhere(run) ? ", at " + withCallMarks(placeText(*place)) : "",
        usedText(run, oom.event), went);
}

/// Returns "3.57 GiB, in step 997; 1.2 GiB of 15 GiB was never reserved".
std::string peakWords(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const DeviceFigures& figures = *run.study.figures();
    std::string text = knownPeakText(study, figures) + ", ";
    if (isPeakAtEvent(study.about(), figures))
        text += placeWords(study, figures.peakEvent);
    else
        text += fmt::format("in use at the end of the recording; the highest readable total is {}",
            formatBytes(figures.peakBytes));
    const bool isRoomKnown = run.study.capacity() && study.about().recordsReserved()
        && figureCertainty(study.about()).reservedPeak == Certainty::Exactly;
    const Bytes unreserved = isRoomKnown ? run.study.capacity()->bytes - figures.reservedPeakBytes : 0;
    return unreserved <= 0 ? text
                           : fmt::format("{}; {} of {} was never reserved", text, formatBytes(unreserved),
                               boundedText(*run.study.capacity()));
}

/// Returns a sentence on the failure, or on the peak of a run that did not fail.
std::string effectText(const RunMaterial& run)
{
    if (!run.study.figures())
        return run.study.diagnosis().detail;
    if (!run.study.figures()->ooms.empty())
        return failureText(run);
    return fmt::format("{} {}.", run.trace().metadata.hasHistory ? "The peak is" : "In use:", peakWords(run));
}

/// Returns the next step, or that there is none; empty if the headline has it.
std::string nextText(const RunMaterial& run)
{
    if (std::string next = nextStepSentence(run.study); !next.empty())
        return next;
    const Diagnosis& diagnosis = run.study.diagnosis();
    if (diagnosis.diagnosed != DiagnosisClass::Clean)
        return fullSentence(diagnosis.next);
    if (const Finding* const saving = run.study.findingAt(run.study.diagnosis().opportunity))
        return fmt::format(
            "Optional: {} {}", lowerFirst(fullSentence(saving->title)), actionSentence(*saving));
    if (!diagnosis.next.empty())
        return fullSentence(diagnosis.next);
    if (run.role.empty())
        return {}; // the headline has it
    return fmt::format("Nothing to do: no fault was found{}{}.",
        run.role == "after" ? " in the later run" : "",
        diagnosis.unjudged.empty() ? "" : "; " + diagnosis.unjudged);
}

/// Returns the part after the last dot: "param_offload".
std::string shortName(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos || dot + 1 == name.size() ? name : name.substr(dot + 1);
}

bool isAllocatorVariable(const SettingChange& change)
{
    return change.name.ends_with("ALLOC_CONF");
}

/// Removes the changes of single options, such as max_split_size or roundup_power2_divisions.64, that the
/// text of an allocator variable also shows.
std::vector<SettingChange> withoutOptions(std::vector<SettingChange> changes)
{
    std::vector<std::string> options;
    for (const SettingChange& change : changes)
        if (isAllocatorVariable(change))
            for (const std::string& text : {change.before, change.after})
                for (const std::string& option : splitOptions(text))
                    options.push_back(option.substr(0, option.find(':')));
    std::erase_if(changes, [&](const SettingChange& change) {
        const std::string name = change.name.substr(0, change.name.find('.'));
        return std::ranges::any_of(
            options, [&](const std::string& option) { return option == name || option == name + "_mb"; });
    });
    return changes;
}

/// Returns the first changes: "param_offload False → True; …". The value of an allocator variable is whole.
std::string settingsText(const std::vector<SettingChange>& all)
{
    constexpr std::size_t maxText = 28;
    const std::vector<SettingChange> changes = withoutOptions(all);
    const auto value = [](const SettingChange& change, const std::string& text) {
        return text.empty()               ? std::string("not set")
            : isAllocatorVariable(change) ? text
                                          : cutText(text, maxText);
    };
    std::string text;
    for (std::size_t i = 0; i < std::min(changes.size(), kMaxSettings); ++i)
        text += fmt::format("{}{} {} → {}", i > 0 ? "; " : "", shortName(changes[i].name),
            value(changes[i], changes[i].before), value(changes[i], changes[i].after));
    return changes.size() > kMaxSettings
        ? fmt::format("{}; and {} more", text, formatCount(changes.size() - kMaxSettings))
        : text;
}

/// Returns the source of a line, which a traceback in one of the run's logs may quote; empty if none does.
std::string sourceOf(const RunMaterial& run, const FailurePlace& place)
{
    for (const RunLog& log : run.study.logs())
        for (const LogEvent& event : log.trace->logEvents)
            for (const LogFrame& frame : event.frames)
                if (static_cast<std::int64_t>(frame.line) == place.line
                    && log.trace->text(frame.file) == place.file
                    && log.trace->text(frame.function) == place.function)
                    return std::string(trimmed(log.trace->text(frame.source)));
    return {};
}

/// Returns the code line of the failed request with its source, as far as the recording shows them:
/// "forward (decoder.py:139): h = layer(h)". Backward runs on C++ threads, so that a request there has only
/// the name of its operator.
std::string failingLine(const RunMaterial& run)
{
    if (const std::optional<FailurePlace>& place = run.study.diagnosis().place) {
        const std::string source = sourceOf(run, *place);
        return placeText(*place) + (source.empty() ? "" : ": " + source);
    }
    if (!run.study.figures() || run.study.figures()->ooms.empty())
        return {};
    const std::size_t row
        = run.trace().row(run.study.device()->device, run.study.figures()->ooms.back().event);
    const std::string site = requesterText(run.trace(), run.trace().events.stack[row]);
    return site.empty() ? "" : site + " (the recording has no Python line of it)";
}

/// Returns the line of the fault that the diagnosis of a run without failures names; may be empty.
std::string faultLine(const RunMaterial& run)
{
    const Finding* const named = run.study.findingAt(run.study.diagnosis().named);
    const std::optional<FailurePlace> place = named ? placeOf(*named, run.study) : std::nullopt;
    return place ? placeText(*place) : std::string();
}

/// Returns the diagnosis of the run before, and why. Other lines have the failure and the peak.
std::string causeBefore(const RunMaterial& before)
{
    const RunStudy& study = before.study;
    const Diagnosis& diagnosis = study.diagnosis();
    const std::string why = diagnosis.place || study.figures() ? causeWords(study) : diagnosis.detail;
    return why.empty() ? diagnosis.sentence : diagnosis.sentence + ' ' + why;
}

/// Adds cause and effect of a run, or its peak if no request failed.
void addCauseAndEffect(ReportFacts& facts, const RunMaterial& run)
{
    const Diagnosis& diagnosis = run.study.diagnosis();
    const std::string failed = run.study.figures() ? "" : loggedFailures(run);
    const bool isDetailShown
        = !run.study.figures() && failed.empty() && !diagnosis.place && !diagnosis.detail.empty();
    const std::string cause = causeWords(run.study);
    if (!cause.empty() && !(isDetailShown && contains(diagnosis.detail, cause)))
        facts.rows.emplace_back("Cause", cause);
    if (!failed.empty())
        facts.rows.emplace_back("Effect", failed);
    if (isDetailShown)
        facts.rows.emplace_back(diagnosis.hasFailed() ? "Effect" : "Memory", diagnosis.detail);
    if (!run.study.figures())
        return;
    if (!run.study.figures()->ooms.empty())
        facts.rows.emplace_back("Effect", failureText(run));
    else
        facts.rows.emplace_back(
            run.trace().metadata.hasHistory ? "Peak" : "In use", upperFirst(peakWords(run)));
}

/// Returns how the GPUs of one process differ, with the peak of each: "GPU 1 peaks at 78.29 GiB, … GPU 0
/// peaks at 7.88 GiB; …"; empty if they do not.
std::string gpusText(const RunStudy& study)
{
    const Finding* const imbalance = study.finding("device-imbalance");
    if (!imbalance)
        return {};
    std::string others;
    for (const Evidence& evidence : imbalance->evidence)
        others += (others.empty() ? "" : "; ") + evidence.sentence;
    return fmt::format("{} {} {}", fullSentence(imbalance->title), fullSentence(others),
        fullSentence(imbalance->remedy.action));
}

/// Returns the faults of `furtherActions`.
std::vector<const Finding*> furtherFaults(const RunMaterial& run)
{
    std::vector<const Finding*> faults;
    const std::string next = nextText(run);
    for (const Finding* const fault : faultsToFix(run.study))
        if (faults.size() < kMaxActions && actionSentence(*fault) != next)
            faults.push_back(fault);
    return faults;
}

/// Returns the index of the field that the note fills in; nullopt for other notes.
std::optional<std::size_t> fieldOf(const Note& note)
{
    if (!std::holds_alternative<std::monostate>(note.place))
        return std::nullopt;
    for (std::size_t i = 0; i < kFields.size(); ++i)
        if (lowered(trimmed(note.title)) == lowered(kFields[i]))
            return i;
    return std::nullopt;
}

} // namespace

std::string nextStepSentence(const RunStudy& study)
{
    const Finding* const first = firstToAct(study);
    return first ? actionSentence(*first) : std::string();
}

ReportFacts firstPageFacts(const ReportMaterial& material)
{
    ReportFacts facts{{}, {}, FactStyle::Answer};
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty())
            facts.rows.emplace_back(name, text);
    };
    if (!material.hasTwoRuns()) {
        const RunStudy& study = material.run.study;
        addCauseAndEffect(facts, material.run);
        if (!isCausedElsewhere(material.run))
            add("Failing line", failingLine(material.run));
        if (!study.diagnosis().hasFailed())
            add("Line", faultLine(material.run));
        add("GPUs", gpusText(study));
        add("Next", nextText(material.run));
        return facts;
    }
    add("Cause", captioned(*material.before, causeBefore(*material.before)));
    add("Effect", captioned(*material.before, effectText(*material.before)));
    const std::string lineBefore = failingLine(*material.before);
    const std::string line = lineBefore.empty() ? failingLine(material.run) : lineBefore;
    add("Failing line", isCausedElsewhere(*material.before) ? std::string() : line);
    if (line.empty())
        add("Line", faultLine(*material.before));
    if (!material.comparison->settings.empty())
        add("Changed", settingsText(material.comparison->settings));
    add("Now", effectText(material.run));
    if (const Finding* remaining = material.run.study.findingAt(material.run.study.diagnosis().named))
        add("Left", fullSentence(remaining->title));
    add("Next", nextText(material.run));
    return facts;
}

std::vector<std::string> furtherActions(const RunMaterial& run)
{
    std::vector<std::string> actions;
    for (const Finding* const fault : furtherFaults(run))
        actions.push_back(fmt::format("{} {}", fullSentence(fault->title), actionSentence(*fault)));
    return actions;
}

ReportFacts fieldsToFillIn(const ReportMaterial& material)
{
    ReportFacts facts{"Incident", {}, FactStyle::Fields};
    std::array<std::string, kFields.size()> texts;
    for (const Note& note : material.request.notes)
        if (const std::optional<std::size_t> field = fieldOf(note))
            texts[*field] += (texts[*field].empty() ? "" : " ") + note.text;
    const bool isLineShown = std::ranges::any_of(
        material.runs(), [](const RunMaterial* run) { return !failingLine(*run).empty(); });
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        const bool isShown = material.isBrief() ? !texts[i].empty() : i != 1 || !isLineShown;
        if (isShown || !texts[i].empty())
            facts.rows.emplace_back(std::string(kFields[i]), textCell(texts[i]));
    }
    return facts;
}

bool fillsField(const Note& note)
{
    return fieldOf(note).has_value();
}

} // namespace highwater
