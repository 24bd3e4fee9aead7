#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/usage/event_range.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/report/input/report_material.h"

/// The list of all figures, used by the command line, agents, the window and the manual's test.
namespace highwater {

/// The content of a figure. Fields that its kind does not use are ignored.
struct FigureRequest
{
    FigureOptions sheet; ///< `drawFigure` sets its `source`
    bool hasSize = true; ///< False lets figures that need more height than the sheet have it
    std::optional<EventRange> range; ///< Nullopt for all events
    std::optional<std::int64_t> event; ///< Nullopt for the kind's default moment
    std::string group; ///< One of the kind's groups; empty for the default
    RunAxis axis = RunAxis::Step; ///< The common axis of two runs
};

using FigureDrawer = Result<Figure> (*)(const ReportMaterial& material, const FigureRequest& request);

/// A kind of figure. A run without allocations is treated as a log.
struct FigureKind
{
    enum Option : std::uint8_t
    {
        Range = 1,
        Moment = 2,
        Notes = 4,
        Axis = 8,
        Configuration = 16, ///< Requires a configuration
    };

    std::string_view name;
    std::string_view sentence; ///< Describes the figure in lists of kinds
    FigureDrawer drawRun = nullptr; ///< Null if it takes two runs
    FigureDrawer drawTwoRuns = nullptr; ///< Null if it takes one run
    FigureDrawer drawLog = nullptr; ///< Null if it cannot show a log
    FigureDrawer drawTwoLogs = nullptr; ///< Null if it cannot compare two logs
    unsigned options = 0;
    std::span<const std::string_view> groups = {}; ///< Possible values of FigureRequest::group
    std::string_view defaultGroupText = {}; ///< Describes the default group

    bool takes(Option option) const { return (options & option) != 0; }
};

/// Returns all kinds, in display order. To add one, write its drawing in core/figure and add a row here.
std::span<const FigureKind> figureKinds();

/// Returns the kind; null if there is none with this name.
const FigureKind* figureKindNamed(std::string_view name);

/// Draws a figure of both runs if the material has two and the kind takes two, else of the run after. The
/// notes are the material's. Fails with BadRequest if the runs have no such figure; the message
/// continues a sentence that begins with the name of the run after.
Result<Figure> drawFigure(
    const ReportMaterial& material, const FigureKind& kind, const FigureRequest& request);

} // namespace highwater
