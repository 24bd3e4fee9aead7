#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/detectors/models/loaded_blocks.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::size_t kFewestSizes = 2;
/// A copy below 1/kCopyDivisor of the peak is not reported.
constexpr std::int64_t kCopyDivisor = 50;

/// Words of functions and files that load a second model on purpose.
constexpr std::array<std::string_view, 12> kRoles = {"ref", "reference", "teacher", "ema", "critic", "reward",
    "target", "draft", "frozen", "engine", "vllm", "sglang"};
/// Functions that read weights from a file, and those that convert or move a model.
constexpr std::array<std::string_view, 6> kLoadingFunctions
    = {"load", "_load", "persistent_load", "from_pretrained", "load_state_dict", "load_file"};
constexpr std::array<std::string_view, 7> kMovingFunctions
    = {"to", "cuda", "convert", "_apply", "half", "bfloat16", "deepcopy"};

std::size_t distinctSizes(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks)
{
    std::set<Bytes> sizes;
    for (const AllocationIndex i : blocks)
        sizes.insert(study.allocations.recordedBytes(i));
    return sizes.size();
}

/// True if a word of a name is a role. Words end at characters that are not alphanumeric.
bool hasRole(std::string_view name)
{
    const auto isPartOfWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    std::size_t begin = 0;
    for (std::size_t end = 0; end <= name.size(); ++end) {
        if (end < name.size() && isPartOfWord(name[end]))
            continue;
        if (std::ranges::find(kRoles, name.substr(begin, end - begin)) != kRoles.end())
            return true;
        begin = end + 1;
    }
    return false;
}

bool containsName(const auto& names, std::string_view function)
{
    return std::ranges::find(names, function) != names.end();
}

/// The Python frames of a copy: from the call at which its path differs from the other paths, down to the
/// allocation.
struct CopyPath
{
    std::string text; ///< the outermost frame, with the innermost: "load (train.py:3) [make (hub.py:9)]"
    bool hasRole = false; ///< a function or a file names a reference, a teacher or the like
    bool loads = false; ///< it reads weights from a file
    bool moves = false; ///< it converts, moves or copies a model
    bool inConstructor = false; ///< it is a line of a constructor

    /// True if the path is a plain line of a constructor. Two such lines that make equal parts build one
    /// model, not two copies.
    bool isSubmodule() const { return inConstructor && !moves && !loads && !hasRole; }
};

CopyPath pathOf(const Trace& trace, StackId outermost, StackId innermost)
{
    CopyPath path;
    std::string innermostFrame;
    for (StackId node = innermost; trace.stacks.hasFrames(node); node = trace.stacks.caller(node)) {
        const Frame& frame = trace.stacks.frame(trace.stacks.innermost(node));
        if (frame.kind == FrameKind::Python) {
            const std::string_view file = trace.text(frame.file);
            path.text = codePlaceText(trace.text(frame.function), file, frame.line);
            if (innermostFrame.empty())
                innermostFrame = path.text;
            path.loads = path.loads || containsName(kLoadingFunctions, trace.text(frame.function));
            path.moves = path.moves || containsName(kMovingFunctions, trace.text(frame.function));
            path.inConstructor = trace.text(frame.function) == "__init__";
            path.hasRole
                = path.hasRole || hasRole(trace.text(frame.function)) || hasRole(sourceFileName(file));
        }
        if (node == outermost)
            break;
    }
    if (path.text != innermostFrame)
        path.text += fmt::format(" [{}]", innermostFrame);
    return path;
}

/// One copy of the model: its blocks and the code that made it.
struct Copy
{
    std::vector<AllocationIndex> blocks;
    CopyPath path;
};

std::vector<Copy> copiesOf(const DeviceStudy& study, const LoadedBlocks& loaded, Bytes leastBytes)
{
    std::vector<Copy> copies;
    for (const StackId node : loaded.copies(leastBytes)) {
        Copy copy{loaded.below(node), {}};
        copy.path = pathOf(study.trace, node, study.allocations.stack(copy.blocks.front()));
        copies.push_back(std::move(copy));
    }
    std::ranges::sort(copies, {}, [](const Copy& copy) { return copy.blocks.front(); });
    return copies;
}

/// True if the weights read from a file are still alive next to the model made from them: that copy has no
/// further use. Other copies may be a reference model, a teacher or a running average.
bool isLeftOver(const std::vector<Copy>& copies)
{
    return std::ranges::none_of(copies, [](const Copy& copy) { return copy.path.hasRole; })
        && std::ranges::any_of(copies, [](const Copy& copy) { return copy.path.loads; })
        && std::ranges::any_of(copies, [](const Copy& copy) { return copy.path.moves && !copy.path.loads; });
}

/// True if the copy is a kept checkpoint: made after training began, and alive for two steps or more. A
/// reference model is made before training, and a moving average may be remade in each step.
bool isCheckpoint(const DeviceStudy& study, const Copy& copy)
{
    const std::vector<PhaseRange>& ranges = study.phases.ranges();
    const auto first = std::ranges::find(ranges, Phase::Optimizer, &PhaseRange::phase);
    const AllocationIndex block = copy.blocks.front();
    const std::int64_t birth = study.allocations.birth(block);
    if (first == ranges.end() || birth < first->end)
        return false;
    const std::int64_t end
        = std::min<std::int64_t>(study.allocations.death(block), study.curve.eventCount() - 1);
    const auto birthStep = study.steps.stepOf(birth);
    const auto deathStep = study.steps.stepOf(end);
    return birthStep && deathStep && *birthStep + 2 <= *deathStep;
}

/// True if exactly one copy is a kept checkpoint, and no path names a reference model, a teacher or the like.
bool isKeptCheckpoint(const DeviceStudy& study, const std::vector<Copy>& copies)
{
    return std::ranges::none_of(copies, [](const Copy& copy) { return copy.path.hasRole; })
        && std::ranges::count_if(copies, [&](const Copy& copy) { return isCheckpoint(study, copy); }) == 1;
}

/// Returns the copy that the others duplicate. Among leftovers, this is the one read from a file, unless a
/// copy converted from it is smaller; with a kept checkpoint, one that is not a checkpoint; else the largest.
const Copy& originalOf(
    const DeviceStudy& study, const std::vector<Copy>& copies, bool hasLeftOver, bool hasCheckpoint)
{
    const auto sizeOf = [&](const Copy& copy) { return bytesOf(study.allocations, copy.blocks); };
    if (hasLeftOver) {
        const auto loaded = std::ranges::find_if(copies, [](const Copy& copy) { return copy.path.loads; });
        const auto moved = std::ranges::find_if(
            copies, [](const Copy& copy) { return copy.path.moves && !copy.path.loads; });
        return sizeOf(*moved) < sizeOf(*loaded) ? *moved : *loaded;
    }
    const auto original = std::ranges::find_if(
        copies, [&](const Copy& copy) { return hasCheckpoint && !isCheckpoint(study, copy); });
    return original != copies.end() ? *original : *std::ranges::max_element(copies, {}, sizeOf);
}

/// Returns the advice for leftovers, with the places that make the copies other than the original.
std::string actionForLeftOvers(const std::vector<Copy>& copies, const Copy& original)
{
    constexpr std::size_t maxNamed = 3;
    std::vector<std::string> places;
    for (const Copy& copy : copies)
        if (&copy != &original)
            places.push_back(copy.path.text.substr(0, copy.path.text.find(" [")));
    if (places.size() > maxNamed)
        places.resize(maxNamed);
    return fmt::format("Keep one copy; the {} made by the {} at {} {} extra. Load the weights on the CPU "
                       "(map_location=\"cpu\"), convert them there, move them once, and keep no reference "
                       "to the old ones",
        copies.size() == 2 ? "one" : formatCount(copies.size() - 1), places.size() == 1 ? "call" : "calls",
        fmt::join(places, " and "), copies.size() == 2 ? "is" : "are");
}

/// Returns the title: "4 copies of the model are in memory; the 3 extra take 1.39 GiB (148 tensors and up to
/// 474.7 MiB each; 1 in half precision)".
std::string titleOfCopies(
    const DeviceStudy& study, const std::vector<Copy>& copies, Bytes largestBytes, Bytes copiedBytes)
{
    const auto narrowCopies = std::ranges::count_if(copies,
        [&](const Copy& copy) { return bytesOf(study.allocations, copy.blocks) * 3 < largestBytes * 2; });
    return fmt::format("{} copies of the model are in memory; {} {} ({} tensors and {}{} each{})",
        copies.size(),
        copies.size() == 2 ? "the second takes" : fmt::format("the {} extra take", copies.size() - 1),
        formatBytes(copiedBytes), formatCount(copies.front().blocks.size()),
        copiedBytes == largestBytes * static_cast<Bytes>(copies.size() - 1) ? "" : "up to ",
        formatBytes(largestBytes),
        narrowCopies > 0 ? fmt::format("; {} in half precision", narrowCopies) : "");
}

} // namespace

std::vector<Finding> findDuplicateModel(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const LoadedBlocks loaded(study, input.figures.peakEvent);
    const std::vector<Copy> copies = copiesOf(study, loaded, input.figures.peakBytes / kCopyDivisor);
    if (copies.size() < 2
        || std::ranges::all_of(copies, [](const Copy& copy) { return copy.path.isSubmodule(); })
        || distinctSizes(study, copies.front().blocks) < kFewestSizes)
        return {};
    Bytes allBytes = 0;
    Bytes largestBytes = 0;
    for (const Copy& copy : copies) {
        const Bytes copyBytes = bytesOf(study.allocations, copy.blocks);
        allBytes += copyBytes;
        largestBytes = std::max(largestBytes, copyBytes);
    }
    if (largestBytes < input.figures.peakBytes / kCopyDivisor || !loaded.areMostLoadedBytes(allBytes))
        return {};
    const bool hasLeftOver = isLeftOver(copies);
    const bool hasCheckpoint = !hasLeftOver && isKeptCheckpoint(study, copies);
    Finding finding
        = findingAt(input, input.figures.peakEvent, "duplicate-model", hasCheckpoint ? Grade::B : Grade::A,
            hasLeftOver || hasCheckpoint ? FindingKind::Fault : FindingKind::Fact);
    const Copy* const original = &originalOf(study, copies, hasLeftOver, hasCheckpoint);
    finding.bytes = allBytes - bytesOf(study.allocations, original->blocks);
    finding.title = titleOfCopies(study, copies, largestBytes, finding.bytes);
    std::vector<LifetimeCut> cuts;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        finding.addEvidence(
            AllocationsTarget{copies[i].blocks}, "Copy {} is allocated by {}", i + 1, copies[i].path.text);
        finding.evidence.back().isContext = &copies[i] == original;
        for (const AllocationIndex block : copies[i].blocks)
            if (&copies[i] != original)
                cuts.push_back({block});
    }
    finding.remedy = {hasLeftOver ? actionForLeftOvers(copies, *original)
            : hasCheckpoint
            ? "Keep the copy in host memory: .detach().cpu() each tensor"
            : "If the second model is needed (reference, teacher, average), share its weights "
              "through an adapter, or offload it while it is idle",
        peakSaving(study, cuts), !hasLeftOver && !hasCheckpoint};
    finding.wouldDisprove
        = "Wrong if the copies are different models with the same tensor sizes, and all of them are needed";
    return {std::move(finding)};
}

} // namespace highwater
