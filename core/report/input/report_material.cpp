#include "core/report/input/report_material.h"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

namespace {

constexpr std::size_t kMostPullRequestRows = 10;

void compareDevices(ReportMaterial& material)
{
    const RunParts& before = material.before->study.parts();
    const RunParts& after = material.run.study.parts();
    RunComparison runs({before.device, before.settings}, {after.device, after.settings});
    material.settings = foldedLists(runs.settings());
    DiffFindings bySite = runs.diffAtPeaks(GroupKey::Site);
    RunDiff byCategory = diffRuns(runs.beforeAt(runs.before().curve.peak().event),
        runs.afterAt(runs.after().curve.peak().event), GroupKey::Category, runs.classes());
    material.devices.emplace(DeviceComparison{std::move(runs), std::move(bySite), std::move(byCategory)});
}

/// Why two runs cannot be compared; none: they can.
std::optional<Error> obstacle(const RunStudy& before, const RunStudy& after)
{
    if ((before.device() == nullptr) != (after.device() == nullptr)) {
        const RunStudy& log = before.device() ? after : before;
        const RunStudy& other = before.device() ? before : after;
        return Error{ErrorCode::BadRequest,
            fmt::format("{} tells allocations, and {} tells none: what they count cannot be subtracted",
                other.name(), log.name()),
            {}};
    }
    if (!before.device())
        return std::nullopt;
    const Quantity one = before.device()->allocations.quantity();
    const Quantity other = after.device()->allocations.quantity();
    if (one != other)
        return Error{
            ErrorCode::BadRequest, before.name() + ' ' + differentBytesText(one, after.name(), other), {}};
    return std::nullopt;
}

} // namespace

std::size_t ReportMaterial::mostRows() const
{
    const std::size_t most = std::max<std::size_t>(request.options.mostRows, 1);
    return isPullRequest() ? std::min(most, kMostPullRequestRows) : most;
}

std::vector<const RunMaterial*> ReportMaterial::runs() const
{
    std::vector<const RunMaterial*> all;
    if (before)
        all.push_back(&*before);
    all.push_back(&run);
    return all;
}

Result<ReportMaterial> reportMaterial(const ReportRequest& request)
{
    const ReportRun* const other = request.before;
    if (other)
        if (std::optional<Error> error = obstacle(*other->study, *request.run.study))
            return tl::unexpected(*std::move(error));
    ReportMaterial material{
        request, {*request.run.study, request.run.sources, other ? "after" : ""}, {}, {}, {}, {}};
    if (!other)
        return material;
    material.before.emplace(RunMaterial{*other->study, other->sources, "before"});
    if (request.run.study->device()) {
        compareDevices(material);
        return material;
    }
    const RunParts& before = other->study->parts();
    const RunParts& after = request.run.study->parts();
    material.logs = diffLogs({*before.trace, before.settings}, {*after.trace, after.settings});
    material.settings = foldedLists(material.logs->settings);
    return material;
}

std::string runWords(const RunMaterial& run)
{
    return run.role.empty() ? run.study.name() : fmt::format("{} ({})", run.role, run.study.name());
}

} // namespace highwater
