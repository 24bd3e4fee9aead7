#include "core/report/input/report_material.h"

#include <algorithm>

namespace highwater {

namespace {

constexpr std::size_t kMaxPullRequestRows = 10;
constexpr std::size_t kMaxBriefRows = 8;

} // namespace

std::string ReportMaterial::headline() const
{
    if (const DeviceComparison* const compared = moments ? &*moments : devices())
        return compared->bySite.verdict.headline;
    return logs() ? logs()->verdict.headline : run.study.diagnosis().sentence;
}

std::size_t ReportMaterial::maxRows() const
{
    const std::size_t most = std::max<std::size_t>(request.options.maxRows, 1);
    return isPullRequest() ? std::min(most, kMaxPullRequestRows)
        : isBrief()        ? std::min(most, kMaxBriefRows)
                           : most;
}

bool ReportMaterial::hasPart(ReportPart part) const
{
    const std::vector<ReportPart> parts = request.options.parts.empty()
        ? usualParts(request.options.kind, isComparing())
        : request.options.parts;
    return std::ranges::find(parts, part) != parts.end();
}

std::vector<const RunMaterial*> ReportMaterial::runs() const
{
    std::vector<const RunMaterial*> result;
    if (before)
        result.push_back(&*before);
    result.push_back(&run);
    return result;
}

Result<ReportMaterial> reportMaterial(const ReportRequest& request)
{
    const ReportRun* const before = request.before;
    ReportMaterial material{request,
        {*request.run.study, request.run.sources, before ? "after" : "", request.run.ranks.get(),
            request.run.main},
        {}, request.comparison};
    if (!before) {
        if (request.moments && material.run.study.device())
            material.moments = compareReportMoments(material.run.study, *request.moments);
        return material;
    }
    material.before.emplace(
        RunMaterial{*before->study, before->sources, "before", before->ranks.get(), before->main});
    if (!material.comparison) {
        auto compared = compareReportRuns(*before->study, *request.run.study);
        if (!compared)
            return tl::unexpected(compared.error());
        material.comparison = *std::move(compared);
    }
    return material;
}

SideNames sideNamesOf(const ReportMaterial& material)
{
    return material.moments
        ? material.moments->runs.sideNames(material.moments->events.before, material.moments->events.after)
        : SideNames();
}

} // namespace highwater
