#include "app/window/start/export_command.h"

#include <cstdio>

#include <QFileInfo>

#include "app/loading/files/notes_file.h"
#include "app/loading/input_paths.h"
#include "app/loading/run/report_job.h"
#include "app/views/parts/picture_export.h"
#include "app/views/report/report_saving.h"
#include "app/window/start/command_line.h"
#include "app/window/start/exit_code.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/report/build_report.h"
#include "core/report/figures/figure_kinds.h"

namespace highwater::gui {

namespace {

constexpr QSize kFigureSize(1200, 675);

/// Prints a sentence about a file or another subject to stderr.
void complain(const QString& subject, const QString& sentence)
{
    std::fputs(
        QStringLiteral("highwater-gui: %1: %2\n").arg(subject, sentence).toLocal8Bit().constData(), stderr);
}

/// Prints the error and returns its exit code.
int complainAndFail(const QString& subject, const Error& error)
{
    complain(subject, toQString(toText(error)));
    return error.code == ErrorCode::BadRequest ? WrongUsage : CannotReadOrWrite;
}

/// Converts the command line; the notes file and the workspace are read elsewhere.
ReportJob jobOf(const CommandLine& line)
{
    ReportJob job;
    for (const QString& file : line.files)
        job.run.paths.push_back(systemPath(file));
    if (!line.compared.isEmpty()) {
        job.before.paths.push_back(systemPath(line.compared[0]));
        job.run.paths.push_back(systemPath(line.compared[1]));
    }
    job.run.configuration = systemPath(line.config);
    job.before.configuration = systemPath(line.configBefore);
    job.kind = line.reportKind;
    job.parts = line.sections;
    job.title = line.title.toStdString();
    const bool isJson = line.exportPath.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    job.keepsHomes = line.keepsHomes || isJson;
    job.stripPaths = line.stripPaths;
    job.isFull = line.isFull || isJson;
    job.load.hashes = true;
    job.isLive = !line.isStatic && line.exportPath.endsWith(QLatin1String(".html"), Qt::CaseInsensitive);
    return job;
}

/// One export: reads the runs, reports their problems, and writes the report or figure.
class Export
{
public:
    explicit Export(const CommandLine& line)
        : m_line(line)
        , m_job(jobOf(line))
    {
    }

    int run()
    {
        if (const int code = readNotes(); code != Done)
            return code;
        if (const int code = readWorkspace(); code != Done)
            return code;
        const tl::expected<Runs, RunError> loaded = readRuns(m_job);
        if (!loaded)
            return complainAndFail(
                loaded.error().path.empty() ? nameOfRun() : toQString(loaded.error().path), loaded.error());
        for (const Run* one : loaded->all())
            sayTrouble(*one);
        if (isSameFileAsAny(systemPath(m_line.exportPath), inputsOf(*loaded)))
            return complainAndFail(
                m_line.exportPath, {ErrorCode::BadRequest, std::string(kWouldReplaceInput), {}});
        const ReportRequest request = reportRequest(m_job, *loaded);
        const int written = asksForFigure(m_line) ? writeFigure(request) : writeReport(request);
        return written == Done ? m_code : written;
    }

private:
    QString nameOfRun() const
    {
        const QStringList& files = m_line.compared.isEmpty() ? m_line.files : m_line.compared;
        return files.isEmpty() ? m_line.workspace : files.last();
    }

    /// Returns every file that was read, so that none is overwritten.
    std::vector<std::string> inputsOf(const Runs& runs) const
    {
        std::vector<std::string> inputs{systemPath(m_line.notes), systemPath(m_line.workspace),
            m_job.run.configuration, m_job.before.configuration};
        for (const Run* loaded : runs.all())
            for (const ReportSource& source : loaded->sources)
                inputs.push_back(source.path);
        return inputs;
    }

    int readNotes()
    {
        if (m_line.notes.isEmpty())
            return Done;
        Result<ParsedNotes> read = loadNotes(systemPath(m_line.notes));
        if (!read)
            return complainAndFail(m_line.notes, read.error());
        for (const std::string& warning : read->warnings)
            complain(m_line.notes, toQString(warning));
        m_job.notes = std::move(read->notes);
        m_job.notesSource = systemPath(m_line.notes);
        return Done;
    }

    int readWorkspace()
    {
        if (m_line.workspace.isEmpty())
            return Done;
        const Result<std::vector<std::string>> warnings = addWorkspace(m_job, systemPath(m_line.workspace));
        if (!warnings)
            return complainAndFail(m_line.workspace, warnings.error());
        for (const std::string& warning : *warnings)
            complain(m_line.workspace, toQString(warning));
        return Done;
    }

    void sayTrouble(const Run& loaded)
    {
        for (const ReportSource& source : loaded.sources) {
            const std::string& trouble = source.error.empty() ? source.cutOff : source.error;
            if (!trouble.empty())
                complain(toQString(source.path), toQString(trouble));
        }
        for (const std::string& warning : loaded.warnings)
            complain(QStringLiteral("report"), toQString(warning));
        if (loaded.hasUnreadable)
            m_code = CannotReadOrWrite;
        else if (loaded.hasIncomplete && m_code == Done)
            m_code = Incomplete;
    }

    int writeReport(const ReportRequest& request) const
    {
        Result<Report> report = buildReport(request);
        if (!report)
            return complainAndFail(QStringLiteral("report"), report.error());
        return exitCode(saveReport(std::make_shared<const Report>(*std::move(report)), m_line.exportPath));
    }

    int writeFigure(const ReportRequest& request) const
    {
        const Result<ReportMaterial> material = reportMaterial(request);
        if (!material)
            return complainAndFail(QStringLiteral("figure"), material.error());
        const QSize size = m_line.size.value_or(kFigureSize);
        FigureRequest asked;
        asked.hasSize = m_line.size.has_value();
        asked.sheet.width = size.width();
        asked.sheet.height = size.height();
        asked.sheet.dark = m_line.theme == ThemeChoice::Dark;
        const std::string usual = material->hasTwoRuns() ? "diff" : "timeline";
        const FigureKind& kind
            = *figureKindNamed(m_line.figure.isEmpty() ? usual : m_line.figure.toStdString());
        const Result<Figure> figure = drawFigure(*material, kind, asked);
        if (!figure)
            return complainAndFail(nameOfRun(), figure.error());
        return exitCode(savePicture(Picture(*figure), m_line.exportPath, m_line.scale));
    }

    int exitCode(const Result<void>& written) const
    {
        return written ? int{Done} : complainAndFail(m_line.exportPath, written.error());
    }

    const CommandLine& m_line;
    ReportJob m_job;
    int m_code = Done; ///< exit code of reading the runs
};

} // namespace

int runExport(const CommandLine& line)
{
    return Export(line).run();
}

} // namespace highwater::gui
