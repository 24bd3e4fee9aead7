#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/base/hash.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::uint32_t kFewestTensors = 8;
constexpr std::size_t kFewestSizes = 2;
/// A copy below 1/kLeastPartOfCopy of the peak is not reported.
constexpr Bytes kLeastPartOfCopy = 50;

/// Words of functions and files that load a second model on purpose.
constexpr std::array<std::string_view, 12> kRoles = {"ref", "reference", "teacher", "ema", "critic", "reward",
    "target", "draft", "frozen", "engine", "vllm", "sglang"};
/// Functions that read weights from a file, and those that convert or move a model.
constexpr std::array<std::string_view, 6> kLoads
    = {"load", "_load", "persistent_load", "from_pretrained", "load_state_dict", "load_file"};
constexpr std::array<std::string_view, 7> kMoves
    = {"to", "cuda", "convert", "_apply", "half", "bfloat16", "deepcopy"};

/// What is reached through one call path: how many blocks, of which sizes. Equal for equal multisets, and
/// different ones are very unlikely to be equal.
struct Signature
{
    std::uint32_t count = 0;
    Bytes bytes = 0;
    std::uint64_t mix = 0; ///< sum over the blocks

    void add(Bytes size)
    {
        ++count;
        bytes += size;
        mix += mixOf(size);
        doubled += mixOf(size * 2);
    }
    /// Of the same tensors with elements of twice the width.
    Signature widened() const { return {count, bytes * 2, doubled, 0}; }
    auto key() const { return std::tie(count, bytes, mix); }
    bool operator==(const Signature& other) const { return key() == other.key(); }
    bool operator<(const Signature& other) const { return key() < other.key(); }

    std::uint64_t doubled = 0; ///< `mix` of sizes twice as large

private:
    static std::uint64_t mixOf(Bytes size)
    {
        std::uint64_t hash = static_cast<std::uint64_t>(size) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
        return hash * 0xBF58476D1CE4E5B9ull;
    }
};

/// Blocks of the peak that were made before training and are no gradients or states, by call path.
class LoadedBlocks
{
public:
    LoadedBlocks(const DeviceStudy& study, std::int64_t peakEvent)
        : m_study(study)
        , m_roles(study.trace)
    {
        for (const AllocationIndex i : study.allocations.liveAt(peakEvent))
            if (isLoaded(i))
                add(i);
    }

    /// Paths that hold the same tensors, or the same in half the precision, as far out as they differ from
    /// what calls them; empty: none do. Those that hold nearly the same count where these are larger.
    std::vector<StackId> copies(Bytes least) const
    {
        std::vector<StackId> same = equalCopies();
        std::vector<StackId> nearly = nearCopies(least);
        return bytesThrough(nearly) > bytesThrough(same) ? nearly : same;
    }

    /// Whether so many bytes are most of the loaded ones: otherwise they may be layers of one model.
    bool areMost(Bytes bytes) const { return bytes * 2 >= m_bytes; }

    std::vector<AllocationIndex> below(StackId node) const
    {
        std::vector<AllocationIndex> found;
        for (const AllocationIndex i : m_loaded)
            if (runsThrough(i, node))
                found.push_back(i);
        return found;
    }

private:
    static constexpr std::size_t kMostPaths = 256;

    std::vector<StackId> equalCopies() const
    {
        std::map<Signature, std::set<StackId>> same;
        for (const auto& [node, signature] : m_ofNode)
            if (isOutermost(node, signature)) {
                same[signature].insert(StackId(node));
                same[signature.widened()].insert(StackId(node));
            }
        std::vector<StackId> best;
        Bytes most = 0;
        for (const auto& [signature, nodes] : same)
            if (const Bytes bytes = bytesThrough(nodes); nodes.size() > 1 && bytes > most) {
                most = bytes;
                best.assign(nodes.begin(), nodes.end());
            }
        return best;
    }

    /// Two paths of at least so many bytes that hold nearly the same: a buffer more or less, or one that has
    /// no other precision, does not matter. Empty: there are none.
    std::vector<StackId> nearCopies(Bytes least) const
    {
        std::vector<std::pair<StackId, SizeCounts>> large;
        for (const auto& [node, signature] : m_ofNode)
            if (signature.bytes >= least && isOutermost(node, signature))
                large.emplace_back(StackId(node), SizeCounts());
        std::ranges::sort(large, {}, [](const auto& one) { return one.first.value(); });
        if (large.size() > kMostPaths)
            return {};
        for (auto& [node, counts] : large)
            for (const AllocationIndex i : below(node))
                ++counts[m_study.allocations.recordedBytes(i)];
        std::vector<StackId> best;
        Bytes most = 0;
        for (std::size_t a = 0; a < large.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const Bytes bytes = bytesOf(large[a].second) + bytesOf(large[b].second);
                if (bytes > most && !lieOnOnePath(large[a].first, large[b].first)
                    && areNearlyAlike(large[a].second, large[b].second)) {
                    most = bytes;
                    best = {large[b].first, large[a].first};
                }
            }
        return best;
    }

    bool isOutermost(std::uint32_t node, const Signature& signature) const
    {
        const auto ofCaller = m_ofNode.find(m_study.trace.stacks.caller(StackId(node)).value());
        return signature.count >= kFewestTensors
            && (ofCaller == m_ofNode.end() || ofCaller->second != signature);
    }

    bool lieOnOnePath(StackId a, StackId b) const
    {
        const auto leadsTo = [&](StackId from, StackId to) {
            while (m_study.trace.stacks.hasFrames(from) && from != to)
                from = m_study.trace.stacks.caller(from);
            return from == to;
        };
        return leadsTo(a, b) || leadsTo(b, a);
    }

    /// In the same precision, or one in half of the other's.
    static bool areNearlyAlike(const SizeCounts& a, const SizeCounts& b)
    {
        return isNearly(a, b, 1, 1) || isNearly(a, b, 2, 1) || isNearly(a, b, 1, 2);
    }
    static bool isNearly(const SizeCounts& a, const SizeCounts& b, Bytes times, Bytes part)
    {
        Bytes matched = 0;
        for (const auto& [size, count] : a)
            if (const auto other = b.find(size * times / part); other != b.end())
                matched += size * std::min(count, other->second);
        return matched * 20 >= bytesOf(a) * 19 && matched * times / part * 20 >= bytesOf(b) * 19;
    }

    template <typename Nodes>
    Bytes bytesThrough(const Nodes& nodes) const
    {
        Bytes bytes = 0;
        for (const StackId node : nodes)
            bytes += m_ofNode.at(node.value()).bytes;
        return bytes;
    }

    bool isLoaded(AllocationIndex i) const
    {
        const AllocationTable& allocations = m_study.allocations;
        const Category category = m_study.categories.of(i);
        if (allocations.stackOrigin(i) == StackOrigin::Free
            || !m_study.trace.stacks.hasFrames(allocations.stack(i))
            || (category != Category::Parameter && !isUntold(category))
            || m_roles.of(allocations.stack(i)).phase != Phase::Unknown)
            return false;
        const std::int64_t birth = allocations.birth(i);
        return birth < 0 || category == Category::Parameter || m_study.phases.at(birth) == Phase::Unknown;
    }

    void add(AllocationIndex i)
    {
        m_loaded.push_back(i);
        m_bytes += m_study.allocations.bytes(i);
        for (StackId node = m_study.allocations.stack(i); m_study.trace.stacks.hasFrames(node);
             node = m_study.trace.stacks.caller(node))
            m_ofNode[node.value()].add(m_study.allocations.recordedBytes(i));
    }

    bool runsThrough(AllocationIndex i, StackId wanted) const
    {
        StackId node = m_study.allocations.stack(i);
        while (m_study.trace.stacks.hasFrames(node) && node != wanted)
            node = m_study.trace.stacks.caller(node);
        return node == wanted;
    }

    const DeviceStudy& m_study;
    StackRoles m_roles; ///< what a forward or an optimizer makes is not loaded
    NumberMap<std::uint32_t, Signature> m_ofNode; ///< by stack id: those that loaded blocks have
    std::vector<AllocationIndex> m_loaded;
    Bytes m_bytes = 0; ///< of all that was loaded
};

std::size_t distinctSizes(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks)
{
    std::set<Bytes> sizes;
    for (const AllocationIndex i : blocks)
        sizes.insert(study.allocations.recordedBytes(i));
    return sizes.size();
}

/// Whether one of the words of a name, which underscores and the like part, is a role.
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

bool isOneOf(const auto& names, std::string_view function)
{
    return std::ranges::find(names, function) != names.end();
}

/// The path from where a copy differs down to its blocks: Python frames, outermost first.
struct CopyPath
{
    std::string text;
    bool hasRole = false; ///< a function or a file speaks of a reference, a teacher or the like
    bool loads = false; ///< it reads weights from a file
    bool moves = false; ///< it converts, moves or copies a model
    bool inConstructor = false; ///< it is a line of a constructor

    /// Two lines of a constructor that make equal parts make one model.
    bool isSubmodule() const { return inConstructor && !moves && !loads && !hasRole; }
};

CopyPath pathOf(const Trace& trace, StackId outermost, StackId innermost)
{
    CopyPath path;
    for (StackId node = innermost; trace.stacks.hasFrames(node); node = trace.stacks.caller(node)) {
        const Frame& frame = trace.stacks.frame(trace.stacks.innermost(node));
        if (frame.kind == FrameKind::Python) {
            const std::string_view file = trace.text(frame.file);
            path.text = fmt::format("{} ({}:{}){}{}", trace.text(frame.function), file, frame.line,
                path.text.empty() ? "" : " → ", path.text);
            path.loads = path.loads || isOneOf(kLoads, trace.text(frame.function));
            path.moves = path.moves || isOneOf(kMoves, trace.text(frame.function));
            path.inConstructor = trace.text(frame.function) == "__init__";
            path.hasRole
                = path.hasRole || hasRole(trace.text(frame.function)) || hasRole(sourceFileName(file));
        }
        if (node == outermost)
            break;
    }
    return path;
}

/// One copy: its blocks and where it was made.
struct Copy
{
    std::vector<AllocationIndex> blocks;
    CopyPath path;
};

std::vector<Copy> copiesOf(const DeviceStudy& study, const LoadedBlocks& loaded, Bytes least)
{
    std::vector<Copy> copies;
    for (const StackId node : loaded.copies(least)) {
        Copy copy{loaded.below(node), {}};
        copy.path = pathOf(study.trace, node, study.allocations.stack(copy.blocks.front()));
        copies.push_back(std::move(copy));
    }
    std::ranges::sort(copies, {}, [](const Copy& copy) { return copy.blocks.front(); });
    return copies;
}

/// What was read from a file stays beside the model that was made of it: the copy has no use. Other copies
/// may be a reference, a teacher, an average.
bool isLeftOver(const std::vector<Copy>& copies)
{
    return std::ranges::none_of(copies, [](const Copy& copy) { return copy.path.hasRole; })
        && std::ranges::any_of(copies, [](const Copy& copy) { return copy.path.loads; })
        && std::ranges::any_of(copies, [](const Copy& copy) { return copy.path.moves && !copy.path.loads; });
}

/// Made while the model was trained and there for two steps or more: a checkpoint that is kept. A reference
/// is made before, and a moving average may be made anew in each step.
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
    const auto born = study.steps.stepOf(birth);
    const auto gone = study.steps.stepOf(end);
    return born && gone && *born + 2 <= *gone;
}

/// One of them is such a checkpoint, of all that nothing calls a reference or the like.
bool isKeptCheckpoint(const DeviceStudy& study, const std::vector<Copy>& copies)
{
    return std::ranges::none_of(copies, [](const Copy& copy) { return copy.path.hasRole; })
        && std::ranges::count_if(copies, [&](const Copy& copy) { return isCheckpoint(study, copy); }) == 1;
}

/// What the others are copies of: of what was left over, the one that was not read from a file; beside a
/// checkpoint, the one that is none; else the largest.
const Copy& originalOf(
    const DeviceStudy& study, const std::vector<Copy>& copies, bool leftOver, bool checkpoint)
{
    const auto original = std::ranges::find_if(copies, [&](const Copy& copy) {
        return leftOver ? copy.path.moves && !copy.path.loads : checkpoint && !isCheckpoint(study, copy);
    });
    return original != copies.end() ? *original
                                    : *std::ranges::max_element(copies, {}, [&](const Copy& copy) {
                                          return bytesOf(study.allocations, copy.blocks);
                                      });
}

/// "The same 148 tensors are in memory 4 times, 474.70 MiB each, 1 in half the precision: …"
std::string titleOfCopies(
    const DeviceStudy& study, const std::vector<Copy>& copies, Bytes largest, Bytes more)
{
    const auto narrow = std::ranges::count_if(
        copies, [&](const Copy& copy) { return bytesOf(study.allocations, copy.blocks) * 3 < largest * 2; });
    return fmt::format("The model is in memory {} times: {} more than once ({} tensors, {} each{})",
        copies.size(), formatBytes(more), formatCount(copies.front().blocks.size()), formatBytes(largest),
        narrow > 0 ? fmt::format("; {} in half the precision", narrow) : "");
}

} // namespace

std::vector<Finding> findDuplicateModel(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const LoadedBlocks loaded(study, input.figures.peakEvent);
    const std::vector<Copy> copies = copiesOf(study, loaded, input.figures.peakBytes / kLeastPartOfCopy);
    if (copies.size() < 2
        || std::ranges::all_of(copies, [](const Copy& copy) { return copy.path.isSubmodule(); })
        || distinctSizes(study, copies.front().blocks) < kFewestSizes)
        return {};
    Bytes all = 0;
    Bytes largest = 0;
    for (const Copy& copy : copies) {
        const Bytes one = bytesOf(study.allocations, copy.blocks);
        all += one;
        largest = std::max(largest, one);
    }
    if (largest < input.figures.peakBytes / kLeastPartOfCopy || !loaded.areMost(all))
        return {};
    const bool leftOver = isLeftOver(copies);
    const bool checkpoint = !leftOver && isKeptCheckpoint(study, copies);
    Finding finding = findingAt(input, input.figures.peakEvent, "duplicate-model",
        checkpoint ? Grade::B : Grade::A, leftOver || checkpoint ? FindingKind::Fault : FindingKind::Fact);
    const Copy* const kept = &originalOf(study, copies, leftOver, checkpoint);
    finding.bytes = all - bytesOf(study.allocations, kept->blocks);
    finding.title = titleOfCopies(study, copies, largest, finding.bytes);
    std::vector<LifetimeCut> cuts;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        finding.addEvidence(AllocationsTarget{copies[i].blocks}, "copy {}: {}", i + 1, copies[i].path.text);
        for (const AllocationIndex block : copies[i].blocks)
            if (&copies[i] != kept)
                cuts.push_back({block});
    }
    finding.remedy = {leftOver ? "Drop the other copies: load to the host (map_location=\"cpu\"), check the "
                                 "type before converting and the device before moving, and keep no name for "
                                 "the old model"
            : checkpoint       ? "Keep the copy in host memory: .detach().cpu() of each tensor"
                               : "A second model that is needed (reference, teacher, average) can share "
                                 "weights where it is an adapter, or wait on the host while it is not used",
        peakSaving(study, cuts), !leftOver && !checkpoint};
    finding.wouldDisprove = "Two models that happen to have tensors of the same sizes and are both needed";
    return {std::move(finding)};
}

} // namespace highwater
