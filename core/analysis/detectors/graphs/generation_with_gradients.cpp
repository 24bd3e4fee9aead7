#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/detectors/graphs/model_callers.h"
#include "core/analysis/detectors/leak_place.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Without gradients, a generation keeps caches, collected scores and tokens, from at most two places.
constexpr std::size_t kFewestPlaces = 3;
constexpr std::size_t kFewestRounds = 4;
constexpr std::int64_t kGenerationDivisor = 100;

/// The allocations of one stack within one generation phase.
struct Rounds
{
    std::vector<AllocationIndex> blocks;
    std::vector<AllocationIndex> kept; ///< blocks alive when the phase ends

    bool isRecurring() const { return blocks.size() >= kFewestRounds; }
    /// True if at least a quarter of the blocks are kept: a line may make several blocks per round although
    /// the graph keeps only one of them. Without a graph, hardly more than the blocks of the last round
    /// remain.
    bool pilesUp() const
    {
        return isRecurring() && kept.size() >= kFewestRounds && kept.size() * 4 >= blocks.size();
    }
};

/// One generation phase, and the stacks of which blocks of nearly every round are alive at its end.
struct Generation
{
    PhaseRange range;
    std::vector<Rounds> places;
    std::size_t recurringStacks = 0; ///< stacks that allocate in several rounds
    Bytes bytes = 0;
    Bytes usedByBackward = 0;
};

Generation generationIn(const DeviceStudy& study, const StackRoles& roles, const PhaseRange& range)
{
    const AllocationTable& allocations = study.allocations;
    std::map<std::uint32_t, Rounds> byStack;
    for (std::int64_t event = range.begin; event < range.end; ++event) {
        const AllocationIndex i = allocations.ofEvent(event);
        if (i == AllocationTable::kNoAllocation || allocations.birth(i) != event
            || allocations.stack(i).isNone())
            continue;
        Rounds& rounds = byStack[static_cast<std::uint32_t>(allocations.stack(i).index())];
        rounds.blocks.push_back(i);
        if (allocations.isLiveAt(i, range.end - 1))
            rounds.kept.push_back(i);
    }
    Generation generation{range, {}, 0, 0, 0};
    for (auto& [stack, rounds] : byStack) {
        generation.recurringStacks += rounds.isRecurring() ? 1 : 0;
        if (!rounds.pilesUp())
            continue;
        for (const AllocationIndex i : rounds.kept) {
            generation.bytes += allocations.bytes(i);
            if (isFreedByBackward(study, roles, i))
                generation.usedByBackward += allocations.bytes(i);
        }
        generation.places.push_back(std::move(rounds));
    }
    return generation;
}

/// True if an autograd graph is kept. A graph keeps most of the places that allocate in each round, while
/// caches and collected scores are a small part.
bool keepsItsGraph(const Generation& generation)
{
    return generation.places.size() >= kFewestPlaces
        && generation.places.size() * 2 >= generation.recurringStacks
        && generation.usedByBackward * 2 < generation.bytes;
}

/// Adds the lifetimes that blocks would have without gradients: each is freed when the same place makes its
/// next kept block.
void addCutsOfGeneration(
    const DeviceStudy& study, const Generation& generation, std::vector<LifetimeCut>& cuts)
{
    for (const Rounds& rounds : generation.places)
        for (std::size_t i = 0; i < rounds.kept.size(); ++i) {
            const bool isLast = i + 1 == rounds.kept.size();
            cuts.push_back({rounds.kept[i],
                isLast ? generation.range.end - 1 : study.allocations.birth(rounds.kept[i + 1])});
        }
}

void addPlaces(const DeviceStudy& study, Generation generation, Finding& finding)
{
    const auto bytesOfPlace = [&](const Rounds& rounds) { return bytesOf(study.allocations, rounds.kept); };
    std::ranges::stable_sort(generation.places, std::greater(), bytesOfPlace);
    constexpr std::size_t kPlacesShown = 5;
    for (std::size_t i = 0; i < std::min(kPlacesShown, generation.places.size()); ++i) {
        const Rounds& rounds = generation.places[i];
        finding.addEvidence(AllocationsTarget{rounds.kept}, "{} at {} hold {} when generation ends",
            rounds.kept.size() == rounds.blocks.size()
                ? counted(rounds.kept.size(), "allocation", "allocations")
                : fmt::format("{} of the {} allocations", formatCount(rounds.kept.size()),
                    formatCount(rounds.blocks.size())),
            study.sites.site(study.sites.of(rounds.kept.front())).label, formatBytes(bytesOfPlace(rounds)));
    }
    if (generation.places.size() <= kPlacesShown)
        return;
    std::vector<AllocationIndex> rest;
    for (std::size_t i = kPlacesShown; i < generation.places.size(); ++i)
        rest.insert(rest.end(), generation.places[i].kept.begin(), generation.places[i].kept.end());
    std::ranges::sort(rest);
    const Bytes restBytes = bytesOf(study.allocations, rest);
    finding.addEvidence(AllocationsTarget{std::move(rest)}, "Allocations at {} hold {} when generation ends",
        counted(generation.places.size() - kPlacesShown, "more call site", "more call sites"),
        formatBytes(restBytes));
}

} // namespace

std::vector<Finding> findGenerationWithGradients(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const StackRoles roles(study.trace);
    std::vector<Generation> found;
    for (const PhaseRange& range : study.phases.ranges())
        if (range.phase == Phase::Generation)
            if (Generation generation = generationIn(study, roles, range); keepsItsGraph(generation))
                found.push_back(std::move(generation));
    if (found.empty())
        return {};
    const Generation& largest = *std::ranges::max_element(found, {}, &Generation::bytes);
    if (largest.bytes < input.figures.peakBytes / kGenerationDivisor)
        return {};
    Finding finding
        = findingAt(input, largest.range.end - 1, "generation-with-gradients", Grade::B, FindingKind::Fault);
    finding.bytes = largest.bytes;
    const bool areEqual = std::ranges::all_of(
        found, [&](const Generation& generation) { return generation.bytes == largest.bytes; });
    finding.title = fmt::format("Generation builds an autograd graph of {}{}", formatBytes(largest.bytes),
        found.size() > 1 ? fmt::format(
            " in {} of {} generations", areEqual ? "each" : "the largest", formatCount(found.size()))
                         : "");
    addPlaces(study, largest, finding);
    std::vector<LifetimeCut> cuts;
    Bytes atPeak = 0;
    std::vector<AllocationIndex> blocks;
    for (const Generation& generation : found) {
        addCutsOfGeneration(study, generation, cuts);
        for (const Rounds& rounds : generation.places)
            blocks.insert(blocks.end(), rounds.kept.begin(), rounds.kept.end());
    }
    for (const AllocationIndex i : blocks)
        atPeak += study.allocations.isLiveAt(i, input.figures.peakEvent) ? study.allocations.bytes(i) : 0;
    finding.keepers = findKeepers(study, blocks);
    finding.addEvidence(EventTarget{input.figures.peakEvent}, "{} of the graph is in use at the run's peak",
        formatBytes(atPeak));
    // A cache that the loop still refers to outlives its phase also without gradients.
    constexpr bool isAtMost = true;
    PeakSaving saving = peakSaving(study, cuts);
    finding.remedy = {fmt::format("Wrap {} in torch.no_grad() or torch.inference_mode(){}",
                          callKeeping(finding, "generation"), savesElsewhere(saving)),
        std::move(saving), isAtMost};
    finding.wouldDisprove = "Wrong if you call backward through the generated tokens, or if a cache keeps "
                            "three or more tensors per token";
    return {std::move(finding)};
}

} // namespace highwater
