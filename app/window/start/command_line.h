#pragma once

#include <optional>
#include <vector>

#include <QSize>
#include <QString>
#include <QStringList>

#include "app/window/theme/theme.h"
#include "app/workspace/view/go_to_target.h"
#include "core/analysis/device/device_capacity.h"
#include "core/report/model/report_request.h"

namespace highwater::gui {

/// Parsed command line of `highwater-gui`.
struct CommandLine
{
    QStringList files;
    QStringList compared; ///< before and after, more runs, or a folder; empty if nothing is compared
    QString screenshot; ///< file to write; empty for no screenshot
    std::optional<QSize> size;
    std::optional<ThemeChoice> theme;
    std::uint64_t maxMemoryBytes = 0; ///< 0 for the default limit
    bool activities = false; ///< also reads kernels, copies and calls
    Goto destination;
    QString config; ///< configuration of the run, for the budget; empty if not given
    std::optional<DeviceCapacity> gpu; ///< to judge the runs against until another is chosen
    QString configBefore; ///< for the earlier run; empty if `config` describes both runs
    QString workspace; ///< workspace to open; empty if not given
    QString view; ///< name of the view to open; empty for the default or the saved one
    QString exportPath; ///< report or figure to write instead of opening a window; empty if not given
    QString figure; ///< kind of figure to write; empty for the default figure, or the report
    double scale = 2; ///< pixels of a PNG per pixel of the figure
    std::optional<ReportTemplate> reportKind; ///< empty for the one that suits the runs
    std::vector<ReportPart> sections; ///< sections of the report; empty for those of its template
    QString title; ///< title of the report; empty for one made from the file names
    QString notes; ///< file with the user's notes; empty if not given
    bool keepsHomes = false; ///< home folders of a report are not shortened to ~
    bool stripPaths = false;
    bool isFull = false;
    bool isStatic = false;
    bool bench = false;
    bool json = false; ///< output format of `bench`
    int frames = 200; ///< number of inputs that `bench` measures
};

/// The parsed command line, or the text to print instead of starting the program.
struct CommandLineAnswer
{
    CommandLine commandLine;
    QString error; ///< one sentence; empty if the command line is valid
    QString text; ///< help or version, to be printed instead of starting
};

/// `arguments` begins with the name of the program.
CommandLineAnswer parseCommandLine(const QStringList& arguments);

/// True if `--export` names a figure rather than a report.
bool asksForFigure(const CommandLine& line);

} // namespace highwater::gui
