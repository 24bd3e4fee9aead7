#include "app/window/command_line.h"

#include <QCommandLineParser>
#include <QRegularExpression>

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
    bool isNumber = false;
    const qint64 event = text.startsWith(QLatin1String("event:")) ? text.mid(6).toLongLong(&isNumber) : -1;
    return isNumber && event >= 0 ? std::optional(Goto{Goto::Kind::Event, event}) : std::nullopt;
}

} // namespace

CommandLineAnswer parseCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Shows where a GPU training run's memory went."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QStringLiteral("Memory snapshots to open."), QStringLiteral("[FILE...]"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
        QStringLiteral("Save the window as a picture when loading and drawing are complete, and exit."),
        QStringLiteral("OUT.png"));
    const QCommandLineOption size(
        QStringLiteral("size"), QStringLiteral("Size of the window."), QStringLiteral("WxH"));
    const QCommandLineOption theme(
        QStringLiteral("theme"), QStringLiteral("light or dark, for this run."), QStringLiteral("THEME"));
    const QCommandLineOption go(QStringLiteral("goto"),
        QStringLiteral("Go there after loading: peak, oom or event:N."), QStringLiteral("PLACE"));
    const QCommandLineOption view(
        QStringLiteral("view"), QStringLiteral("The view to open: timeline."), QStringLiteral("VIEW"));
    const QCommandLineOption bench(QStringLiteral("bench"),
        QStringLiteral("Play a fixed script of input on the timeline, print how long it took, and exit."));
    const QCommandLineOption frames(
        QStringLiteral("frames"), QStringLiteral("Inputs that --bench plays (200)."), QStringLiteral("N"));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("--bench prints JSON."));
    parser.addOptions({screenshot, size, theme, go, view, bench, frames, json});

    CommandLineAnswer answer;
    CommandLine& line = answer.commandLine;
    if (!parser.parse(arguments)) {
        answer.error = parser.errorText();
        return answer;
    }
    if (parser.isSet(QStringLiteral("help")))
        answer.text = parser.helpText();
    else if (parser.isSet(QStringLiteral("version")))
        answer.text = QStringLiteral("highwater-gui " HIGHWATER_VERSION "\n");
    line.files = parser.positionalArguments();
    line.screenshot = parser.value(screenshot);
    line.size = sizeFromText(parser.value(size));
    if (parser.isSet(theme))
        line.theme = themeFromName(parser.value(theme));
    line.destination = gotoFromText(parser.value(go)).value_or(Goto{});
    line.bench = parser.isSet(bench);
    line.json = parser.isSet(json);
    if (parser.isSet(frames))
        line.frames = parser.value(frames).toInt();
    if (parser.isSet(size) && !line.size)
        answer.error = QStringLiteral("--size takes a width and a height, as in 1600x1000");
    else if (line.theme == ThemeChoice::System)
        answer.error = QStringLiteral("--theme takes light or dark");
    else if (parser.isSet(go) && line.destination.kind == Goto::Kind::Nowhere)
        answer.error = QStringLiteral("--goto takes peak, oom or event:N");
    else if (parser.isSet(view) && parser.value(view) != QLatin1String("timeline"))
        answer.error = QStringLiteral("--view takes timeline");
    else if (line.bench && (line.files.size() != 1 || !line.screenshot.isEmpty()))
        answer.error = QStringLiteral("--bench takes one file and no --screenshot");
    else if (line.frames <= 0)
        answer.error = QStringLiteral("--frames takes a number above 0");
    else if (!line.bench && (line.json || parser.isSet(frames)))
        answer.error = QStringLiteral("--json and --frames go with --bench");
    return answer;
}

} // namespace highwater::gui
