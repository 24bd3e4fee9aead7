#pragma once

#include <optional>
#include <vector>

#include <QSize>
#include <QString>
#include <QStringList>

#include "app/window/theme/theme.h"
#include "app/workspace/view/go_to_target.h"
#include "core/report/model/report_request.h"

namespace highwater::gui {

/// What `highwater-gui` was asked for.
struct CommandLine
{
    QStringList files;
    QStringList compared; ///< before and after, or more; empty: nothing is compared
    QString screenshot; ///< empty: none
    std::optional<QSize> size;
    std::optional<ThemeChoice> theme;
    std::uint64_t maxMemoryBytes = 0; ///< 0: the usual limit
    bool activities = false; ///< kernels, copies and calls as well
    Goto destination;
    QString config; ///< of the run, for the budget; empty: none
    QString configBefore; ///< of the run before, for its report; empty: `config` describes both
    QString workspace; ///< to open; empty: none
    QString view; ///< name of the view to open; empty: as it was
    QString exportPath; ///< of the report or figure to be written instead of a window; empty: none
    QString figure; ///< kind of figure to be written; empty: the usual one, or the report
    double scale = 2; ///< pixels of a PNG for each of the figure's
    std::optional<ReportTemplate> reportKind; ///< none: the one that suits the runs
    std::vector<ReportPart> sections; ///< of the report; empty: those of its template
    QString title; ///< of the report; empty: made of the files' names
    QString notes; ///< file of the user's notes; empty: none
    bool stripPaths = false;
    bool isFull = false;
    bool isStatic = false;
    bool bench = false;
    bool json = false; ///< of `bench`
    int frames = 200; ///< of `bench`
};

struct CommandLineAnswer
{
    CommandLine commandLine;
    QString error; ///< one sentence; empty when all is well
    QString text; ///< help or version asked for: to be printed instead of running
};

/// `arguments` begins with the program's name.
CommandLineAnswer parseCommandLine(const QStringList& arguments);

/// Whether `--export` asks for a figure; else for the report.
bool asksForFigure(const CommandLine& line);

} // namespace highwater::gui
