#include "core/report/build_report.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/device/moment_words.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/report/privacy/short_homes.h"
#include "core/report/strip_paths.h"

namespace highwater {

namespace {

using MakePart = std::vector<ReportBlock> (*)(const ReportMaterial&);

/// The function that makes each part, indexed by ReportPart.
constexpr std::array<MakePart, kReportPartCount> kMakers{summaryPart, comparisonPart, timelinePart, notesPart,
    findingsPart, peakPart, ranksPart, stepsPart, budgetPart, messagesPart, factsPart, provenancePart};

std::string titleOfReport(const ReportMaterial& material)
{
    if (!material.request.options.title.empty())
        return material.request.options.title;
    const std::string after = nameWithoutEndings(material.run.study.name());
    if (material.moments) {
        const SideNames names = sideNamesOf(material);
        return fmt::format("{}: {} → {}", after, names.before, names.after);
    }
    if (!material.before)
        // Files of unknown rank may be of several runs.
        return material.run.main.rankCount > 1 && material.run.main.member.rank
            ? fmt::format("GPU memory of {} ranks", formatCount(material.run.main.rankCount))
            : fmt::format("GPU memory of {}", after);
    const std::string before = nameWithoutEndings(material.before->study.name());
    return before == after ? fmt::format("{}: before and after", after)
                           : fmt::format("{} → {}", before, after);
}

/// Returns "before.pickle (PyTorch snapshot, GPU 0)".
std::string subtitleOf(const RunMaterial& run)
{
    const std::string what = run.study.device()
        ? fmt::format("{}, {}", inWords(run.trace().metadata.kind), run.study.device()->about().words())
        : std::string(inWords(run.trace().metadata.kind));
    const std::string main
        = run.main.rankCount > 1 && run.main.member.rank ? "; shown: " + mainText(run.main) : std::string();
    return fmt::format("{} ({}{})", run.study.name(), what, main);
}

/// Returns the main file with the reported device, which the user may have chosen.
RunMain reportedMain(const RunMaterial& run)
{
    const DeviceStudy* const device = run.study.device();
    RunMain main = run.main;
    main.device = device ? std::optional(device->about().ordinal) : std::nullopt;
    return main;
}

bool hasMessages(const ReportMaterial& material)
{
    for (const RunMaterial* run : material.runs())
        for (const RunLog& log : run->study.logs())
            if (!logFailures(*log.trace).empty())
                return true;
    return false;
}

KnownFolders foldersOf(const ReportMaterial& material)
{
    KnownFolders folders;
    for (const RunMaterial* run : material.runs())
        folders.learn(run->trace());
    return folders;
}

/// Returns the title of a part; some parts have different content if the run is a log.
std::string titleFor(ReportPart part, const ReportMaterial& material)
{
    if (part == ReportPart::Peak && !material.run.study.device())
        return "What the log measured";
    if (part == ReportPart::Peak && material.run.study.figures())
        return fmt::format("In use at the {}", nameOfHighest(*material.run.study.device()));
    if (part == ReportPart::Messages && !hasMessages(material))
        return "When memory ran out";
    return std::string(titleOf(part, material.request.options));
}

/// Returns the parts of a report for which the user chose none. A brief report of one run has the table of
/// the peak last before its sources, unless the live timeline has it.
std::vector<ReportPart> partsWithoutChoice(const ReportMaterial& material)
{
    const ReportOptions& options = material.request.options;
    std::vector<ReportPart> parts = usualParts(options.kind, material.isComparing());
    if (material.isBrief() && !material.isComparing() && material.run.study.device() && !options.isLive)
        parts.insert(std::ranges::find(parts, ReportPart::Provenance), ReportPart::Peak);
    return parts;
}

void addSections(
    Report& report, const ReportMaterial& material, const std::vector<ReportPart>& parts, bool isAppendix)
{
    for (const ReportPart part : parts) {
        interruptionPoint();
        std::vector<ReportBlock> blocks = kMakers[static_cast<std::size_t>(part)](material);
        if (!blocks.empty())
            report.sections.push_back({part, titleFor(part, material), std::move(blocks), isAppendix});
    }
}

/// Returns the parts without content, among them those that the report does not have because nobody chose
/// them.
std::vector<ReportPart> emptyParts(const Report& report, const ReportMaterial& material)
{
    std::vector<ReportPart> empty;
    for (std::size_t i = 0; i < kReportPartCount; ++i) {
        interruptionPoint();
        const auto part = static_cast<ReportPart>(i);
        if (std::ranges::find(report.sections, part, &ReportSection::part) == report.sections.end()
            && kMakers[i](material).empty())
            empty.push_back(part);
    }
    return empty;
}

} // namespace

Result<Report> buildReport(const ReportRequest& request)
{
    const Result<ReportMaterial> material = reportMaterial(request);
    if (!material)
        return tl::unexpected(material.error());
    Report report;
    report.title = titleOfReport(*material);
    report.subtitle = material->before
        ? fmt::format("{} → {}", subtitleOf(*material->before), subtitleOf(material->run))
        : subtitleOf(material->run);
    report.verdict = material->headline();
    report.diagnosis = material->run.study.diagnosis();
    if (material->before)
        report.diagnosisBefore = material->before->study.diagnosis();
    report.written = request.options.written;
    report.run = reportedMain(material->run);
    if (material->before)
        report.before = reportedMain(*material->before);
    const std::vector<ReportPart> parts
        = request.options.parts.empty() ? partsWithoutChoice(*material) : request.options.parts;
    addSections(report, *material, parts, false);
    if (request.options.isFull && request.options.parts.empty())
        addSections(report, *material, appendixParts(request.options.kind), true);
    if (request.options.findsEmptyParts)
        report.emptyParts = emptyParts(report, *material);
    if (request.options.stripPaths)
        return withoutPaths(std::move(report), foldersOf(*material));
    return request.options.keepsHomes ? std::move(report) : withShortHomes(std::move(report));
}

} // namespace highwater
