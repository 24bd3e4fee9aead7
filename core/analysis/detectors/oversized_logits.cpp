#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/categories/passing_category.h"
#include "core/analysis/detectors/logits_shape.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/vocabulary_claims.h"
#include "core/analysis/stacks/stack_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Logits of less than one part of so many of the peak are not oversized.
constexpr Bytes kLeastShare = 10;

/// Who speaks of logits in a stack.
class LogitsFrames
{
public:
    explicit LogitsFrames(const Trace& trace)
        : m_trace(trace)
    {
    }

    Speaker speaker(StackId stack)
    {
        if (stack.isNone())
            return Speaker::None;
        const auto [entry, isNew]
            = m_known.try_emplace(static_cast<std::uint32_t>(stack.index()), Speaker::None);
        if (isNew)
            entry->second = speakerOf(m_trace, stack, logitsNames());
        return entry->second;
    }

private:
    const Trace& m_trace;
    std::map<std::uint32_t, Speaker> m_known;
};

/// Sizes that are multiples of a vocabulary, and the allocations of the peak that have them.
struct Match
{
    VocabularyClaim claim;
    std::map<Bytes, std::vector<AllocationIndex>> atPeak; ///< by size as recorded
    Bytes bytes = 0; ///< at the peak
    bool named = false; ///< frames speak of logits

    Bytes mainSize() const
    {
        const auto bytesOf
            = [](const auto& entry) { return entry.first * static_cast<Bytes>(entry.second.size()); };
        return std::ranges::max_element(atPeak, {}, bytesOf)->first;
    }
    Grade grade() const
    {
        if (claim.source == VocabularySource::Given && named)
            return Grade::A;
        const bool byRun = claim.source == VocabularySource::Given
            || claim.source == VocabularySource::Embedding
            || (claim.source == VocabularySource::Factorised && named);
        return byRun && (named || claim.isDistinctive()) ? Grade::B : Grade::C;
    }
};

class Matcher
{
public:
    explicit Matcher(const DetectorInput& input)
        : m_study(*input.study)
        , m_rounded(m_study.about().quantity != Quantity::Requested)
        , m_frames(m_study.trace)
        , m_live(m_study.allocations.liveAt(input.figures.peakEvent))
    {
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i) {
            const Bytes size = m_study.allocations.recordedBytes(i);
            if (!mayPass(m_study.categories.of(i))) {
                m_otherSizes.insert(size);
                continue;
            }
            const Speaker speaker = m_frames.speaker(m_study.allocations.stack(i));
            if (speaker == Speaker::Itself)
                m_namedSizes.insert(size);
            else if (speaker == Speaker::Caller)
                m_calledSizes.insert(size);
        }
    }

    Match match(const VocabularyClaim& claim)
    {
        Match match{claim, {}, 0, false};
        const bool needsName = !claim.isDistinctive() || claim.source == VocabularySource::Factorised
            || claim.source == VocabularySource::Known;
        for (const AllocationIndex i : m_live) {
            const Bytes size = m_study.allocations.recordedBytes(i);
            if (!mayPass(m_study.categories.of(i)) || m_otherSizes.contains(size)
                || !positionsOf(size, claim.size, m_rounded))
                continue;
            const bool named = isNamed(size, claim);
            if (needsName && !named)
                continue;
            match.named = match.named || named;
            match.atPeak[size].push_back(i);
            match.bytes += m_study.allocations.bytes(i);
        }
        return match;
    }

    /// All of these sizes, whenever alive.
    std::vector<LifetimeCut> cuts(const Match& match) const
    {
        std::vector<LifetimeCut> all;
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i)
            if (mayPass(m_study.categories.of(i))
                && match.atPeak.contains(m_study.allocations.recordedBytes(i)))
                all.push_back({i});
        return all;
    }
    bool isRounded() const { return m_rounded; }

private:
    /// A copy in another type has half or twice the size. What a module makes for a caller that speaks of
    /// logits may be any activation: such a size must fit the vocabulary as few do.
    bool isNamed(Bytes size, const VocabularyClaim& claim) const
    {
        return holds(m_namedSizes, size) || (claim.isDistinctive() && holds(m_calledSizes, size));
    }
    static bool holds(const std::set<Bytes>& sizes, Bytes size)
    {
        return sizes.contains(size) || sizes.contains(size * 2)
            || (size % 2 == 0 && sizes.contains(size / 2));
    }

    const DeviceStudy& m_study;
    bool m_rounded;
    LogitsFrames m_frames;
    std::vector<AllocationIndex> m_live;
    std::set<Bytes> m_otherSizes;
    std::set<Bytes> m_namedSizes;
    std::set<Bytes> m_calledSizes;
};

/// The claim with the best grade, then one that few sizes fit by chance, then with most bytes; none reaches
/// the least share: none.
std::optional<Match> bestMatch(const DetectorInput& input, Matcher& matcher)
{
    std::optional<Match> best;
    for (const VocabularyClaim& claim : vocabularyClaims(input)) {
        Match match = matcher.match(claim);
        if (match.bytes * kLeastShare < input.figures.peakBytes || match.bytes == 0)
            continue;
        const auto order = [](const Match& one) {
            return std::tuple(one.grade(), !one.claim.isDistinctive(), -one.bytes);
        };
        if (!best || order(match) < order(*best))
            best = std::move(match);
    }
    return best;
}

/// ": made 8 in forward, 8 in generation"; empty where all are of one phase.
std::string phasesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& allocations)
{
    std::map<Phase, std::int64_t> counts;
    for (const AllocationIndex i : allocations)
        ++counts[study.phases.at(study.allocations.birth(i))];
    if (counts.size() < 2)
        return "";
    std::string text;
    for (const auto& [phase, count] : counts)
        text += fmt::format("{}{} in {}", text.empty() ? ": made " : ", ", formatCount(count), toText(phase));
    return text;
}

void addSizes(const DeviceStudy& study, const Match& match, Finding& finding)
{
    for (const auto& [size, allocations] : match.atPeak) {
        std::set<std::string> sites;
        for (const AllocationIndex i : allocations)
            sites.insert(study.sites.site(study.sites.of(i)).label);
        std::string places;
        for (const std::string& site : sites)
            if (places.size() < 200)
                places += (places.empty() ? "" : ", ") + site;
        finding.addEvidence(AllocationsTarget{allocations}, "{} alive at the peak of {}, from {}{}",
            formatCount(allocations.size()), formatExactBytes(size), places, phasesOf(study, allocations));
    }
}

} // namespace

std::vector<Finding> findOversizedLogits(const DetectorInput& input)
{
    Matcher matcher(input);
    const std::optional<Match> match = bestMatch(input, matcher);
    if (!match)
        return {};
    const DeviceStudy& study = *input.study;
    const LogitsShape shape = logitsShape(input, match->mainSize(), match->claim.size, matcher.isRounded(),
        match->atPeak.contains(match->mainSize() * 2), match->atPeak.contains(match->mainSize() / 2));
    std::size_t copies = 0;
    for (const auto& [size, allocations] : match->atPeak)
        copies += allocations.size();
    Finding finding
        = findingAt(input, input.figures.peakEvent, "oversized-logits", match->grade(), FindingKind::Fault);
    finding.bytes = match->bytes;
    finding.title = fmt::format("{} cop{} of logits hold {} ({}) of the peak: {}", formatCount(copies),
        copies == 1 ? "y" : "ies", formatBytes(match->bytes),
        formatShare(match->bytes, input.figures.peakBytes), shape.text);
    if (match->grade() == Grade::C)
        finding.title += "?";
    finding.addEvidence({}, "V={}: {}", formatCount(match->claim.size), match->claim.reason);
    addSizes(study, *match, finding);
    for (const std::string& rival : shape.rivals)
        finding.addEvidence({}, rival);
    finding.addEvidence({},
        match->named ? "Frames of allocations of such a size speak of logits or their loss"
                     : "No frame speaks of logits: the arithmetic alone says so");
    finding.remedy = {"Compute the loss in chunks or fused with the head (logits never whole), keep no copy "
                      "longer than its use, or take fewer sequences at once",
        peakSaving(study, matcher.cuts(*match)), true};
    finding.wouldDisprove
        = "Another tensor with these dimensions, or another vocabulary in the model's configuration";
    return {std::move(finding)};
}

} // namespace highwater
