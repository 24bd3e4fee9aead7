#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/categories/passing_category.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/tensors/logits_shape.h"
#include "core/analysis/detectors/tensors/vocabulary_claims.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/stacks/stack_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Logits below 1/kLogitsDivisor of the peak are not reported.
constexpr std::int64_t kLogitsDivisor = 10;
/// The copies that one loss may need: logits, their copy in another precision, log-probabilities and their
/// gradient.
constexpr std::int64_t kMaxOfOneLoss = 4;
/// Tensors of the loss may be shorter than the logits by 1/kShiftDivisor, since labels are shifted by one
/// position.
constexpr std::int64_t kShiftDivisor = 16;

/// Finds out which frame of a stack mentions logits: the innermost one, a caller, or none.
class LogitsFrames
{
public:
    explicit LogitsFrames(const Trace& trace)
        : m_trace(trace)
        , m_found(trace.stacks.nodeCount())
    {
    }

    NamedFrame namedFrame(StackId stack)
    {
        if (stack.isNone())
            return NamedFrame::None;
        std::optional<NamedFrame>& found = m_found[stack.index()];
        if (!found)
            found = findNamedFrame(m_trace, stack, logitsNames());
        return *found;
    }

private:
    const Trace& m_trace;
    std::vector<std::optional<NamedFrame>> m_found; ///< by stack
};

/// A vocabulary, and the allocations of the peak that may be logits over it.
struct Match
{
    VocabularyClaim claim;
    std::map<Bytes, std::vector<AllocationIndex>> atPeak; ///< by recorded size
    Bytes bytes = 0; ///< bytes at the peak

    Bytes mainSize() const
    {
        const auto ofSize
            = [](const auto& entry) { return entry.first * static_cast<Bytes>(entry.second.size()); };
        return std::ranges::max_element(atPeak, {}, ofSize)->first;
    }
    Grade grade() const { return claim.source == VocabularySource::Given ? Grade::A : Grade::B; }
};

class Matcher
{
public:
    explicit Matcher(const DetectorInput& input)
        : m_study(*input.study)
        , m_isRounded(m_study.about().quantity != Quantity::Requested)
        , m_frames(m_study.trace)
        , m_lookupStacks(
              m_study.trace, [&](const Frame& frame) { return isTokenLookup(m_study.trace, frame); })
        , m_liveAtPeak(m_study.allocations.liveAt(input.figures.peakEvent))
    {
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i) {
            const Bytes size = m_study.allocations.recordedBytes(i);
            if (!mayEndInStep(m_study.categories.of(i))) {
                m_otherSizes.insert(size);
                if (m_study.categories.of(i) == Category::Parameter)
                    m_otherSizes.insert(size / 2); // the head's weight, cast to 16 bits
                continue;
            }
            const NamedFrame named = m_frames.namedFrame(m_study.allocations.stack(i));
            if (m_study.trace.stacks.hasFrames(m_study.allocations.stack(i)))
                m_forwardSizes.insert(size);
            if (m_lookupStacks.contains(m_study.allocations.stack(i)))
                m_lookupSizes.insert(size);
            if (named == NamedFrame::Itself)
                m_namedSizes.insert(size);
            else if (named == NamedFrame::Caller)
                m_calledSizes.insert(size);
        }
    }

    Match match(const VocabularyClaim& claim)
    {
        Match match{claim, {}, 0};
        for (const AllocationIndex i : m_liveAtPeak) {
            const Bytes size = m_study.allocations.recordedBytes(i);
            if (mayEndInStep(m_study.categories.of(i)) && !m_otherSizes.contains(size)
                && positionCount(size, claim.size, m_isRounded) && isNamed(size, claim)
                && fitsTokens(size, claim))
                match.atPeak[size].push_back(i);
        }
        keepOneLength(match);
        for (const auto& [size, blocks] : match.atPeak)
            match.bytes += bytesOf(m_study.allocations, blocks);
        return match;
    }

    /// Returns a cut for each allocation of these sizes, whenever it is alive.
    std::vector<LifetimeCut> cuts(const Match& match) const
    {
        std::vector<LifetimeCut> all;
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i)
            if (mayEndInStep(m_study.categories.of(i))
                && match.atPeak.contains(m_study.allocations.recordedBytes(i)))
                all.push_back({i});
        return all;
    }
    bool isRounded() const { return m_isRounded; }

private:
    /// True if frames relate this size to logits. Blocks that a module makes for a caller that mentions
    /// logits may be any activation, so then the vocabulary must be distinctive.
    bool isNamed(Bytes size, const VocabularyClaim& claim) const
    {
        const bool isOfHead = claim.source != VocabularySource::Factorised && m_forwardSizes.contains(size);
        return isLike(m_namedSizes, size)
            || (claim.isDistinctive() && (isOfHead || isLike(m_calledSizes, size)));
    }
    /// True if the size agrees with the token lookups, for a vocabulary that is known only from the rows of a
    /// matrix. There must be one position per looked-up token, or one fewer per sequence, in 16 or 32 bits.
    bool fitsTokens(Bytes size, const VocabularyClaim& claim) const
    {
        if (claim.row == 0 || m_lookupSizes.empty())
            return true;
        return std::ranges::any_of(m_lookupSizes, [&](Bytes rows) {
            const Bytes halves = rows / claim.row * claim.size * 2;
            return rows % claim.row == 0 && (isUpToShift(size, halves) || isUpToShift(size, 2 * halves));
        });
    }
    static bool isUpToShift(Bytes size, Bytes whole)
    {
        return size <= whole && size >= whole - whole / kShiftDivisor;
    }
    /// True if `sizes` contains this size or one that lacks a position per sequence. Half and twice the size
    /// also count, for a copy in another type, but only for sizes made in forward: other memory of backward,
    /// such as a gradient bucket, is no copy.
    bool isLike(const std::set<Bytes>& sizes, Bytes size) const
    {
        return isNear(sizes, size)
            || (m_forwardSizes.contains(size)
                && (isNear(sizes, size * 2) || (size % 2 == 0 && isNear(sizes, size / 2))));
    }
    static bool isNear(const std::set<Bytes>& sizes, Bytes wanted)
    {
        const auto least = sizes.lower_bound(wanted - wanted / kShiftDivisor);
        return least != sizes.end() && *least <= wanted;
    }
    /// Removes sizes that are far from the size of the logits. A hidden state may be a multiple of the
    /// vocabulary by chance, but has another length.
    void keepOneLength(Match& match) const
    {
        Bytes longest = 0;
        for (const auto& [size, blocks] : match.atPeak)
            if (m_namedSizes.contains(size) || m_calledSizes.contains(size))
                longest = size;
        // If frames name only log-probabilities, these lack the position by which labels are shifted.
        for (auto entry = match.atPeak.rbegin(); longest == 0 && entry != match.atPeak.rend(); ++entry)
            if (isNear(m_namedSizes, entry->first) || isNear(m_calledSizes, entry->first))
                longest = entry->first;
        std::erase_if(match.atPeak,
            [&](const auto& entry) { return entry.first * 4 < longest || entry.first > longest * 2; });
    }

    const DeviceStudy& m_study;
    bool m_isRounded;
    LogitsFrames m_frames;
    StacksWith m_lookupStacks; ///< stacks with functions that look up tokens
    std::vector<AllocationIndex> m_liveAtPeak;
    std::set<Bytes> m_otherSizes;
    std::set<Bytes> m_namedSizes; ///< sizes made by frames of the loss or the head
    std::set<Bytes> m_calledSizes; ///< sizes made by a module whose caller mentions logits
    std::set<Bytes> m_lookupSizes; ///< sizes made by token lookups
    std::set<Bytes> m_forwardSizes; ///< sizes made with frames, unlike those of backward without C++ frames
};

/// Returns the match with the best grade; on a tie, one with a distinctive vocabulary, then the one with most
/// bytes. nullopt if no match reaches 1/kLogitsDivisor of the peak.
std::optional<Match> bestMatch(
    const DetectorInput& input, const std::vector<VocabularyClaim>& claims, Matcher& matcher)
{
    std::optional<Match> best;
    for (const VocabularyClaim& claim : claims) {
        Match match = matcher.match(claim);
        if (match.bytes * kLogitsDivisor < input.figures.peakBytes || match.bytes == 0)
            continue;
        const auto order = [](const Match& one) {
            return std::tuple(one.grade(), !one.claim.isDistinctive(), -one.bytes);
        };
        if (!best || order(match) < order(*best))
            best = std::move(match);
    }
    return best;
}

/// Returns ": 8 in forward, 8 in generation"; empty if all are from one phase.
std::string phasesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& allocations)
{
    std::map<Phase, std::int64_t> counts;
    for (const AllocationIndex i : allocations)
        ++counts[study.phases.at(study.allocations.birth(i))];
    if (counts.size() < 2)
        return "";
    std::string text;
    for (const auto& [phase, count] : counts)
        text += fmt::format("{} {} in {}", text.empty() ? ":" : ",", formatCount(count),
            phase == Phase::Unknown ? "an unknown phase" : toText(phase));
    return text;
}

void addSizes(const DeviceStudy& study, const Match& match, Finding& finding)
{
    for (const auto& [size, allocations] : match.atPeak) {
        std::set<std::uint32_t> ids;
        for (const AllocationIndex i : allocations)
            ids.insert(study.sites.of(i).value());
        std::set<std::string> sites;
        for (const std::uint32_t id : ids)
            sites.insert(study.sites.site(SiteId(id)).label);
        std::string places;
        for (const std::string& site : sites)
            if (places.size() < 200)
                places += (places.empty() ? "" : ", ") + site;
        finding.addEvidence(AllocationsTarget{allocations}, "The peak includes {} of {}, allocated by {}{}",
            counted(allocations.size(), "tensor", "tensors"), formatBytes(size), places,
            phasesOf(study, allocations));
    }
}

/// A fault if there are more copies than one loss needs, or if memory ran out, since fewer copies would have
/// helped. Otherwise logits are a normal part of training a language model.
FindingKind kindOfMatch(const DetectorInput& input, const Match& match)
{
    const Bytes singleSize = match.atPeak.rbegin()->first;
    return match.bytes > kMaxOfOneLoss * singleSize || !input.figures.ooms.empty() ? FindingKind::Fault
                                                                                   : FindingKind::Fact;
}

} // namespace

std::vector<Finding> findOversizedLogits(const DetectorInput& input)
{
    const std::vector<VocabularyClaim> claims = vocabularyClaims(input);
    if (claims.empty())
        return {};
    Matcher matcher(input);
    const std::optional<Match> match = bestMatch(input, claims, matcher);
    if (!match)
        return {};
    const DeviceStudy& study = *input.study;
    const LogitsShape shape = logitsShape(input, match->mainSize(), match->claim.size, matcher.isRounded(),
        match->atPeak.contains(match->mainSize() * 2), match->atPeak.contains(match->mainSize() / 2));
    std::size_t copies = 0;
    for (const auto& [size, allocations] : match->atPeak)
        copies += allocations.size();
    Finding finding = findingAt(
        input, input.figures.peakEvent, "oversized-logits", match->grade(), kindOfMatch(input, *match));
    finding.bytes = match->bytes;
    finding.title = fmt::format("{} logits-sized tensor{} take{} {}, {} of the peak ({})",
        formatCount(copies), copies == 1 ? "" : "s", copies == 1 ? "s" : "", formatBytes(match->bytes),
        formatShare(match->bytes, input.figures.peakBytes), shape.text);
    addSizes(study, *match, finding);
    finding.addEvidence({}, "The vocabulary is {}: {}", formatCount(match->claim.size), match->claim.reason);
    if (!shape.arithmetic.empty())
        finding.addEvidence({}, shape.arithmetic);
    finding.remedy
        = {"Use chunked or fused cross-entropy (Liger, F.linear_cross_entropy), and drop copies of "
           "the logits once they are used",
            peakSaving(study, matcher.cuts(*match)), true};
    return {std::move(finding)};
}

} // namespace highwater
