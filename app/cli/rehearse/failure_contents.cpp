#include "app/cli/rehearse/failure_contents.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "core/analysis/composition/user_sites.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// Returns the contents at the last out-of-memory error, of which the device has at least one.
FailureContents contentsOf(const DeviceStudy& study)
{
    const OomEvent& failure = study.figures.ooms.back();
    const Composition byCategory = compositionAt(
        study.trace, study.allocations, study.sites, failure.event, GroupKey::Category, &study.categories);
    const Composition bySite = userSitesAt(study.trace, study.allocations, study.sites, failure.event);
    constexpr std::size_t kCategories = 4;
    constexpr std::size_t kPlaces = 5;
    FailureContents contents{byCategory.bytes, failure.requestedBytes, {}, {}};
    for (const CompositionGroup& group : byCategory.groups)
        if (contents.categories.size() < kCategories && 100 * group.bytes >= byCategory.bytes)
            contents.categories.push_back(
                {std::string(titleOf(study.categories.of(group.example))), group.bytes});
    for (const CompositionGroup& group : bySite.groups)
        if (contents.places.size() < kPlaces)
            contents.places.push_back(
                {findUserSite(study.trace, study.allocations, study.sites, group.example).label,
                    group.bytes});
    return contents;
}

nlohmann::ordered_json partsJson(const std::vector<MemoryPart>& parts)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const MemoryPart& part : parts)
        list.push_back({{"name", sanitizedText(part.name)}, {"bytes", part.bytes}});
    return list;
}

} // namespace

std::optional<FailureContents> contentsAtFailure(
    const RehearsalOutcome& outcome, const CommonOptions& options)
{
    for (const ProcessVerdict& process : outcome.processes) {
        const auto isFailed
            = [](const rehearse::DeviceVerdict& device) { return device.fit == rehearse::Fit::DoesNotFit; };
        const auto failed = std::ranges::find_if(process.devices, isFailed);
        if (failed == process.devices.end())
            continue;
        const auto trace = readSnapshot(process.process.snapshotPath, options);
        for (DeviceIndex i = 0; trace && i < trace->devices.size(); ++i) {
            if (trace->devices[i].ordinal != failed->device)
                continue;
            const DeviceStudy study(*trace, i);
            if (!study.figures.ooms.empty())
                return contentsOf(study);
        }
    }
    return std::nullopt;
}

void printFailureContents(const FailureContents& contents)
{
    std::vector<std::string> categories;
    for (const MemoryPart& part : contents.categories)
        categories.push_back(fmt::format("{} {}", part.name, formatBytes(part.bytes)));
    printOut("  in use when {} more was requested: {} ({})\n", formatBytes(contents.refusedBytes),
        formatBytes(contents.bytes), fmt::join(categories, ", "));
    for (const MemoryPart& part : contents.places)
        printOut("    {:>10}  {}\n", formatBytes(part.bytes), sanitizedText(part.name));
}

nlohmann::ordered_json failureContentsJson(const FailureContents& contents)
{
    return {{"bytes", contents.bytes}, {"refused_bytes", contents.refusedBytes},
        {"categories", partsJson(contents.categories)}, {"places", partsJson(contents.places)}};
}

} // namespace highwater::cli
