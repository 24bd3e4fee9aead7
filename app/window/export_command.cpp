#include "app/window/export_command.h"

#include <cstdio>

#include <QFile>
#include <QFileInfo>

#include "app/loading/notes_file.h"
#include "app/loading/report_files.h"
#include "app/views/picture_export.h"
#include "app/views/report/report_saving.h"
#include "app/window/command_line.h"
#include "app/window/export_figure.h"
#include "app/workspace/qt_text.h"
#include "app/workspace/report_subject.h"
#include "core/report/build_report.h"

namespace highwater::gui {

namespace {

constexpr QSize kFigureSize(1200, 675);

enum ExitCode
{
    Done = 0,
    WrongUsage = 2,
    CannotRead = 3,
    Incomplete = 4
};

void complain(const QString& subject, const QString& sentence)
{
    std::fputs(
        QStringLiteral("highwater-gui: %1: %2\n").arg(subject, sentence).toLocal8Bit().constData(), stderr);
}

int failed(const QString& subject, const Error& error)
{
    complain(subject, toQString(toText(error)));
    return error.code == ErrorCode::BadRequest ? WrongUsage : CannotRead;
}

std::string pathOf(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

/// What was read, with what is to be said of it.
class Export
{
public:
    explicit Export(const CommandLine& line)
        : m_line(line)
    {
    }

    int run()
    {
        if (!m_line.notes.isEmpty()) {
            Result<ReadNotes> read = loadNotes(pathOf(m_line.notes));
            if (!read)
                return failed(m_line.notes, read.error());
            m_notes = std::move(read->notes);
        }
        const Result<LoadedReportRuns> loaded = load();
        const QStringList& files = m_line.compared.isEmpty() ? m_line.files : m_line.compared;
        if (!loaded)
            return failed(files.last(), loaded.error());
        sayTrouble(*loaded->run);
        if (loaded->before)
            sayTrouble(*loaded->before);
        const ReportRequest request{loaded->run->run, loaded->before ? &loaded->before->run : nullptr,
            m_notes, pathOf(m_line.notes), reportOptions()};
        const int written = asksForFigure(m_line) ? writeFigure(request) : writeReport(request);
        return written == Done ? m_code : written;
    }

private:
    Result<LoadedReportRuns> load() const
    {
        ReportFiles run;
        run.configuration = pathOf(m_line.config);
        ReportFiles before;
        if (m_line.compared.isEmpty()) {
            for (const QString& file : m_line.files)
                run.paths.push_back(pathOf(file));
        } else {
            before.paths.push_back(pathOf(m_line.compared[0]));
            run.paths.push_back(pathOf(m_line.compared[1]));
        }
        return loadReportRuns(run, before.paths.empty() ? nullptr : &before, {});
    }

    void sayTrouble(const LoadedReportRun& loaded)
    {
        for (const ReportSource& source : loaded.run.sources) {
            const std::string& trouble = source.error.empty() ? source.cutOff : source.error;
            if (!trouble.empty())
                complain(toQString(source.path), toQString(trouble));
        }
        for (const std::string& warning : loaded.warnings)
            complain(m_line.config, toQString(warning));
        if (loaded.hasUnreadable)
            m_code = CannotRead;
        else if (loaded.hasIncomplete && m_code == Done)
            m_code = Incomplete;
    }

    ReportOptions reportOptions() const
    {
        ReportOptions options;
        options.kind = m_line.reportKind.value_or(
            m_line.compared.isEmpty() ? ReportTemplate::Incident : ReportTemplate::BeforeAfter);
        options.parts = m_line.sections;
        options.title = m_line.title.toStdString();
        options.stripPaths = m_line.stripPaths;
        options.written = writtenText();
        return options;
    }

    int writeReport(const ReportRequest& request) const
    {
        Result<Report> report = buildReport(request);
        if (!report)
            return failed(QStringLiteral("report"), report.error());
        return answer(saveReport(std::make_shared<const Report>(*std::move(report)), m_line.exportPath));
    }

    int writeFigure(const ReportRequest& request) const
    {
        const Result<ReportMaterial> material = reportMaterial(request);
        if (!material)
            return failed(QStringLiteral("figure"), material.error());
        const QSize size = m_line.size.value_or(kFigureSize);
        FigureOptions options;
        options.width = size.width();
        options.height = size.height();
        options.dark = m_line.theme == ThemeChoice::Dark;
        const QString usual = m_line.compared.isEmpty() ? QStringLiteral("timeline") : QStringLiteral("diff");
        const QString kind = m_line.figure.isEmpty() ? usual : m_line.figure;
        const Result<Figure> figure = figureOf(*material, kind.toStdString(), options);
        if (!figure)
            return failed(QStringLiteral("figure"), figure.error());
        return answer(savePicture(Picture(*figure), m_line.exportPath, m_line.scale));
    }

    int answer(const Result<void>& written) const
    {
        return written ? int{Done} : failed(m_line.exportPath, written.error());
    }

    const CommandLine& m_line;
    Notes m_notes;
    int m_code = Done; ///< of what was read
};

} // namespace

bool asksForFigure(const CommandLine& line)
{
    const QString ending = QFileInfo(line.exportPath).suffix().toLower();
    return ending == QLatin1String("png") || ending == QLatin1String("svg")
        || (ending == QLatin1String("pdf") && !line.figure.isEmpty());
}

int runExport(const CommandLine& line)
{
    return Export(line).run();
}

} // namespace highwater::gui
