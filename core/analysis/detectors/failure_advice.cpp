#include "core/analysis/detectors/failure_advice.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/rule_table.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

bool isSureFaultOfKeptMemory(const Finding& finding)
{
    const Rule* const rule = ruleNamed(finding.rule);
    return rule && rule->causeOrder > 0 && finding.kind == FindingKind::Fault && finding.grade != Grade::C
        && finding.mergedInto.empty() && !finding.remedy.action.empty() && !finding.remedy.isUpperBound;
}

} // namespace

void adviseByCause(std::vector<Finding>& findings)
{
    const Finding* cause = nullptr;
    for (const Finding& finding : findings)
        if (isSureFaultOfKeptMemory(finding)
            && (!cause || finding.remedy.savedBytes > cause->remedy.savedBytes))
            cause = &finding;
    for (Finding& failure : findings)
        if (cause && (failure.rule == "too-big" || failure.rule == "divided-free-memory")
            && failure.event >= 0 && failure.device == cause->device
            && cause->remedy.savedBytes >= std::max<Bytes>(failure.bytes, 1))
            failure.remedy.action = fmt::format("Free {} first ({}). {}",
                formatBytes(cause->remedy.savedBytes), cause->rule, cause->remedy.action);
}

} // namespace highwater
