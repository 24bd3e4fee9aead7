#include "app/loading/run/run_reader.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>

#include <fmt/format.h>

#include "app/loading/background.h"
#include "app/loading/device_choice.h"
#include "app/loading/files/file_hash.h"
#include "app/loading/run/main_candidate.h"
#include "app/loading/run/rank_files.h"
#include "app/loading/run/run_inputs.h"
#include "app/loading/summary_file.h"

// Turns the paths of one run into its parts. `m_mainChoice` chooses between the best main file so far and the
// next one, and the recording of the rank that loses is dropped: its summary (`m_merge`) and a trace without
// events stay. Once all files are read, all facts together decide (`chooseMain`); if they choose a dropped
// recording, that file is read again.
//
// Example: a folder with README, bad.pickle, run_rank0.pickle (peak 1 MiB, ran out of memory),
// run_rank1.pickle (peak 16 MiB) and train.log, read in this order. README is a text without figures and
// messages, and is skipped. bad.pickle cannot be read and becomes a source with an error. Rank 0 is kept from
// then on: rank 1 has the higher peak but did not fail, so its events are dropped. The log keeps its trace.
// Result: main file run_rank0.pickle (`FailedFirst`), ranks 0 and 1, auxiliary file train.log,
// `hasUnreadable` set. With `request.rank` = 1 rank 0 is dropped instead, and run_rank1.pickle is the main
// file (`Chosen`).
namespace highwater {

namespace fs = std::filesystem;

namespace {

/// Returns a trace that has only the metadata, the devices and the import log. This is kept of ranks that
/// are not shown.
std::shared_ptr<const Trace> withoutEvents(const Trace& trace)
{
    auto light = std::make_shared<Trace>();
    light->metadata = trace.metadata;
    light->devices = trace.devices;
    light->log = trace.log;
    return light;
}

/// Removes repetitions, so that a file that is named twice is one file of the run.
std::vector<InputPath> withoutDuplicates(std::vector<InputPath> paths)
{
    std::set<fs::path> known;
    std::erase_if(paths, [&](const InputPath& path) {
        std::error_code error;
        const fs::path absolute = fs::absolute(path.path, error);
        // A link keeps its own name, since the name may give the rank.
        return !known.insert(fs::weakly_canonical(absolute.parent_path(), error) / absolute.filename())
                    .second;
    });
    return paths;
}

} // namespace

RunReader::RunReader(const RunRequest& request, const RunReadOptions& options)
    : m_request(request)
    , m_options(options)
    , m_mainChoice(request.rank, request.shown)
{
}

tl::expected<void, RunError> RunReader::read()
{
    if (const Result<void> configured = readConfiguration(); !configured)
        return tl::unexpected(RunError{configured.error(), m_request.configuration});
    std::vector<InputPath> paths = withoutDuplicates(expandInputs(m_request.paths));
    m_hasSeveral = paths.size() > 1;
    if (const Result<void> merged = readSummaries(paths); !merged)
        return tl::unexpected(RunError{merged.error(), {}});
    for (const InputPath& path : paths)
        if (const Result<void> taken = readFile(path); !taken)
            return tl::unexpected(RunError{taken.error(), path.path});
    for (const ReportSource& source : m_request.unusable) {
        ReadFile file;
        file.source.file = source;
        add(std::move(file));
    }
    if (const Result<void> chosen = chooseMain({}); !chosen)
        return tl::unexpected(RunError{chosen.error(), {}});
    if (!m_main || (m_request.device && !main().device && !main().source.file.trace->devices.empty()))
        return tl::unexpected(noMainError());
    if (const Result<void> restored = restoreMain(); !restored)
        return tl::unexpected(RunError{restored.error(), main().source.file.path});
    return {};
}

tl::expected<void, RunError> RunReader::alignTo(std::optional<std::int64_t> rank)
{
    if (!rank || m_request.rank || !m_request.shown.empty() || m_main->place().rank == rank)
        return {};
    if (const Result<void> chosen = chooseMain(rank); !chosen)
        return tl::unexpected(RunError{chosen.error(), {}});
    if (const Result<void> restored = restoreMain(); !restored)
        return tl::unexpected(RunError{restored.error(), main().source.file.path});
    return {};
}

RunError RunReader::noMainError() const
{
    const bool hasReadable = std::ranges::any_of(
        m_read, [](const ReadFile& file) { return file.facts.content != FileContent::Unreadable; });
    if (m_request.rank && hasReadable && !m_main)
        return {noSuchRank(*m_request.rank, m_mainChoice.files()), {}};
    if (m_firstError) {
        RunError error = *m_firstError;
        for (const ReadFile& file : m_read)
            if (!hasReadable && !file.source.file.error.empty())
                error.unreadable.push_back(file.source.file);
        return error;
    }
    if (m_request.paths.empty())
        return {{ErrorCode::BadRequest, "the run has no readable file", {}}, {}};
    return {noKnownFormatError(), m_request.paths.front()};
}

void RunReader::keepFirstError(const Error& error, const std::string& path)
{
    if (!m_firstError)
        m_firstError = RunError{error, path, {}};
}

Result<void> RunReader::readConfiguration()
{
    if (m_request.configuration.empty())
        return {};
    Result<RunDescription> description = loadRunDescription(m_request.configuration);
    if (!description)
        return tl::unexpected(description.error());
    m_description = *std::move(description);
    return {};
}

/// Merges the summaries if there are several, and removes all from the paths except the one to be shown.
/// Fails only with Cancelled.
Result<void> RunReader::readSummaries(std::vector<InputPath>& paths)
{
    std::vector<std::string> summaries;
    for (const InputPath& path : paths)
        if (isSummaryFile(path.path).value_or(false))
            summaries.push_back(path.path);
    if (summaries.size() < 2)
        return {};
    const Result<void> merged
        = readRanks(summaries, m_options.load, [&](std::size_t index, Result<ReadRank> rank) {
              if (!rank) {
                  addUnreadable(summaries[index], rank.error());
                  return;
              }
              m_merged.insert(summaries[index]);
              m_summaries.push_back(rank->facts);
              m_merge.add(std::move(rank->facts), std::move(rank->summary));
          });
    std::string mainPath = m_request.shown;
    if (!m_merged.contains(mainPath)) {
        const std::optional<MainChoice> choice = highwater::chooseMain(m_summaries, m_request.rank);
        mainPath = choice ? m_summaries[choice->file].member.path : std::string();
    }
    std::erase_if(paths, [&](const InputPath& path) {
        return std::ranges::count(summaries, path.path) > 0 && path.path != mainPath;
    });
    std::erase_if(m_summaries, [&](const MainCandidate& summary) { return summary.member.path == mainPath; });
    return merged;
}

void RunReader::addUnreadable(const std::string& path, const Error& error)
{
    ReadFile file;
    file.source.file.path = path;
    file.source.file.error = toText(error);
    file.facts.member = runMember(path);
    add(std::move(file));
    m_merge.addTrouble(rankTrouble(path, error));
    keepFirstError(error, path);
}

/// Reads a file and adds it, also if it cannot be read. Leaves out files of a folder that are of no use
/// (`isOfNoUse`). Fails only with Cancelled.
Result<void> RunReader::readFile(const InputPath& path)
{
    std::future<std::optional<std::string>> hash;
    const std::optional<FileIdentity> hashed = identityAt(path.path);
    if (m_options.hashes)
        hash = inBackground([&] { return sha256OfFile(path.path, nullptr, m_options.load.stop); });
    const Result<ImportedTrace> imported = loadFile(path.path, m_options.load);
    ReadFile file;
    file.source.file.path = path.path;
    if (hash.valid())
        file.source.file.sha256 = hash.get().value_or("");
    if (imported && imported->file != hashed)
        file.source.file.sha256.clear(); // the file changed between hashing and reading
    if (!imported && imported.error().code == ErrorCode::Cancelled)
        return tl::unexpected(imported.error());
    if (path.fromFolder && isOfNoUse(imported))
        return {};
    if (!imported) {
        addUnreadable(path.path, imported.error());
        return {};
    }
    describe(*imported, file);
    add(std::move(file));
    return {};
}

void RunReader::describe(const ImportedTrace& imported, ReadFile& file)
{
    const Trace& trace = *imported.trace;
    ReportSource& source = file.source.file;
    source.format = toText(trace.metadata.kind);
    source.fileBytes = imported.fileBytes;
    source.trace = imported.trace;
    if (imported.incomplete)
        source.cutOff = toText(*imported.incomplete);
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const Result<DeviceIndex> device = chooseDevice(trace, figures, m_request.device);
    if (device)
        file.device = *device;
    else if (!trace.devices.empty())
        keepFirstError(device.error(), source.path);
    file.facts = mainCandidate(source.path, trace, file.device, device ? &figures[*device] : nullptr);
    if (m_hasSeveral && file.facts.content == FileContent::Allocations) // a single file is not a rank
        studyAndMergeRank(imported, file);
}

void RunReader::studyAndMergeRank(const ImportedTrace& imported, ReadFile& file)
{
    const std::string& path = file.source.file.path;
    const Trace& trace = *imported.trace;
    RankFile rank = rankFile(file.facts.member, trace, false);
    rank.isIncomplete = imported.incomplete.has_value();
    if (m_merged.contains(path)) {
        file.source.rank = std::make_shared<const RankFile>(std::move(rank));
        return;
    }
    DeviceRequest request{m_request.device, std::nullopt, m_options.rules, m_options.steps};
    if (Result<RunParts> parts = partsOf(shownName(path), imported, request)) {
        const RunStudy study(*std::move(parts));
        RankSummary summary = rankSummary(path, study);
        if (m_options.findingsOfRanks)
            m_findings.push_back({file.facts.member, study.findings()});
        m_merge.add(file.facts, std::move(summary), &rank);
    }
    file.source.rank = std::make_shared<const RankFile>(std::move(rank));
}

/// Adds a file. If it and the file kept so far are recordings of ranks, the one that `m_mainChoice` rejects
/// loses its events.
void RunReader::add(ReadFile file)
{
    const std::size_t keptBefore = m_mainChoice.kept();
    m_read.push_back(std::move(file));
    const std::size_t added = m_read.size() - 1;
    m_mainChoice.add(m_read[added].facts);
    if (added == 0)
        return;
    ReadFile& dropped = m_read[m_mainChoice.kept() == added ? keptBefore : added];
    if (!dropped.source.rank || !dropped.device)
        return;
    dropped.source.file.trace = withoutEvents(*dropped.source.file.trace);
    dropped.isReduced = true;
}

/// Returns the facts of `m_read`, followed by those of `m_summaries`.
std::vector<MainCandidate> RunReader::candidates() const
{
    std::vector<MainCandidate> files = m_mainChoice.files();
    files.insert(files.end(), m_summaries.begin(), m_summaries.end());
    return files;
}

/// Chooses the main file, one of this rank if there is such a file with a device. If it is a merged summary,
/// reads it as one of the files and chooses again. Fails only with Cancelled.
Result<void> RunReader::chooseMain(std::optional<std::int64_t> rank)
{
    m_main = m_mainChoice.choice(m_summaries);
    const std::vector<MainCandidate> files = candidates();
    if (rank)
        if (std::optional<MainChoice> ofRank = highwater::chooseMain(files, rank);
            ofRank && files[ofRank->file].device)
            m_main = std::move(ofRank);
    if (!m_main || m_main->file < m_read.size())
        return {};
    m_summaries.erase(m_summaries.begin() + static_cast<std::ptrdiff_t>(m_main->file - m_read.size()));
    if (const Result<void> taken = readFile({files[m_main->file].member.path, false}); !taken)
        return taken;
    return chooseMain(rank);
}

/// Reads the main file again if its recording was dropped. This happens because the choice among all files
/// may differ from the choices between two files at a time.
Result<void> RunReader::restoreMain()
{
    ReadFile& file = m_read[m_main->file];
    if (!file.isReduced)
        return {};
    const Result<ImportedTrace> imported = loadFile(file.source.file.path, m_options.load);
    if (!imported)
        return tl::unexpected(imported.error());
    file.source.file.trace = imported->trace;
    file.isReduced = false;
    return {};
}

UnstudiedRun RunReader::release(const std::string& role)
{
    UnstudiedRun result;
    Run& run = result.run;
    result.device = main().device;
    run.main = runMain(candidates(), *m_main);
    if (m_merge.size() > 1)
        run.ranks = std::make_shared<const RunRanks>(m_merge.finish(m_request.rank));
    for (std::size_t i = 0; i < m_read.size(); ++i)
        m_read[i].source.apart
            = apartText(m_read[i].source.file.path, m_main->places[i], m_main->place(), run.ranks.get());
    std::rotate(m_read.begin(), m_read.begin() + static_cast<std::ptrdiff_t>(m_main->file),
        m_read.begin() + static_cast<std::ptrdiff_t>(m_main->file) + 1);
    std::vector<RunSource> files;
    for (ReadFile& file : m_read)
        files.push_back(std::move(file.source));
    result.parts = partsOf(files);
    result.parts.ranks.clear();
    if (run.ranks && run.ranks->table.files.size() > 1)
        result.parts.ranks = run.ranks->table.files;
    std::erase_if(m_findings, [&](const RankFindings& rank) {
        return !run.ranks || std::ranges::none_of(run.ranks->table.files, [&](const auto& file) {
            return file->member.path == rank.member.path;
        });
    });
    result.parts.capacity = m_request.capacity;
    if (m_description)
        addDescription(result.parts, *m_description, m_request.isConfigurationShared);
    if (m_description && !m_description->shape && !m_request.isConfigurationShared)
        run.warnings.push_back(fmt::format("{} does not give a budget: {}",
            shownName(m_request.configuration), m_description->shapeTrouble));
    run.hasUnreadable = std::ranges::any_of(files, [](const RunSource& file) { return !file.file.trace; });
    run.hasIncomplete
        = std::ranges::any_of(files, [](const RunSource& file) { return !file.file.cutOff.empty(); });
    run.sources = reportSources(std::move(files), role);
    run.rankFindings = std::move(m_findings);
    return result;
}

} // namespace highwater
