#include "app/loading/background.h"
#include "app/loading/run/rank_files.h"
#include "app/loading/run/run_assembly.h"
#include "app/workspace/document/run_loader.h"
#include "core/analysis/logs/auxiliary_lines.h"

// Merges the ranks of a run: each file is summarized, then all summaries are merged, both off the GUI thread.

namespace highwater::gui {

namespace {

using State = RunFile::State;

/// Number of summaries whose figures are delivered at a time.
constexpr std::size_t kHandedOver = 64;

} // namespace

std::optional<RankSummary> summaryOf(const Document& document)
{
    if (!document.mainDevice || !recordsAllocations(document.trace()))
        return std::nullopt;
    RunParts parts = partsOf({sourceOf(document)});
    parts.device = studyOf(document.devices[*document.mainDevice]);
    return rankSummary(document.path, RunStudy(std::move(parts)));
}

/// Summarizes a rank that the window has loaded, if that was not done before.
void RunLoader::summarizeAdopted(std::size_t file)
{
    RunFile& runFile = m_files[file];
    if (runFile.isSummary() || std::exchange(runFile.isMerged, true))
        return;
    ++m_jobCount;
    m_jobs.start([this, file, document = runFile.document](const Job& job) {
        const Result<std::optional<RankSummary>> summary = interruptible(
            job.stop(), [&]() -> Result<std::optional<RankSummary>> { return summaryOf(*document); });
        job.post([this, file, summary] {
            --m_jobCount;
            m_files[file].isMerged = summary.has_value();
            if (summary && *summary)
                addRank(file, **summary);
            startMore();
        });
    });
}

void RunLoader::addRank(std::size_t file, RankSummary summary)
{
    RunFile& runFile = m_files[file];
    runFile.isMerged = true;
    m_isMergeStale = true;
    runFile.figures = writableMerge().add(runFile.facts, std::move(summary), runFile.figures.get());
}

/// Reads all summaries that have not been read yet, in one job.
void RunLoader::startSummaries()
{
    std::vector<std::size_t> files;
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < m_files.size() && m_files.size() > 1; ++i)
        if (m_files[i].isSummary() && !m_files[i].isMerged && m_files[i].state != State::Failed) {
            files.push_back(i);
            paths.push_back(m_files[i].input.member.path);
        }
    if (files.empty())
        return;
    m_isReadingSummaries = true;
    ++m_jobCount;
    m_jobs.start([this, files, paths, limit = m_budget.limitBytes()](const Job& job) {
        LoadOptions options;
        options.maxMemoryBytes = limit;
        options.stop = job.stop();
        const auto merge = std::make_shared<RankMerge>();
        std::vector<KnownFigures> known;
        const auto handOver = [&] {
            job.post([this, known] { takeFigures(known); });
            known.clear();
        };
        // The result is not needed: errors reach the callback, and files not read because of cancelling stay
        // waiting.
        static_cast<void>(readRanks(paths, options, [&](std::size_t path, Result<ReadRank> rank) {
            if (rank) {
                auto figures = merge->add(rank->facts, std::move(rank->summary));
                known.push_back({files[path], std::move(rank->facts), std::move(figures)});
            } else {
                known.push_back({files[path], {}, tl::unexpected(rank.error())});
            }
            if (known.size() == kHandedOver)
                handOver();
        }));
        handOver();
        job.post([this, merge] { takeMerge(std::move(*merge)); });
    });
}

void RunLoader::takeFigures(const std::vector<KnownFigures>& known)
{
    for (const KnownFigures& one : known) {
        RunFile& runFile = m_files[one.file];
        if (one.figures) {
            runFile.isMerged = true;
            runFile.facts = one.facts;
            runFile.figures = *one.figures;
            if (runFile.state == State::Waiting)
                runFile.state = State::FiguresOnly;
        } else if (one.figures.error().code != ErrorCode::Cancelled && runFile.state == State::Waiting) {
            runFile.state = State::Failed;
            runFile.error = one.figures.error();
            runFile.figures = std::make_shared<const RankFile>(
                unreadableRank(runFile.input.member, toText(runFile.error)));
        }
    }
    emit counted();
}

void RunLoader::takeMerge(RankMerge read)
{
    --m_jobCount;
    m_isReadingSummaries = false;
    RankMerge& all = writableMerge();
    if (all.size() < read.size())
        std::swap(all, read);
    all.absorb(std::move(read));
    m_isMergeStale = true;
    noteChange();
    startMore();
}

/// Returns a merge that no job reads. If a job reads the current merge, the job keeps it, and this object
/// gets a copy.
RankMerge& RunLoader::writableMerge()
{
    if (m_merge.use_count() > 1)
        m_merge = std::make_shared<RankMerge>(*m_merge);
    return *m_merge;
}

/// Merges the ranks, but not while summaries are being read.
void RunLoader::merge()
{
    if (m_isReadingSummaries || m_files.size() < 2 || !std::exchange(m_isMergeStale, false))
        return;
    std::vector<RankTrouble> troubles;
    std::vector<std::int64_t> expected;
    for (const RunFile& file : m_files) {
        if (file.state == State::Failed)
            troubles.push_back(rankTrouble(file.input.member.path, file.error));
        else if (file.input.member.rank && !file.figures && !file.isMerged && file.state != State::NoInput)
            expected.push_back(*file.input.member.rank);
    }
    m_isMerging = true;
    m_mergeTask.run(
        [this, merge = m_merge, troubles, expected, shown = m_shownPath]() -> LatestTask::Delivery {
            const auto ranks = interruptible(
                InterruptibleScope::currentToken(), [&]() -> Result<std::shared_ptr<const RunRanks>> {
                    RankMerge known = *merge;
                    for (const RankTrouble& trouble : troubles)
                        known.addTrouble(trouble);
                    for (const std::int64_t rank : expected)
                        known.expect(rank);
                    return std::make_shared<const RunRanks>(known.finish({}, shown));
                });
            return [this, ranks] { takeRanks(ranks); };
        });
}

void RunLoader::takeRanks(const Result<std::shared_ptr<const RunRanks>>& ranks)
{
    m_isMerging = m_mergeTask.isBusy(); // another merge is running, with files added since
    if (ranks)
        m_ranks = *ranks;
    else
        emit WorkFailures::instance().outOfMemory(QString::fromStdString(toText(ranks.error())));
    emit merged();
    startMore();
}

} // namespace highwater::gui
