#include "core/analysis/steps/step_boundaries.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/steps/event_spans.h"
#include "core/analysis/steps/lanes.h"
#include "core/analysis/steps/phase_annotations.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 7> kStepWords
    = {"step", "iteration", "iter", "batch", "minibatch", "train", "training"};

/// The fewest ranges with rising numbers that count as steps. Fewer may be a coincidence.
constexpr std::size_t kFewestCounted = 3;

/// A name without its numbers. The flags show whether a word of the name denotes a step, or the end of a
/// step.
struct NameForm
{
    std::string text;
    bool isStep = false;
    bool isEnd = false;
};

NameForm formOf(std::string_view name)
{
    NameForm form;
    std::string word;
    bool isMicroStep = false;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        const auto c
            = i < name.size() ? static_cast<unsigned char>(name[i]) : static_cast<unsigned char>(' ');
        if (std::isalpha(c)) {
            word += static_cast<char>(std::tolower(c));
            continue;
        }
        form.isStep = form.isStep || std::ranges::find(kStepWords, word) != kStepWords.end();
        isMicroStep = isMicroStep || word.starts_with("micro");
        form.isEnd = form.isEnd || word == "end" || word == "done" || word == "finished";
        form.text += word;
        form.text += std::isdigit(c) ? '0' : static_cast<char>(c);
        while (form.text.ends_with("00"))
            form.text.pop_back();
        word.clear();
    }
    form.isStep = form.isStep && !isMicroStep;
    return form;
}

/// Makes each span a step. If all names are equal, the steps are numbered.
StepBoundaries boundariesOf(const std::vector<EventSpan>& spans)
{
    const bool haveOwnNames
        = std::ranges::any_of(spans, [&](const EventSpan& span) { return span.name != spans.front().name; });
    StepBoundaries found;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const std::string name = nameText(spans[i].name);
        found.marks.push_back(
            {spans[i].begin, haveOwnNames || spans.size() == 1 ? name : fmt::format("{} {}", name, i),
                !spans[i].span->endMissing});
        // A range with an unknown start or end covers all events before or after it.
        found.covered.push_back({spans[i].span->beginMissing ? 0 : spans[i].begin,
            spans[i].span->endMissing ? std::numeric_limits<std::int64_t>::max() : spans[i].end});
    }
    return found;
}

/// True if two spans are one range, recorded by two threads: they share more than half of the shorter span. A
/// step that begins before the end of the previous step shares less.
bool areOneRange(const Span& a, const Span& b)
{
    const Nanoseconds shared = std::min(a.end, b.end) - std::max(a.begin, b.begin);
    const Nanoseconds shorter = std::min(a.end - a.begin, b.end - b.begin);
    return shared > 0 && shared > shorter / 2;
}

std::vector<EventSpan> withoutCopies(const std::vector<EventSpan>& spans)
{
    std::vector<EventSpan> distinct;
    for (const EventSpan& span : spans)
        if (distinct.empty() || !areOneRange(*distinct.back().span, *span.span))
            distinct.push_back(span);
    return distinct;
}

/// Removes copies of profiler steps. Only steps with equal names, which contain the number, can be copies.
std::vector<EventSpan> withoutCopiesOfNames(const std::vector<EventSpan>& spans)
{
    std::map<std::string_view, Nanoseconds> endOf;
    std::vector<EventSpan> distinct;
    for (const EventSpan& span : spans) {
        const auto [entry, isNew] = endOf.try_emplace(span.name, span.span->end);
        if (!isNew && span.span->begin < entry->second)
            continue;
        entry->second = span.span->end;
        distinct.push_back(span);
    }
    return distinct;
}

bool isRecorderName(std::string_view name)
{
    return name.starts_with("Optimizer.") || name.starts_with("ProfilerStep#") || isInternalAnnotation(name);
}

/// True for marks, which have no duration.
bool isMark(const Span& span)
{
    return span.begin == span.end && !span.beginMissing && !span.endMissing;
}

/// Returns the largest group of ranges that are called steps and differ only in numbers.
std::vector<EventSpan> repeatedSteps(const std::vector<EventSpan>& spans)
{
    std::map<std::string, std::vector<EventSpan>> groups;
    for (const EventSpan& span : spans) {
        if (isRecorderName(span.name) || isMark(*span.span) || phaseOfAnnotation(span.name) != Phase::Unknown)
            continue;
        if (NameForm form = formOf(span.name); form.isStep)
            groups[std::move(form.text)].push_back(span);
    }
    std::vector<EventSpan> largest;
    std::int64_t largestEvents = 0;
    for (const auto& [text, group] : groups) {
        std::vector<EventSpan> candidate = withoutCopies(group);
        std::int64_t events = 0;
        for (const EventSpan& span : candidate)
            events += span.end - span.begin;
        if (candidate.size() >= 2 && events > largestEvents) {
            largest = std::move(candidate);
            largestEvents = events;
        }
    }
    return largest;
}

/// Returns the numbers in a name, in order.
std::vector<std::int64_t> numbersIn(std::string_view name)
{
    constexpr std::int64_t kLargest = 1'000'000'000'000;
    std::vector<std::int64_t> numbers;
    bool inNumber = false;
    for (const char c : name) {
        const bool isDigit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (isDigit && !inNumber)
            numbers.push_back(0);
        if (isDigit)
            numbers.back() = std::min(numbers.back() * 10 + (c - '0'), kLargest);
        inNumber = isDigit;
    }
    return numbers;
}

/// True if ranges are steps under an unusual name: they do not overlap, the numbers in their names rise, and
/// all except at most one train. The numbers of layers do not rise, since they start again with each pass.
bool areCountingUp(const StepInput& input, const std::vector<EventSpan>& group)
{
    std::size_t trainingRanges = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (i > 0
            && (group[i].begin < group[i - 1].end
                || numbersIn(group[i].name) <= numbersIn(group[i - 1].name)))
            return false;
        trainingRanges += forwardStartsOfPairs(input, group[i].begin, group[i].end).empty() ? 0 : 1;
    }
    return group.size() >= kFewestCounted && trainingRanges + 1 >= group.size();
}

/// True for "epoch 3", which contains many steps; false for "epoch 3 round 5", which is one step.
bool isEpoch(std::string_view name)
{
    return numbersIn(name).size() == 1 && containsAny(lowered(std::string(name)), {"epoch"});
}

/// Returns the largest group of ranges that count up.
std::vector<EventSpan> countedRanges(const StepInput& input, const std::vector<EventSpan>& spans)
{
    std::map<std::string, std::vector<EventSpan>> groups;
    for (const EventSpan& span : spans)
        if (!isRecorderName(span.name) && !isMark(*span.span) && !numbersIn(span.name).empty()
            && phaseOfAnnotation(span.name) == Phase::Unknown && !isEpoch(span.name))
            groups[formOf(span.name).text].push_back(span);
    std::vector<EventSpan> largest;
    for (const auto& [text, group] : groups)
        if (std::vector<EventSpan> candidate = withoutCopies(group);
            candidate.size() > largest.size() && areCountingUp(input, candidate))
            largest = std::move(candidate);
    return largest;
}

/// Returns the largest group of marks that are called steps and differ only in numbers.
std::vector<EventSpan> repeatedMarks(const std::vector<EventSpan>& spans)
{
    std::map<std::string, std::vector<EventSpan>> groups;
    for (const EventSpan& span : spans)
        if (isMark(*span.span) && !isRecorderName(span.name))
            if (NameForm form = formOf(span.name); form.isStep)
                groups[std::move(form.text)].push_back(span);
    std::vector<EventSpan> largest;
    for (auto& [text, group] : groups)
        if (group.size() >= 2 && group.size() > largest.size())
            largest = std::move(group);
    return largest;
}

/// Makes each mark the beginning of a step. If the marks denote ends, each mark ends a step, and the events
/// after the last mark form an incomplete step.
std::optional<StepBoundaries> markBoundaries(const StepInput& input, const std::vector<EventSpan>& spans)
{
    const std::vector<EventSpan> marks = repeatedMarks(spans);
    if (marks.empty() || marks.front().begin >= input.eventCount())
        return std::nullopt;
    const bool areEnds = formOf(marks.front().name).isEnd;
    StepBoundaries found = areEnds ? StepBoundaries() : boundariesOf(marks);
    found.covered.clear(); // marks have no duration
    std::int64_t begin = 0;
    for (std::size_t i = 0; areEnds && i < marks.size(); ++i) {
        found.marks.push_back({begin, fmt::format("step {}", i), true});
        begin = marks[i].begin;
    }
    if (areEnds && begin < input.eventCount())
        found.marks.push_back({begin, fmt::format("step {}", marks.size()), false});
    found.grade = Grade::B;
    found.reason = fmt::format("from {} marks like \"{}\" at the {} of each step", formatCount(marks.size()),
        sanitizedText(marks.front().name), areEnds ? "end" : "beginning");
    return found;
}

/// Finds steps that end with the ranges that the program wrote around its optimizer.
std::optional<StepBoundaries> optimizerRangeBoundaries(
    const StepInput& input, const std::vector<EventSpan>& spans)
{
    std::vector<std::int64_t> ends;
    std::string_view name;
    for (const EventSpan& span : spans) {
        if (isRecorderName(span.name) || phaseOfAnnotation(span.name) != Phase::Optimizer
            || span.span->endMissing)
            continue;
        ends.push_back(span.end);
        name = span.name;
    }
    std::ranges::sort(ends);
    if (ends.size() < 2 || ends.back() <= 0)
        return std::nullopt;
    StepBoundaries found = boundariesFromOptimizers(input, ends);
    found.grade = Grade::B;
    found.reason
        = fmt::format("from {} annotations like \"{}\"", formatCount(ends.size()), sanitizedText(name));
    return found;
}

std::vector<EventSpan> matchingSpans(const std::vector<EventSpan>& spans, const std::string& pattern)
{
    const RE2 expression(pattern, RE2::Quiet);
    std::vector<EventSpan> found;
    if (!expression.ok())
        return found;
    for (const EventSpan& span : spans)
        if (RE2::PartialMatch(re2::StringPiece(span.name.data(), span.name.size()), expression))
            found.push_back(span);
    return found;
}

} // namespace

std::optional<std::string> stepPatternProblem(const std::string& pattern)
{
    const RE2 expression(pattern, RE2::Quiet);
    return expression.ok() ? std::nullopt : std::optional(expression.error());
}

std::optional<StepBoundaries> profilerStepBoundaries(const StepInput& input)
{
    std::vector<EventSpan> steps;
    visitEventSpans(input.trace, input.device(), [&](const EventSpan& span) {
        if (span.span->kind == SpanKind::ProfilerStep)
            steps.push_back(span);
    });
    steps = withoutCopiesOfNames(steps);
    if (steps.empty() || steps.front().begin >= input.eventCount())
        return std::nullopt;
    StepBoundaries found = boundariesOf(steps);
    found.reason = "from the ProfilerStep annotations";
    return found;
}

std::optional<StepBoundaries> rangeBoundaries(const StepInput& input, const std::string& pattern)
{
    const std::vector<EventSpan> spans = eventSpans(input.trace, input.device());
    std::vector<EventSpan> steps = pattern.empty() ? repeatedSteps(spans) : matchingSpans(spans, pattern);
    if (steps.empty() && pattern.empty())
        steps = countedRanges(input, spans);
    if (steps.empty() && pattern.empty()) {
        std::optional<StepBoundaries> found = markBoundaries(input, spans);
        return found ? found : optimizerRangeBoundaries(input, spans);
    }
    if (steps.empty() || steps.front().begin >= input.eventCount())
        return std::nullopt;
    StepBoundaries found = boundariesOf(steps);
    found.reason = pattern.empty()
        ? fmt::format(
            "from {} annotations like \"{}\"", formatCount(steps.size()), sanitizedText(steps.front().name))
        : fmt::format("from {} annotations that match \"{}\"", formatCount(steps.size()), pattern);
    return found;
}

std::optional<StepBoundaries> manualBoundaries(
    const StepInput& input, const std::vector<std::int64_t>& markers)
{
    StepBoundaries found;
    for (const std::int64_t event : markers)
        if (event >= 0 && event < input.eventCount())
            found.marks.push_back({event, {}, true});
    if (found.marks.empty())
        return std::nullopt;
    std::ranges::sort(found.marks, {}, &StepMark::begin);
    found.reason = "as set by hand";
    return found;
}

} // namespace highwater
