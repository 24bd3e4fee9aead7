#include "core/report/input/report_comparison.h"

#include <fmt/format.h>

namespace highwater {

namespace {

/// Compares the moments after two events, by call site and by category.
DeviceComparison comparedAt(RunComparison runs, const ComparedEvents& events)
{
    DiffFindings bySite = runs.diffAt(events.before, events.after, GroupKey::Site);
    RunDiff byCategory = diffRuns(
        runs.beforeAt(events.before), runs.afterAt(events.after), GroupKey::Category, runs.classes());
    return {std::move(runs), events, std::move(bySite), std::move(byCategory)};
}

ReportComparison compareDevices(const RunParts& before, const RunParts& after)
{
    RunComparison runs({before.device, before.settings}, {after.device, after.settings});
    std::vector<SettingChange> settings = runs.settings();
    const ComparedEvents peaks{runs.before().curve.peak().event, runs.after().curve.peak().event};
    return {comparedAt(std::move(runs), peaks), {}, std::move(settings)};
}

ReportComparison compareLogs(const RunParts& before, const RunParts& after)
{
    LogDiff logs = diffLogs({*before.trace, before.settings}, {*after.trace, after.settings});
    std::vector<SettingChange> settings = logs.settings;
    return {{}, std::move(logs), std::move(settings)};
}

/// Returns a sentence on why two runs cannot be compared; nullopt if they can.
std::optional<std::string> obstacle(const RunStudy& before, const RunStudy& after)
{
    if ((before.device() == nullptr) != (after.device() == nullptr)) {
        const RunStudy& log = before.device() ? after : before;
        const RunStudy& snapshot = before.device() ? before : after;
        return fmt::format("{} records allocations and {} does not, so they cannot be compared",
            snapshot.name(), log.name());
    }
    if (!before.device())
        return std::nullopt;
    const Quantity beforeQuantity = before.device()->allocations.quantity();
    const Quantity afterQuantity = after.device()->allocations.quantity();
    if (beforeQuantity == afterQuantity)
        return std::nullopt;
    return before.name() + ' ' + differentBytesText(beforeQuantity, after.name(), afterQuantity);
}

} // namespace

DeviceComparison compareReportMoments(const RunStudy& run, const ComparedEvents& moments)
{
    const RunParts& parts = run.parts();
    return comparedAt(RunComparison({parts.device, parts.settings}, {parts.device, parts.settings}), moments);
}

Result<std::shared_ptr<const ReportComparison>> compareReportRuns(
    const RunStudy& before, const RunStudy& after)
{
    if (std::optional<std::string> why = obstacle(before, after))
        return fail(ErrorCode::BadRequest, *std::move(why));
    return std::make_shared<const ReportComparison>(before.device()
            ? compareDevices(before.parts(), after.parts())
            : compareLogs(before.parts(), after.parts()));
}

} // namespace highwater
