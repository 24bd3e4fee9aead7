#include "core/analysis/budget/observed_budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/analysis/budget/what_if_choices.h"
#include "core/analysis/categories/category_evidence.h"
#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

using Name = BudgetLineName;

/// A line to which bytes of a category may belong, and the bytes of the category that the line expects.
struct Claim
{
    Name name;
    Bytes expected;
};

/// Returns the sizes that one tensor of logits can have, as the device counts bytes.
std::vector<Bytes> logitsSizes(const RunShape& run, const DeviceStudy& study)
{
    const std::optional<Formula> elements = logitsElements(run);
    std::vector<Bytes> sizes;
    if (!elements)
        return sizes;
    for (const std::int64_t elementSize : {2, 4}) {
        const Formula bytes = *elements * elementSize;
        if (bytes.overflows() || bytes.value() > kTiB * kKiB) // 1 PiB
            continue;
        sizes.push_back(
            study.about().quantity == Quantity::Requested ? bytes.value() : roundedSize(bytes.value()));
    }
    return sizes;
}

/// Returns the lines that expect bytes of the category, in the order of the budget.
std::vector<Claim> claimsTo(Category category, const Budget& budget)
{
    std::vector<Claim> claims;
    for (const BudgetLine& line : budget.lines) {
        const bool holdsWeights = line.name == Name::Parameters || line.name == Name::ReferenceModel
            || line.name == Name::Critic || line.name == Name::Engine;
        if (category == Category::Parameter && holdsWeights)
            claims.push_back({line.name, line.weights});
        if (category == Category::Gradient && (line.name == Name::Gradients || line.gradients > 0))
            claims.push_back({line.name, line.gradients});
        if (category == Category::OptimizerState && (line.name == Name::OptimizerState || line.optimizer > 0))
            claims.push_back({line.name, line.optimizer});
        if ((category == Category::Activation && line.name == Name::Activations)
            || (category == Category::Temporary && line.name == Name::Temporary)
            || (category == Category::KvCache && line.name == Name::KvCache))
            claims.push_back({line.name, line.likely()});
    }
    return claims;
}

/// Returns the allocations of the finding about logits, if it is about the peak.
std::unordered_set<AllocationIndex> logitsFound(const std::vector<Finding>& findings, std::int64_t peakEvent)
{
    const auto found = std::ranges::find_if(findings, [peakEvent](const Finding& finding) {
        return finding.rule == "oversized-logits" && finding.event == peakEvent;
    });
    if (found == findings.end())
        return {};
    const std::vector<AllocationIndex> allocations = allocationsOf(*found);
    return {allocations.begin(), allocations.end()};
}

/// Faults that keep or copy memory which no estimate includes. An allocation belongs to the first that lists
/// it.
constexpr std::array<std::string_view, 6> kFaultsBeyondEstimates{"growth", "retained-graph",
    "generation-with-gradients", "unused-graph", "duplicate-model", "kv-cache-in-training"};

using FaultOfAllocation = std::unordered_map<AllocationIndex, std::string_view>;

/// Returns, for each allocation, the first of these faults, of grade A or B, that lists it. A finding's
/// evidence is of one moment; what the same code keeps at other moments (`Finding::keepers`) counts as well.
FaultOfAllocation faultsBeyondEstimates(const std::vector<Finding>& findings)
{
    FaultOfAllocation faults;
    const auto add = [&faults](const std::vector<AllocationIndex>& allocations, std::string_view rule) {
        for (const AllocationIndex allocation : allocations)
            faults.try_emplace(allocation, rule);
    };
    for (const std::string_view rule : kFaultsBeyondEstimates)
        for (const Finding& finding : findings) {
            if (finding.rule != rule || finding.kind != FindingKind::Fault || finding.grade == Grade::C)
                continue;
            add(allocationsOf(finding), rule);
            for (const Keeper& keeper : finding.keepers)
                add(keeper.allocations, rule);
        }
    return faults;
}

/// Bytes of allocations by their call site.
struct BytesBySite
{
    Bytes bytes = 0;
    std::map<std::uint32_t, Bytes> bySite;

    void add(SiteId site, Bytes more)
    {
        bytes += more;
        bySite[site.value()] += more;
    }
    /// Returns the most bytes that one site has.
    Bytes largest() const
    {
        Bytes most = 0;
        for (const auto& [site, siteBytes] : bySite)
            most = std::max(most, siteBytes);
        return most;
    }
    /// Returns the labels of all sites with `largest` bytes, in the order of the sites.
    std::vector<std::string> largestSites(const CallSites& sites) const
    {
        const Bytes most = largest();
        std::vector<std::string> labels;
        for (const auto& [site, siteBytes] : bySite)
            if (siteBytes == most)
                labels.push_back(sites.site(SiteId(site)).label);
        return labels;
    }
};

/// Bytes of one category, or of the logits, by call site and by fault.
struct CategorySum : BytesBySite
{
    std::map<std::string_view, BytesBySite> byFault;

    /// Returns the fault with most bytes; null if there is none.
    const std::pair<const std::string_view, BytesBySite>* largestFault() const
    {
        const auto found
            = std::ranges::max_element(byFault, {}, [](const auto& fault) { return fault.second.bytes; });
        return found == byFault.end() ? nullptr : &*found;
    }
};

/// Assigns the live bytes at the peak to the lines of a budget.
class LineAssigner
{
public:
    LineAssigner(const Budget& budget, const RunShape& run, const DeviceStudy& study,
        const std::vector<Finding>& findings, const LoggedGpu& logged)
        : m_budget(budget)
        , m_study(study)
    {
        observed.outcome = observedOutcome(study, findings, logged);
        observed.event = study.curve.peak().event;
        m_faults = faultsBeyondEstimates(findings);
        if (!budget.find(Name::Logits))
            return;
        m_foundLogits = logitsFound(findings, observed.event);
        if (m_foundLogits.empty())
            m_logitsSizes = logitsSizes(run, study);
    }

    ObservedBudget assign()
    {
        observed.quantity = m_study.allocations.quantity();
        countLiveAtPeak();
        observed.needed = neededMemory(m_study);
        if (!m_foundLogits.empty() || !m_logitsSizes.empty())
            addLogits();
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            distributeToLines(static_cast<Category>(i), m_ofCategory[i]);
        std::ranges::sort(observed.lines, {}, &ObservedBudget::Line::name);
        return std::move(observed);
    }

    ObservedBudget observed;

private:
    bool isLogits(AllocationIndex i, Category category) const
    {
        if (!m_foundLogits.empty())
            return m_foundLogits.contains(i);
        const bool mayBeLogits = category != Category::Parameter && category != Category::OptimizerState;
        return mayBeLogits
            && std::ranges::find(m_logitsSizes, m_study.allocations.recordedBytes(i)) != m_logitsSizes.end();
    }

    /// Returns the first event of the peak's step; −1 if steps are not known, or the peak is in none.
    std::int64_t stepBegin() const
    {
        const StepTable& steps = m_study.steps;
        const std::optional<std::size_t> step = steps.stepOf(observed.event);
        return steps.source == StepSource::Whole || !step ? -1 : steps.steps[*step].begin;
    }

    void countLiveAtPeak()
    {
        const std::int64_t begin = stepBegin();
        for (const AllocationIndex i : m_study.allocations.liveAt(observed.event)) {
            const Category category = m_study.categories.of(i);
            const Bytes bytes = m_study.allocations.bytes(i);
            observed.total += bytes;
            CategorySum& sum
                = isLogits(i, category) ? m_logits : m_ofCategory[static_cast<std::size_t>(category)];
            const SiteId site = m_study.sites.of(i);
            sum.add(site, bytes);
            if (const auto fault = m_faults.find(i); fault != m_faults.end())
                sum.byFault[fault->second].add(site, bytes);
            if (&sum == &m_logits) {
                m_logitsOfCategory[static_cast<std::size_t>(category)] += bytes;
                ++observed.logitsTensorCount;
            } else if (category == Category::Activation && m_study.allocations.birth(i) < begin) {
                observed.fromEarlierSteps += bytes;
            }
        }
    }

    /// Adds bytes to a line. `all` is the sum of the whole category, or of all logits, of which `bytes` is
    /// this line's part.
    void addToLine(Name name, Bytes bytes, const CategorySum& all, bool isShared, bool isGuess = false)
    {
        auto line = std::ranges::find(observed.lines, name, &ObservedBudget::Line::name);
        if (line == observed.lines.end())
            line = observed.lines.insert(line, {.name = name});
        line->bytes += bytes;
        line->isShared = line->isShared || isShared;
        line->isGuess = line->isGuess || isGuess;
        if (const Bytes siteBytes = all.largest(); siteBytes >= line->siteBytes) {
            const std::vector<std::string> sites = all.largestSites(m_study.sites);
            line->site = sites.size() == 1 && siteBytes > line->siteBytes ? sites.front() : std::string();
            line->siteBytes = siteBytes;
        }
        if (const auto* fault = all.largestFault();
            fault && std::min(bytes, fault->second.bytes) > line->faultBytes) {
            line->fault = fault->first;
            line->faultBytes = std::min(bytes, fault->second.bytes);
            line->faultSites = fault->second.largestSites(m_study.sites);
        }
    }

    void addLogits()
    {
        addToLine(Name::Logits, m_logits.bytes, m_logits, false);
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            if (m_logitsOfCategory[i] > 0)
                observed.logitsParts.push_back(
                    {static_cast<Category>(i), m_logitsOfCategory[i], m_study.guessed[i]});
        std::ranges::sort(observed.logitsParts, std::ranges::greater(), &ObservedBudget::CategoryPart::bytes);
    }

    /// Splits the bytes among the lines in proportion to their claims, or evenly if none expects any; the
    /// last line gets the rounding difference.
    void distributeToLines(Category category, const CategorySum& all)
    {
        const Bytes bytes = all.bytes;
        const bool isGuess = m_study.guessed[static_cast<std::size_t>(category)];
        if (const Bytes whole = bytes + m_logitsOfCategory[static_cast<std::size_t>(category)]; whole > 0)
            observed.categories.push_back({category, whole, isGuess});
        const std::vector<Claim> claims = claimsTo(category, m_budget);
        if (claims.empty()) {
            if (bytes > 0)
                observed.rest.push_back({category, bytes, isGuess});
            observed.unexplained += bytes;
            return;
        }
        double expected = 0;
        for (const Claim& claim : claims)
            expected += static_cast<double>(claim.expected);
        Bytes remaining = bytes;
        for (std::size_t i = 0; i < claims.size(); ++i) {
            const double share = expected > 0 ? static_cast<double>(claims[i].expected) / expected
                                              : 1.0 / static_cast<double>(claims.size());
            const Bytes part = i + 1 == claims.size()
                ? remaining
                : std::min<Bytes>(remaining, std::llround(share * static_cast<double>(bytes)));
            addToLine(claims[i].name, part, all, claims.size() > 1, isGuess);
            remaining -= part;
        }
    }

    const Budget& m_budget;
    const DeviceStudy& m_study;
    /// The logits of the finding; empty if there is no finding.
    std::unordered_set<AllocationIndex> m_foundLogits;
    FaultOfAllocation m_faults;
    std::vector<Bytes> m_logitsSizes; ///< the sizes that logits can have, if there is no finding
    CategorySum m_logits;
    CategoryBytes m_logitsOfCategory{};
    std::array<CategorySum, kCategoryCount> m_ofCategory{};
};

/// Names an optimizer whose state is within a tenth of the observed bytes, if that of the run is not. 8-bit
/// and single values look alike, so the sentence does not claim that the named one ran. Of a run that has
/// fewer parameters than expected, too, the state may be a shard.
void nameOtherOptimizer(ObservedBudget& observed, const Budget& budget, const RunShape& run)
{
    const auto line = std::ranges::find(observed.lines, Name::OptimizerState, &ObservedBudget::Line::name);
    const BudgetLine* const expected = budget.find(Name::OptimizerState);
    if (line == observed.lines.end() || !expected || !run.optimizer || line->bytes == 0)
        return;
    const auto isNear
        = [&](Bytes bytes) { return std::abs(bytes - line->bytes) <= std::max(bytes, line->bytes) / 10; };
    const BudgetLine* const parameters = budget.find(Name::Parameters);
    const ObservedBudget::Line* const seen = observed.find(Name::Parameters);
    const bool mayBeShard = parameters && (!seen || seen->bytes < parameters->likely() / 4 * 3);
    if (isNear(expected->likely()) || mayBeShard)
        return;
    if (const auto other = otherOptimizer(run, isNear))
        line->otherOptimizer = fmt::format("the optimizer is not {}: {} would need {}",
            toText(*run.optimizer), toText(other->kind), formatBytes(other->stateBytes));
}

std::int64_t elementsIn(Bytes bytes, ElementType type)
{
    const ElementBytes each = bytesOf(type);
    return std::llround(static_cast<double>(bytes) * static_cast<double>(each.denominator)
        / static_cast<double>(each.numerator));
}

} // namespace

const ObservedBudget::Line* ObservedBudget::find(BudgetLineName name) const
{
    const auto found = std::ranges::find(lines, name, &Line::name);
    return found == lines.end() ? nullptr : &*found;
}

ObservedBudget observedBudget(const Budget& budget, const RunShape& run, const DeviceStudy& study,
    const std::vector<Finding>& findings, const LoggedGpu& logged)
{
    ObservedBudget observed = LineAssigner(budget, run, study, findings, logged).assign();
    nameOtherOptimizer(observed, budget, run);
    return observed;
}

std::optional<std::int64_t> observedParameterCount(const DeviceStudy& study, ElementType type)
{
    const CategoryEvidence evidence(study.trace, study.allocations, study.phases, study.steps);
    Bytes bytes = bytesOf(findParameterSizes(evidence).counts);
    if (bytes == 0)
        for (const AllocationIndex i : study.allocations.liveAt(study.curve.peak().event))
            if (study.categories.of(i) == Category::Parameter)
                bytes += study.allocations.bytes(i);
    return bytes > 0 ? std::optional(elementsIn(bytes, type)) : std::nullopt;
}

std::optional<double> activationsFactor(const Budget& budget, const ObservedBudget& observed)
{
    const BudgetLine* const line = budget.find(Name::Activations);
    const ObservedBudget::Line* const observedLine = observed.find(Name::Activations);
    const Bytes needed = observedLine ? observedLine->bytes - observed.fromEarlierSteps : 0;
    if (!line || line->likely() <= 0 || needed <= 0)
        return std::nullopt;
    return static_cast<double>(needed) / static_cast<double>(line->likely());
}

} // namespace highwater
