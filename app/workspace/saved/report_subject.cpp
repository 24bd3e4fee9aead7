#include "app/workspace/saved/report_subject.h"

#include "app/loading/run_description.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/system_path.h"
#include "core/base/text_parts.h"
#include "core/report/build_report.h"

namespace highwater::gui {

namespace {

std::string cutOffOf(const Document& document)
{
    return document.imported.incomplete ? toText(*document.imported.incomplete) : std::string();
}

/// Makes a ReportRun of an open run. What it points at lives in the run.
class RunOfReport
{
public:
    /// `other` null: there is one run.
    RunOfReport(const ReportedRun& of, const ReportedRun* other, std::string role, FileHashes& hashes)
        : m_of(of)
        , m_sharesConfiguration(of.configuration.isEmpty() && other)
        , m_configuration(m_sharesConfiguration ? other->configuration : of.configuration)
        , m_role(std::move(role))
        , m_hashes(hashes)
    {
    }

    Result<ReportRun> make()
    {
        m_parts.name = m_of.document->fileName();
        m_parts.trace = m_of.document->imported.trace;
        if (m_of.analysis)
            m_parts.device = studyOf(m_of.analysis);
        m_parts.capacity = m_of.capacity;
        m_parts.cutOff = cutOffOf(*m_of.document);
        if (Result<void> configured = readConfiguration(); !configured)
            return tl::unexpected(configured.error());
        addMain();
        for (const ReportedRun::OtherFile& other : m_of.others)
            addOther(other);
        if (m_parts.ranks.size() < 2)
            m_parts.ranks.clear();
        return ReportRun{std::make_shared<const RunStudy>(std::move(m_parts)), std::move(m_sources)};
    }

private:
    Result<void> readConfiguration()
    {
        if (m_configuration.isEmpty())
            return {};
        const std::string path = systemPath(m_configuration);
        Result<RunDescription> description = loadRunDescription(path);
        if (!description)
            return fail(description.error().code,
                std::string(fileName(path)) + ": " + description.error().message, description.error().place);
        m_parts.settings = std::move(description->settings);
        if (m_sharesConfiguration)
            leaveOutRecorded(m_parts.settings, *m_parts.trace);
        if (!m_parts.capacity)
            m_parts.capacity = description->capacity;
        m_parts.shape = std::move(description->shape);
        return {};
    }

    std::string rankName(const std::shared_ptr<const RankFile>& rank) const
    {
        return rank && rank->member.rank ? rank->member.label() : std::string();
    }

    void addMain()
    {
        const std::string rank = rankName(m_of.rank);
        ReportSource source = sourceOf(m_of.document->path, m_of.document->imported.trace,
            m_of.document->imported.fileBytes, m_parts.cutOff);
        source.role = m_role.empty() || rank.empty() ? m_role + rank : m_role + ", " + rank;
        m_sources.push_back(std::move(source));
        if (m_of.rank)
            m_parts.ranks.push_back(m_of.rank);
    }

    void addOther(const ReportedRun::OtherFile& other)
    {
        const std::string ofRun = m_role.empty() ? "" : " the run " + m_role;
        ReportSource source = sourceOf(other.path, other.trace, other.fileBytes, other.cutOff);
        if (other.rank) {
            source.error = other.rank->error;
            const std::string rank = rankName(other.rank);
            source.role = (rank.empty() ? "another rank" : rank) + (ofRun.empty() ? "" : " of" + ofRun);
            m_parts.ranks.push_back(other.rank);
        } else {
            source.role = "beside" + (ofRun.empty() ? " the run" : ofRun);
            if (other.trace)
                m_parts.companions.push_back({std::string(fileName(other.path)), other.trace});
        }
        m_sources.push_back(std::move(source));
    }

    ReportSource sourceOf(const std::string& path, const std::shared_ptr<const Trace>& trace,
        std::uint64_t bytes, const std::string& cutOff) const
    {
        ReportSource source;
        source.path = path;
        source.format = trace ? trace->metadata.format : "";
        source.fileBytes = bytes;
        source.sha256 = m_hashes.of(path).value_or("");
        source.cutOff = cutOff;
        source.trace = trace;
        return source;
    }

    const ReportedRun& m_of;
    bool m_sharesConfiguration;
    QString m_configuration; ///< path; empty: none
    std::string m_role;
    FileHashes& m_hashes;
    RunParts m_parts;
    std::vector<ReportSource> m_sources;
};

ReportedRun::OtherFile otherFile(const RunFile& file)
{
    ReportedRun::OtherFile other;
    other.path = file.input.member.path;
    other.fileBytes = file.input.fileBytes;
    if (file.tellsAllocations)
        other.rank = file.figures;
    if (!file.document)
        return other;
    other.trace = file.document->imported.trace;
    other.cutOff = cutOffOf(*file.document);
    return other;
}

} // namespace

ReportedRun reportedRun(std::shared_ptr<const Document> document,
    std::shared_ptr<const DeviceAnalysis> analysis, const RunSession& session)
{
    ReportedRun run{std::move(document), std::move(analysis), {}, {}, {}, {}};
    for (const RunFile& file : session.run().files()) {
        if (file.document == run.document)
            run.rank = file.figures;
        else if (file.state != RunFile::State::NoInput && (file.document || file.figures))
            run.others.push_back(otherFile(file));
    }
    return run;
}

Result<std::shared_ptr<const Report>> makeReport(
    const ReportSubject& subject, const Notes& notes, const ReportOptions& options, FileHashes& hashes)
{
    const ReportedRun* const other = subject.before ? &*subject.before : nullptr;
    const Result<ReportRun> run = RunOfReport(subject.run, other, other ? "after" : "", hashes).make();
    if (!run)
        return tl::unexpected(run.error());
    std::optional<ReportRun> before;
    if (other) {
        Result<ReportRun> made = RunOfReport(*other, &subject.run, "before", hashes).make();
        if (!made)
            return tl::unexpected(made.error());
        before = *std::move(made);
    }
    Result<Report> report = buildReport({*run, before ? &*before : nullptr, notes, {}, options});
    if (!report)
        return tl::unexpected(report.error());
    return std::make_shared<const Report>(*std::move(report));
}

} // namespace highwater::gui
