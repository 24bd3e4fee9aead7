#include "core/report/parts/first_page_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/logs/log_failures.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/report/model/finding_text.h"
#include "core/study/diagnosis/clean_words.h"

namespace highwater {

namespace {

/// Returns the cause that a class of failure is by itself; empty for classes whose diagnosis words the cause,
/// and for classes that add nothing to the headline.
std::string causeOfClass(DiagnosisClass diagnosed)
{
    switch (diagnosed) {
    case DiagnosisClass::Fragmentation:
        return "Fragmentation: enough was free in PyTorch's cache, but in small blocks.";
    case DiagnosisClass::Split:
        return "Neither a free block of PyTorch's cache nor the memory outside the cache was large enough; "
               "together they were";
    case DiagnosisClass::OtherProcess: return "The memory of other processes, not the tensors of this run.";
    case DiagnosisClass::ProcessCap: return "A limit set for this process, not the size of the GPU.";
    case DiagnosisClass::AllocationLimit: return "The request exceeds the largest possible allocation.";
    case DiagnosisClass::Reserve: return "Too few addresses are reserved for expandable segments.";
    case DiagnosisClass::DriverOom: return "A library or the driver ran out, outside PyTorch's allocator.";
    case DiagnosisClass::EngineNoRoom: return "The inference engine has no room within its share of the GPU.";
    case DiagnosisClass::HostOom: return "The machine's memory ran out, not the GPU's.";
    default: return {};
    }
}

/// Returns what the rank that failed allocates more of than others: "On rank 2, 11 call sites allocate 1.75×
/// as much as on rank 0, probably because rank 2's batches are larger."; empty if it does not.
std::string largerRank(const RunStudy& study)
{
    const Finding* const outlier = study.finding("rank-outlier");
    return outlier && outlier->evidence.size() > 1 ? fullSentence(outlier->evidence[1].sentence) : "";
}

} // namespace

std::string causeWords(const RunStudy& study)
{
    const Diagnosis& diagnosis = study.diagnosis();
    if (!diagnosis.cause.empty())
        return diagnosis.cause;
    std::string cause = fullSentence(causeOfClass(diagnosis.diagnosed));
    if (diagnosis.diagnosed == DiagnosisClass::Split)
        appendSentence(cause, largerRank(study));
    return cause;
}

std::string loggedFailures(const RunMaterial& run)
{
    constexpr std::size_t maxSentences = 3;
    std::vector<std::string> sentences;
    for (const RunLog& log : run.study.logs())
        for (const SharedFailure& failure : sharedFailures(*log.trace)) {
            const LogEvent& event = log.trace->logEvents[failure.first.event];
            if (!event.figures || !event.figures->requested)
                continue;
            const std::string others = othersText(*log.trace, failure);
            sentences.push_back(
                fmt::format("A request of {} failed: {}{}.", formatBytes(event.figures->requested->bytes),
                    placeText(event), others.empty() ? "" : "; " + others));
        }
    if (sentences.size() > maxSentences)
        sentences.resize(maxSentences);
    return fmt::format("{}", fmt::join(sentences, " "));
}

} // namespace highwater
