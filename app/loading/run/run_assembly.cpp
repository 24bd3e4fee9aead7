#include "app/loading/run/run_assembly.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/loading/background.h"
#include "app/loading/device_choice.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Returns the ranks of the run in order; none if there is only one.
std::vector<std::shared_ptr<const RankFile>> sortedRanks(const std::vector<RunSource>& files)
{
    std::vector<std::shared_ptr<const RankFile>> ranks;
    for (const RunSource& source : files)
        if (source.rank && source.apart.empty())
            ranks.push_back(source.rank);
    if (ranks.size() < 2)
        ranks.clear();
    std::ranges::stable_sort(
        ranks, [](const auto& a, const auto& b) { return isBefore(a->member, b->member); });
    return ranks;
}

/// Returns the role of the main file: "before, rank 3".
std::string roleOfMain(const std::string& rank, const std::string& role)
{
    return role.empty() || rank.empty() ? role + rank : role + ", " + rank;
}

/// Returns the role of a file beside the main one: "rank 3 of the run before".
std::string roleOfOther(const std::string& rank, const std::string& role)
{
    if (rank.empty())
        return role.empty() ? "with the run" : "with the run " + role;
    return role.empty() ? rank : rank + " of the run " + role;
}

} // namespace

std::string shownName(const std::string& path)
{
    return path == "-" ? "standard input" : std::string(fileName(path));
}

std::string apartText(
    const std::string& path, const FilePlace& place, const FilePlace& main, const RunRanks* ranks)
{
    if (place.run != main.run)
        return "of another run";
    if (!ranks)
        return {};
    const auto trouble = std::ranges::find(ranks->troubles, path, &RankTrouble::path);
    if (trouble == ranks->troubles.end() || trouble->kind == RankTrouble::Kind::Damaged)
        return {};
    if (trouble->kind == RankTrouble::Kind::Foreign)
        return "of another program";
    return "another recording of "
        + (place.rank ? fmt::format("rank {}", *place.rank) : std::string("the process"));
}

RunParts partsOf(const std::vector<RunSource>& files)
{
    const RunSource& main = files.front();
    RunParts parts;
    parts.name = shownName(main.file.path);
    parts.trace = main.file.trace;
    parts.cutOff = main.file.cutOff;
    parts.ranks = sortedRanks(files);
    if (main.rank)
        parts.rank = main.rank->member.rank;
    for (const RunSource& source : files)
        if (&source != &main && source.file.trace && source.apart.empty() && !(source.rank && main.rank))
            parts.auxiliaryFiles.push_back({shownName(source.file.path), source.file.trace});
    return parts;
}

void addDescription(RunParts& parts, const RunDescription& description, bool isShared)
{
    parts.settings = description.settings;
    if (isShared)
        removeRecordedSettings(parts.settings, *parts.trace);
    if (!parts.capacity)
        parts.capacity = description.capacity;
    parts.shape = description.shape;
}

std::vector<ReportSource> reportSources(std::vector<RunSource> files, const std::string& role)
{
    const bool hasRanks = !sortedRanks(files).empty();
    std::vector<ReportSource> sources;
    for (RunSource& source : files) {
        const std::string rank = hasRanks && source.rank ? source.rank->member.label() : "";
        source.file.role = !source.apart.empty() ? source.apart
            : sources.empty()                    ? roleOfMain(rank, role)
                                                 : roleOfOther(rank, role);
        sources.push_back(std::move(source.file));
    }
    return sources;
}

Result<RunParts> partsOf(const std::string& name, const ImportedTrace& file, const DeviceRequest& request)
{
    const Trace& trace = *file.trace;
    const Result<DeviceIndex> device = chooseDevice(trace, allFigures(trace), request.device);
    if (!device)
        return tl::unexpected(device.error());
    RunParts parts;
    parts.name = name;
    parts.trace = file.trace;
    if (file.incomplete)
        parts.cutOff = toText(*file.incomplete);
    parts.device = std::make_shared<const DeviceStudy>(trace, *device,
        request.quantity.value_or(trace.devices[*device].quantity), request.rules, request.steps);
    parts.sideBySide = sideBySide;
    return parts;
}

} // namespace highwater
