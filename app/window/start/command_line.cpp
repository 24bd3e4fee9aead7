#include "app/window/start/command_line.h"

#include <algorithm>

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include "app/loading/files/workspace_store.h"
#include "app/views/parts/picture_export.h"
#include "app/views/report/report_saving.h"
#include "app/window/pages/analysis_panels.h"
#include "app/workspace/tasks/system_path.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/base/text_format.h"
#include "core/base/version.h"
#include "core/report/figures/figure_kinds.h"

namespace highwater::gui {

namespace {

std::optional<QSize> sizeFromText(const QString& text)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

std::optional<Goto> gotoFromText(const QString& text)
{
    if (text == QLatin1String("peak"))
        return Goto{Goto::Kind::Peak, 0};
    if (text == QLatin1String("oom"))
        return Goto{Goto::Kind::OutOfMemory, 0};
    for (const auto& [prefix, kind] : {std::pair(QLatin1String("event:"), Goto::Kind::Event),
             std::pair(QLatin1String("step:"), Goto::Kind::Step)}) {
        bool isNumber = false;
        const qint64 number = text.startsWith(prefix) ? text.mid(prefix.size()).toLongLong(&isNumber) : -1;
        if (isNumber && number >= 0)
            return Goto{kind, number};
    }
    return std::nullopt;
}

QString figureNames()
{
    QStringList names;
    for (const FigureKind& kind : figureKinds())
        names << QString::fromUtf8(kind.name.data(), static_cast<qsizetype>(kind.name.size()));
    return names.join(QStringLiteral(", "));
}

QCommandLineOption option(const char* name, const char* help, const char* value = "")
{
    return QCommandLineOption(
        QString::fromLatin1(name), QString::fromLatin1(help), QString::fromLatin1(value));
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Shows where a GPU training run's memory went."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("FILE"),
        QStringLiteral("Files to open: snapshots, traces, logs."), QStringLiteral("[FILE...]"));
    parser.addOptions({
        option("screenshot", "Save the window as a picture when loading and drawing are complete, and exit.",
            "OUT.png"),
        option("size", "Size of the window, or of the exported figure.", "WxH"),
        option("theme", "Theme for this start: light, dark or contrast.", "THEME"),
        option("compare",
            "Compare runs: --compare BEFORE AFTER; three or more, or those in a folder, in a table."),
        option("goto", "Place to go to after loading: peak, oom, step:N or event:N.", "PLACE"),
        QCommandLineOption(QStringLiteral("view"),
            QStringLiteral("View to open: %1.").arg(viewNames().join(QStringLiteral(", "))),
            QStringLiteral("VIEW")),
        option("workspace", "Workspace to open; a FILE may also be one.", "W.highwater"),
        option("config",
            "Configuration of the run, JSON or YAML, for the budget. In a report on two runs it describes "
            "both, unless --config-before is given.",
            "RUN"),
        option("gpu",
            "GPU or size to judge the run against, such as L4, \"24 GB\" or 24GiB: would the run fit it?",
            "GPU"),
        option("config-before", "Configuration of the earlier run, for the report.", "RUN"),
        option("export",
            "Write a report or a figure instead of opening a window: on the files, on two runs with "
            "--compare, or on a workspace. The ending of OUT gives the format: html, pdf, md, json; svg, "
            "png, and pdf with --figure. Other options override the workspace.",
            "OUT"),
        QCommandLineOption(QStringLiteral("figure"),
            QStringLiteral("Figure to export: %1.").arg(figureNames()), QStringLiteral("KIND")),
        option("scale", "Pixels of a PNG per pixel of the figure (default: 2).", "N"),
        option("template", "Kind of report: incident, before-after or pull-request.", "KIND"),
        option("sections",
            "Sections of the report, in order, separated by commas: summary, comparison, timeline, notes, "
            "findings, peak, ranks, steps, budget, messages, facts, provenance.",
            "LIST"),
        option("title", "Title of the report.", "TEXT"),
        option("notes", "Notes for the report and its figures, as JSON.", "NOTES.json"),
        option("full", "Full report with its appendix (always in JSON)."),
        option("static", "HTML with a static picture of the timeline."),
        option("full-paths", "Keep the paths of home folders, which are ~ otherwise."),
        option("strip-paths", "Leave folders and user names out of the report."),
        option("activities", "Show kernels, copies and driver calls above the timeline."),
        option("max-memory", "Memory limit for reading and analysis (default: 3/4 of the machine's memory).",
            "SIZE"),
        option("bench", "Play a fixed script of input on the timeline, print the timings, and exit."),
        option("frames", "Number of inputs for --bench (default: 200).", "N"),
        option("json", "Print the results of --bench as JSON."),
    });
}

/// Returns the sections in order; nullopt if one of the names is not a section.
std::optional<std::vector<ReportPart>> sectionsFrom(const QString& text)
{
    std::vector<ReportPart> parts;
    for (const QString& name : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const std::optional<ReportPart> part = reportPartFromText(name.trimmed().toStdString());
        if (!part)
            return std::nullopt;
        if (std::ranges::find(parts, *part) == parts.end())
            parts.push_back(*part);
    }
    return parts;
}

/// Returns one sentence on options that do not fit `--export`, or need it; empty if there is none.
QString problemOfExport(const QCommandLineParser& parser, const CommandLine& line)
{
    const auto isSet = [&](const char* name) { return parser.isSet(QString::fromLatin1(name)); };
    if (line.exportPath.isEmpty()) {
        for (const char* name : {"figure", "scale", "template", "sections", "title", "notes", "full",
                 "static", "full-paths", "strip-paths", "config-before"})
            if (isSet(name))
                return QStringLiteral("--%1 goes with --export").arg(QString::fromLatin1(name));
        return {};
    }
    const bool isFigure = asksForFigure(line);
    if (!isFigure && !isReportPath(line.exportPath))
        return QStringLiteral("--export takes a file that ends in .html, .pdf, .md, .json, .svg or .png");
    if (!isFigure && !line.figure.isEmpty())
        return QStringLiteral("--figure goes with a file that ends in .svg, .png or .pdf");
    if (line.files.isEmpty() && line.compared.size() != 2 && line.workspace.isEmpty())
        return QStringLiteral("--export takes files, a workspace, or --compare with two");
    if (!line.configBefore.isEmpty() && line.compared.isEmpty() && line.workspace.isEmpty())
        return QStringLiteral("--config-before goes with --compare, or a workspace of two runs");
    if (!line.figure.isEmpty() && !figureKindNamed(line.figure.toStdString()))
        return QStringLiteral("--figure takes %1").arg(figureNames());
    if (!(line.scale > 0 && line.scale <= kLargestScale))
        return QStringLiteral("--scale takes a number above 0, at most 8");
    if (line.size && isFigure
        && (std::min(line.size->width(), line.size->height()) < kSmallestFigure
            || std::max(line.size->width(), line.size->height()) > kLargestFigure))
        return QStringLiteral("--size of a figure takes 300 to 20,000 pixels each way");
    if (isSet("template") && !line.reportKind)
        return QStringLiteral("--template takes incident, before-after or pull-request");
    if (!sectionsFrom(parser.value(QStringLiteral("sections"))))
        return QStringLiteral("--sections takes names of sections, separated by commas (see --help)");
    if (line.bench || !line.screenshot.isEmpty())
        return QStringLiteral("--export goes with neither --bench nor --screenshot");
    return {};
}

/// Returns one sentence on options that do not fit together, or an empty text.
QString problemOf(const QCommandLineParser& parser, const CommandLine& line)
{
    const auto isSet = [&](const char* name) { return parser.isSet(QString::fromLatin1(name)); };
    const bool isFolder = line.compared.size() == 1 && QFileInfo(line.compared.first()).isDir();
    if (isSet("compare") && line.compared.size() < 2 && !isFolder)
        return QStringLiteral("--compare takes two files, BEFORE and AFTER, or more, or a folder of them");
    if (isSet("workspace") && !(line.files.isEmpty() && line.compared.isEmpty()))
        return QStringLiteral("--workspace takes no other files: it has its own");
    if (isSet("size") && !line.size)
        return QStringLiteral("--size takes a width and a height, such as 1600x1000");
    if (const QString problem = problemOfExport(parser, line); !problem.isEmpty())
        return problem;
    if (line.theme == ThemeChoice::System)
        return QStringLiteral("--theme takes light, dark or contrast");
    if (isSet("goto") && line.destination.kind == Goto::Kind::Nowhere)
        return QStringLiteral("--goto takes peak, oom, step:N or event:N");
    if (isSet("gpu") && !line.gpu)
        return QStringLiteral("--gpu takes a GPU or a size, such as L4, \"24 GB\" or 24GiB");
    if (isSet("gpu") && !line.exportPath.isEmpty())
        return QStringLiteral("--gpu does not go with --export");
    if (isSet("max-memory") && line.maxMemoryBytes == 0)
        return QStringLiteral("--max-memory takes a size, such as 16GiB");
    if (isSet("view") && !viewNames().contains(line.view))
        return QStringLiteral("--view takes %1").arg(viewNames().join(QStringLiteral(", ")));
    const bool isOne = line.files.size() == 1 || line.compared.size() == 2 || !line.workspace.isEmpty();
    if (line.bench && (!isOne || !line.screenshot.isEmpty()))
        return QStringLiteral(
            "--bench takes one file or workspace, or --compare with two, and no --screenshot");
    if (line.frames <= 0)
        return QStringLiteral("--frames takes a number above 0");
    if (!line.bench && (line.json || isSet("frames")))
        return QStringLiteral("--json and --frames go with --bench");
    return {};
}

} // namespace

CommandLineAnswer parseCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    CommandLineAnswer answer;
    if (!parser.parse(arguments)) {
        answer.error = parser.errorText();
        return answer;
    }
    if (parser.isSet(QStringLiteral("help")))
        answer.text = parser.helpText();
    else if (parser.isSet(QStringLiteral("version")))
        answer.text = QStringLiteral("highwater-gui %1\n").arg(QLatin1String(programVersion()));
    const auto value = [&](const char* name) { return parser.value(QString::fromLatin1(name)); };
    CommandLine& line = answer.commandLine;
    line.files = parser.positionalArguments();
    if (parser.isSet(QStringLiteral("compare")))
        std::swap(line.files, line.compared);
    line.screenshot = value("screenshot");
    line.size = sizeFromText(value("size"));
    if (parser.isSet(QStringLiteral("theme")))
        line.theme = themeFromName(value("theme"));
    line.view = value("view");
    line.config = value("config");
    if (const Result<DeviceCapacity> gpu = capacityFromText(value("gpu").toStdString()))
        line.gpu = *gpu;
    line.configBefore = value("config-before");
    line.exportPath = value("export");
    line.figure = value("figure");
    if (parser.isSet(QStringLiteral("scale")))
        line.scale = value("scale").toDouble();
    line.reportKind = reportTemplateFromText(value("template").toStdString());
    line.sections = sectionsFrom(value("sections")).value_or(std::vector<ReportPart>());
    line.title = value("title");
    line.notes = value("notes");
    line.keepsHomes = parser.isSet(QStringLiteral("full-paths"));
    line.stripPaths = parser.isSet(QStringLiteral("strip-paths"));
    line.isFull = parser.isSet(QStringLiteral("full"));
    line.isStatic = parser.isSet(QStringLiteral("static"));
    line.maxMemoryBytes
        = static_cast<std::uint64_t>(parseSize(value("max-memory").toStdString()).value_or(0));
    line.workspace = value("workspace");
    if (line.workspace.isEmpty() && line.files.size() == 1 && isWorkspaceFile(systemPath(line.files.first())))
        line.workspace = line.files.takeFirst();
    line.destination = gotoFromText(value("goto")).value_or(Goto{});
    line.activities = parser.isSet(QStringLiteral("activities"));
    line.bench = parser.isSet(QStringLiteral("bench"));
    line.json = parser.isSet(QStringLiteral("json"));
    if (parser.isSet(QStringLiteral("frames")))
        line.frames = value("frames").toInt();
    answer.error = problemOf(parser, line);
    return answer;
}

bool asksForFigure(const CommandLine& line)
{
    const QString ending = QFileInfo(line.exportPath).suffix().toLower();
    return ending == QLatin1String("png") || ending == QLatin1String("svg")
        || (ending == QLatin1String("pdf") && !line.figure.isEmpty());
}

} // namespace highwater::gui
