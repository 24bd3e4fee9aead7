#include "core/analysis/detectors/advice.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/detectors/rule_table.h"
#include "core/base/text_format.h"
#include "core/base/units.h"

namespace highwater {

namespace {

/// The GPU is nearly full if the reserved peak reaches this share of its capacity.
constexpr double kNearlyFull = 0.9;
/// A saving below 1/kSmallDivisor of the peak is small, and so is one below kSmallBytes, about 1% of a GPU of
/// 24 GiB.
constexpr std::int64_t kSmallDivisor = 50;
constexpr Bytes kSmallBytes = 256 * kMiB;
/// A saving below 1/kNothingDivisor of the peak makes no difference to any run.
constexpr std::int64_t kNothingDivisor = 100;

/// The failures for which too little memory was free.
constexpr std::array<std::string_view, 2> kTooLittleRules{"too-big", "divided-free-memory"};

/// True for a fault about kept memory that no other finding explains and whose action saves a known amount.
bool isSureFaultOfKeptMemory(const Finding& finding)
{
    const Rule* const rule = ruleNamed(finding.rule);
    return rule && rule->causeOrder > 0 && finding.kind == FindingKind::Fault && finding.grade != Grade::C
        && finding.mergedInto.empty() && !finding.remedy.action.empty() && !finding.remedy.isUpperBound;
}

/// Returns the sure fault about kept memory that saves most, or null.
const Finding* causeAmong(const std::vector<Finding>& findings)
{
    const Finding* cause = nullptr;
    for (const Finding& finding : findings)
        if (isSureFaultOfKeptMemory(finding)
            && (!cause || finding.remedy.savedBytes > cause->remedy.savedBytes))
            cause = &finding;
    return cause;
}

/// Returns the name of what a rule reports, for advice: "the leak", "the fault "unused graph"".
std::string faultName(std::string_view rule)
{
    if (rule == "growth" || rule == "still-rising")
        return "the leak";
    if (rule == "duplicate-model")
        return "the copies of the model";
    return "the fault \"" + ruleWords(std::string(rule)) + '"';
}

/// Lets the failure refer to the cause if fixing the cause frees what the request was short by.
void referToCause(const Finding& cause, Finding& failure)
{
    const Bytes saved = cause.remedy.savedBytes;
    if (std::ranges::count(kTooLittleRules, failure.rule) == 0 || failure.event < 0
        || failure.device != cause.device || saved < std::max<Bytes>(failure.bytes, 1))
        return;
    failure.remedy.action = fmt::format("Fix {} first; the request then fits", faultName(cause.rule));
    failure.remedy.from = cause.rule;
}

/// Returns the bytes that would be free right after an event with the remedy; 0 if they are unknown.
Bytes freedAt(const Remedy& remedy, std::int64_t event)
{
    Bytes bytes = 0;
    if (remedy.removed)
        for (const RemovedBytes& change : *remedy.removed)
            if (change.event <= event)
                bytes = change.bytes;
    return bytes;
}

/// Gives a failure without a fault behind it the advice of the first fact that frees what was missing, so
/// that the advice is the first that is read, and comes once.
void takeSufficientAdvice(std::vector<Finding>& findings, Finding& failure)
{
    if (failure.rule != "too-big" || failure.event < 0 || !failure.remedy.from.empty())
        return;
    const Bytes missing = std::max<Bytes>(failure.bytes, 1);
    const auto fact = std::ranges::find_if(findings, [&](const Finding& finding) {
        return finding.kind == FindingKind::Fact && finding.grade != Grade::C && finding.mergedInto.empty()
            && finding.device == failure.device && !finding.remedy.action.empty()
            && !finding.remedy.isUpperBound && freedAt(finding.remedy, failure.event) >= missing;
    });
    if (fact == findings.end())
        return;
    const Bytes freed = freedAt(fact->remedy, failure.event);
    failure.remedy = {fmt::format("{}: that frees {}, and {} is needed", fact->remedy.action,
                          formatBytes(freed), formatBytes(missing)),
        freed};
    fact->remedy = {};
}

/// Removes findings about a setting that the failure into which they are merged recommends.
void removeRepeatedSettings(std::vector<Finding>& findings)
{
    std::vector<std::pair<std::string, std::string>> recommended; // rule of the failure, setting
    for (const Finding& finding : findings)
        if (finding.mergedInto.empty() && !finding.remedy.setting.empty())
            recommended.emplace_back(finding.rule, finding.remedy.setting);
    std::erase_if(findings, [&](const Finding& finding) {
        return std::ranges::count(recommended, std::pair(finding.mergedInto, finding.remedy.setting)) > 0;
    });
}

/// True if a request failed, or if the GPU was nearly full.
bool hadLittleRoom(const DetectorInput& input)
{
    const Bytes highest = std::max(input.figures.reservedPeakBytes, input.figures.peakBytes);
    const bool wasFull = input.capacity
        && static_cast<double>(highest) >= kNearlyFull * static_cast<double>(input.capacity->bytes);
    return wasFull || !input.figures.ooms.empty();
}

/// True if the action lowers the peak so little that a run with memory to spare can do without.
bool savesLittle(const Remedy& remedy, Bytes peak)
{
    return remedy.savedBytes > 0
        && (remedy.savedBytes < kSmallBytes || remedy.savedBytes < peak / kSmallDivisor);
}

/// True if the action would hardly be noticed even where memory ran out.
bool savesNothing(const Remedy& remedy, Bytes peak)
{
    return remedy.savedBytes > 0 && remedy.savedBytes < peak / kNothingDivisor;
}

} // namespace

void settleAdvice(const DetectorInput& input, std::vector<Finding>& findings)
{
    removeRepeatedSettings(findings);
    const Finding* const cause = causeAmong(findings);
    const Bytes peak = input.figures.peakBytes;
    const bool hadRoom = !hadLittleRoom(input);
    for (Finding& finding : findings) {
        Remedy& remedy = finding.remedy;
        if (cause)
            referToCause(*cause, finding);
        if (finding.kind == FindingKind::Fact
            && (savesNothing(remedy, peak) || (hadRoom && savesLittle(remedy, peak))))
            remedy = {};
    }
    for (Finding& finding : findings)
        takeSufficientAdvice(findings, finding);
}

} // namespace highwater
