#include "app/views/report/report_saving.h"

#include <QDir>
#include <QFileInfo>

#include "app/views/report/pdf_writer.h"
#include "app/workspace/saved/saved_file.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/report/markdown/markdown_report.h"
#include "core/report/model/plain_text.h"
#include "core/report/report_files.h"

namespace highwater::gui {

namespace {

bool isPdf(const QString& path)
{
    return path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
}

Result<void> save(const QString& path, const std::string& text)
{
    return saveBytes(path, QByteArray::fromStdString(text));
}

/// Saves the pictures first, so that the text never refers to a missing one.
Result<void> saveFiles(const ReportFiles& files, const QString& path)
{
    const QDir folder = QFileInfo(path).absoluteDir();
    if (!files.folder.empty() && !folder.mkpath(toQString(files.folder)))
        return fail(ErrorCode::CannotRead,
            "cannot be saved: the folder of its figures, " + files.folder + ", cannot be created");
    for (const auto& [name, svg] : files.figures)
        if (Result<void> saved = save(folder.filePath(toQString(files.folder + '/' + name)), svg); !saved)
            return saved;
    return save(path, files.text);
}

} // namespace

bool isReportPath(const QString& path)
{
    return isPdf(path) || reportFormatFromPath(path.toStdString());
}

Result<void> saveReport(const std::shared_ptr<const Report>& report, const QString& path)
{
    if (isPdf(path)) {
        const Result<int> pages = savePdf(report, path);
        return pages ? Result<void>() : tl::unexpected(pages.error());
    }
    const std::optional<ReportFormat> format = reportFormatFromPath(path.toStdString());
    if (!format)
        return fail(ErrorCode::BadRequest, "a report's file ends in .html, .pdf, .md or .json");
    return saveFiles(reportFiles(*report, *format, QFileInfo(path).completeBaseName().toStdString()), path);
}

QString markdownComment(const Report& report)
{
    Report words = report;
    for (ReportSection& section : words.sections)
        std::erase_if(section.blocks,
            [](const ReportBlock& block) { return std::holds_alternative<ReportFigure>(block); });
    return QString::fromStdString(toMarkdown(words, {}).text);
}

QString fileNameFor(const Report& report)
{
    return QString::fromStdString(anchorText(report.title));
}

} // namespace highwater::gui
