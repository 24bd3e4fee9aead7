#include <cstdio>
#include <string_view>

#include <QApplication>
#include <QIcon>
#include <QSettings>

#include "app/loading/load_file.h"
#include "app/views/pages/start_page.h"
#include "app/window/benchmark/bench_script.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/main/setting_keys.h"
#include "app/window/pages/document_page.h"
#include "app/window/start/command_line.h"
#include "app/window/start/exit_code.h"
#include "app/window/start/export_command.h"
#include "app/workspace/document/run_state.h"
#include "core/base/memory_limit.h"
#include "core/base/version.h"

namespace {

using namespace highwater::gui;

constexpr QSize kBenchSize(1600, 900);

void printLine(std::FILE* stream, const QString& text)
{
    std::fputs(text.toLocal8Bit().constData(), stream);
}

/// Saves a screenshot when the window is complete, and ends the program.
void savePictureWhenComplete(MainWindow& window, const QString& path)
{
    const auto save = [&window, path](const QString& error) {
        if (!error.isEmpty())
            printLine(stderr, QStringLiteral("highwater-gui: %1\n").arg(error));
        // The error bar was requested only just now.
        QApplication::processEvents();
        const bool isSaved = window.grab().save(path);
        if (!isSaved)
            printLine(stderr, QStringLiteral("highwater-gui: %1: the picture cannot be written\n").arg(path));
        QApplication::exit(error.isEmpty() && isSaved ? Done : CannotReadOrWrite);
    };
    // The window is complete before its findings are; a picture needs both.
    const auto saveWithFindings = [&window, save](const QString& error) {
        const RunState& run = window.page().run();
        if (!run.isBusy())
            return save(error);
        QObject::connect(
            &run, &RunState::changed, &window, [save, error] { save(error); },
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    };
    // Queued, because an immediate failure comes before there is an event loop to leave.
    QObject::connect(&window, &MainWindow::complete, &window, saveWithFindings,
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

/// Plays the script when the timeline is complete, prints the measurements, and ends the program.
void benchWhenComplete(MainWindow& window, int frames, bool json)
{
    const auto play = [&window, frames, json](const QString& error) {
        if (!error.isEmpty()) {
            printLine(stderr, QStringLiteral("highwater-gui: %1\n").arg(error));
            QApplication::exit(CannotReadOrWrite);
            return;
        }
        const BenchFigures figures = BenchScript(window, frames).run();
        printLine(stdout, json ? benchJson(figures) : benchText(figures));
        QApplication::exit(0);
    };
    QObject::connect(&window, &MainWindow::complete, &window, play,
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

/// Scripts take screenshots and ask for help on machines without a display.
void useOffscreenPlatformIfPossible(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qEnvironmentVariableIsSet("DISPLAY")
        || qEnvironmentVariableIsSet("WAYLAND_DISPLAY"))
        return;
    for (int i = 1; i < argc; ++i)
        for (const char* option : {"--screenshot", "--export", "--bench", "--help", "-h", "--version", "-v"})
            if (std::string_view(argv[i]).substr(0, std::string_view(option).size()) == option)
                qputenv("QT_QPA_PLATFORM", "offscreen");
}

/// Sets the desktop entry and icon of the windows; the icon is set even if the program is not installed.
void setWindowIdentity()
{
    QApplication::setDesktopFileName(QStringLiteral("org.highwater.highwater"));
    QIcon icon;
    for (const char* size : {"16", "32", "64", "256"})
        icon.addFile(QStringLiteral(":/icons/highwater-%1.png").arg(QString::fromLatin1(size)));
    QApplication::setWindowIcon(icon);
}

} // namespace

int main(int argc, char** argv)
{
    useOffscreenPlatformIfPossible(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Highwater"));
    QApplication::setOrganizationName(QStringLiteral("Highwater"));
    QApplication::setApplicationVersion(QLatin1String(highwater::programVersion()));
    setWindowIdentity();
    const CommandLineAnswer answer = parseCommandLine(QApplication::arguments());
    if (!answer.error.isEmpty()) {
        printLine(stderr, QStringLiteral("highwater-gui: %1\n").arg(answer.error));
        return WrongUsage;
    }
    if (!answer.text.isEmpty()) {
        printLine(stdout, answer.text);
        return 0;
    }
    const CommandLine& line = answer.commandLine;
    highwater::setMemoryLimit(line.maxMemoryBytes ? line.maxMemoryBytes : highwater::defaultMemoryLimit());
    if (!line.exportPath.isEmpty())
        return runExport(line);
    noteSystemTheme(application);
    const bool forPicture = !line.screenshot.isEmpty();
    if (!forPicture && !line.bench)
        scaleText(QSettings().value(kTextPercentKey, kUsualTextPercent).toInt());
    MainWindow window(!forPicture && !line.bench);
    window.setActivitiesShown(line.activities);
    if (line.theme)
        window.setTheme(*line.theme);
    if (line.size)
        window.resize(*line.size);
    if (line.bench) {
        window.resize(kBenchSize);
        window.openView(QStringLiteral("timeline")); // the largest plot
        benchWhenComplete(window, line.frames, line.json);
    }
    window.setDestination(line.destination);
    if (!line.config.isEmpty())
        window.openConfiguration(line.config);
    if (line.gpu)
        window.byteCommands().capacities().chooseForSession(*line.gpu);
    if (!line.view.isEmpty())
        window.openView(line.view);
    if (forPicture)
        savePictureWhenComplete(window, line.screenshot);
    window.show();
    if (!line.workspace.isEmpty())
        window.openWorkspace(line.workspace, line.view);
    else if (line.compared.isEmpty())
        window.openFiles(line.files);
    else if (line.compared.size() != 2)
        window.sweepFiles(line.compared);
    else
        window.compareFiles(line.compared[0], line.compared[1]);
    if (forPicture && line.files.isEmpty() && line.compared.isEmpty() && line.workspace.isEmpty())
        QObject::connect(
            &window.pages().start, &Page::settled, &window, [&window] { emit window.complete({}); });
    return QApplication::exec();
}
