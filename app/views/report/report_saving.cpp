#include "app/views/report/report_saving.h"

#include <QDir>
#include <QFileInfo>

#include "app/views/report/pdf_writer.h"
#include "app/workspace/saved/saved_file.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/report/html/html_report.h"
#include "core/report/json/json_report.h"
#include "core/report/markdown/markdown_report.h"
#include "core/report/model/plain_text.h"

namespace highwater::gui {

namespace {

QString endingOf(const QString& path)
{
    return QFileInfo(path).suffix().toLower();
}

Result<void> save(const QString& path, const std::string& text)
{
    return saveBytes(path, QByteArray::fromStdString(text));
}

/// The pictures first: a text never names one that is not there.
Result<void> saveMarkdown(const Report& report, const QString& path)
{
    const QFileInfo file(path);
    const QString folder = file.completeBaseName() + QStringLiteral("-figures");
    const MarkdownReport markdown = toMarkdown(report, folder.toStdString());
    const QDir beside = file.absoluteDir();
    if (!markdown.figures.empty() && !beside.mkpath(folder))
        return fail(ErrorCode::CannotRead,
            "cannot be saved: the folder of its figures, " + folder.toStdString() + ", cannot be made");
    for (const auto& [name, svg] : markdown.figures)
        if (Result<void> saved = save(beside.filePath(folder + QLatin1Char('/') + toQString(name)), svg);
            !saved)
            return saved;
    return save(path, markdown.text);
}

} // namespace

bool isReportPath(const QString& path)
{
    static const QStringList endings{
        QStringLiteral("html"), QStringLiteral("pdf"), QStringLiteral("md"), QStringLiteral("json")};
    return endings.contains(endingOf(path));
}

Result<void> saveReport(const std::shared_ptr<const Report>& report, const QString& path)
{
    const QString ending = endingOf(path);
    if (ending == QLatin1String("html"))
        return save(path, toHtml(*report));
    if (ending == QLatin1String("json"))
        return save(path, toJson(*report) + "\n");
    if (ending == QLatin1String("md"))
        return saveMarkdown(*report, path);
    if (ending != QLatin1String("pdf"))
        return fail(ErrorCode::BadRequest, "a report's file ends in .html, .pdf, .md or .json");
    const Result<int> pages = savePdf(report, path);
    return pages ? Result<void>() : tl::unexpected(pages.error());
}

QString commentOf(const Report& report)
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
