#include "core/report/input/report_material.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/detectors/rank_outlier.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kMostPullRequestRows = 10;

void order(std::vector<Finding>& findings)
{
    std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
        return a.grade != b.grade ? a.grade < b.grade : a.bytes > b.bytes;
    });
}

/// The ordinal of a rank's device, where its file is among the sources.
std::optional<std::int64_t> ordinalOf(const ReportRun& run, const RankTable& ranks, const RankRow& row)
{
    const auto source
        = std::ranges::find(run.sources, ranks.files[row.file]->member.path, &ReportSource::path);
    const RankDevice* device = ranks.deviceOf(row);
    if (source == run.sources.end() || !source->trace || !device
        || device->device >= source->trace->devices.size())
        return std::nullopt;
    return source->trace->devices[device->device].ordinal;
}

std::vector<Finding> allFindings(const RunMaterial& material)
{
    const ReportRun& run = *material.run;
    std::vector<Finding> findings = run.findings ? *run.findings : findingsOf(run);
    if (material.ranks)
        for (RankFinding& found : findRankOutliers(*material.ranks)) {
            found.finding.device = ordinalOf(run, *material.ranks, found.row);
            findings.push_back(std::move(found.finding));
        }
    order(findings);
    return findings;
}

void addBudget(RunMaterial& material)
{
    if (!material.run->shape)
        return;
    Result<BudgetStudy> budget = studyBudget({*material.run->shape, {}, {}}, material.run->study);
    if (budget)
        material.budget.emplace(*std::move(budget));
    else
        material.budgetTrouble = toText(budget.error());
}

std::optional<DeviceCapacity> capacityOf(const ReportRun& run, const DeviceFigures& figures)
{
    const std::optional<DeviceCapacity> known
        = knownCapacity(run.study->about(), figures.ooms, run.study->curve);
    return run.study->about().kind == DeviceKind::HostPinned
        ? known
        : believableCapacity(run.capacity, known, figures.reservedPeakBytes);
}

RunMaterial runMaterial(const ReportRun& run, std::string role)
{
    RunMaterial material;
    material.run = &run;
    material.role = std::move(role);
    if (run.study) {
        material.figures = figuresInQuantityOf(
            run.study->allocations, run.study->curve, deviceFigures(run.study->trace, run.study->device));
        material.capacity = capacityOf(run, *material.figures);
    } else {
        material.logs.push_back({run.name, run.trace});
    }
    for (const CompanionFile& companion : run.companions)
        if (isLog(*companion.trace))
            material.logs.push_back({companion.name, companion.trace});
    if (run.ranks.size() > 1)
        material.ranks = compareRanks(run.ranks);
    material.findings = allFindings(material);
    addBudget(material);
    return material;
}

DiffInput diffInput(const DeviceStudy& study)
{
    return {study.trace, study.allocations, study.sites, &study.categories,
        study.allocations.liveAt(study.curve.peak().event)};
}

std::vector<SettingChange> folded(const std::vector<SettingChange>& changes)
{
    std::vector<SettingOfRuns> settings;
    for (const SettingChange& change : changes)
        settings.push_back({change.name, {change.before, change.after}});
    std::vector<SettingChange> out;
    for (const SettingOfRuns& setting : foldedLists(settings))
        out.push_back({setting.name, setting.values[0].value_or(""), setting.values[1].value_or("")});
    return out;
}

void compareDevices(ReportMaterial& material)
{
    const DeviceStudy& before = *material.before->study();
    const DeviceStudy& after = *material.run.study();
    const std::vector<SettingChange> settings
        = settingChanges({before.trace, before.about(), material.before->run->settings},
            {after.trace, after.about(), material.run.run->settings});
    const StackClasses classes = matchStacks(before.trace, after.trace);
    const DiffInput atBefore = diffInput(before);
    const DiffInput atAfter = diffInput(after);
    material.devices = DeviceComparison{alignSteps(before.steps, after.steps),
        findDiff(atBefore, atAfter, GroupKey::Site, classes, settings, true),
        diffRuns(atBefore, atAfter, GroupKey::Category, classes)};
    material.settings = folded(settings);
}

/// Why two runs cannot be compared; none: they can.
std::optional<Error> obstacle(const ReportRun& before, const ReportRun& after)
{
    if ((before.study == nullptr) != (after.study == nullptr)) {
        const ReportRun& log = before.study ? after : before;
        const ReportRun& other = before.study ? before : after;
        return Error{ErrorCode::BadRequest,
            fmt::format("{} tells allocations, and {} tells none: what they count cannot be subtracted",
                other.name, log.name),
            {}};
    }
    if (before.study && before.study->allocations.quantity() != after.study->allocations.quantity())
        return Error{ErrorCode::BadRequest,
            fmt::format("{} counts {} bytes and {} counts {} bytes: they cannot be set against each other",
                before.name, inWords(before.study->allocations.quantity()), after.name,
                inWords(after.study->allocations.quantity())),
            {}};
    return std::nullopt;
}

} // namespace

std::vector<Finding> findingsOf(const ReportRun& run)
{
    DetectorInput input;
    if (run.study) {
        input = DetectorInput(*run.study);
        input.capacity = capacityOf(run, input.figures);
        input.cutOff = run.cutOff;
    } else {
        input.companions.push_back({run.name, run.trace});
    }
    for (const CompanionFile& companion : run.companions)
        if (run.study || isLog(*companion.trace))
            input.companions.push_back(companion);
    input.settings = run.settings;
    return findFindings(input);
}

const Finding* RunMaterial::finding(std::string_view rule) const
{
    const auto found = std::ranges::find(findings, rule, &Finding::rule);
    return found == findings.end() ? nullptr : &*found;
}

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
    const bool isOfTwo = request.before != nullptr;
    if (isOfTwo)
        if (std::optional<Error> error = obstacle(*request.before, request.run))
            return tl::unexpected(*std::move(error));
    ReportMaterial material{request, runMaterial(request.run, isOfTwo ? "after" : ""), {}, {}, {}, {}};
    if (!isOfTwo)
        return material;
    material.before = runMaterial(*request.before, "before");
    if (request.run.study) {
        compareDevices(material);
        return material;
    }
    material.logs = diffLogs(
        {*request.before->trace, request.before->settings}, {*request.run.trace, request.run.settings});
    material.settings = folded(material.logs->settings);
    return material;
}

std::string runWords(const RunMaterial& run)
{
    return run.role.empty() ? run.run->name : fmt::format("{} ({})", run.role, run.run->name);
}

} // namespace highwater
