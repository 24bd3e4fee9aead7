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

/// The one list of figures: command line, agents, window and the manual's test read it.
namespace highwater {

/// What a figure is to show of its runs. What its kind does not take is passed over.
struct FigureRequest
{
    FigureOptions sheet; ///< its source is set by the figure
    bool hasSize = true; ///< false: figures that need more height than the sheet has get it
    std::optional<EventRange> range; ///< none: all events
    std::optional<std::int64_t> event; ///< none: the moment that suits the kind
    std::string group; ///< one of the kind's groups; empty: the usual one
    RunAxis axis = RunAxis::Step;
};

using FigureDrawer = Result<Figure> (*)(const ReportMaterial& material, const FigureRequest& request);

/// A kind of figure. A run that tells no allocations is a log.
struct FigureKind
{
    enum Option : std::uint8_t
    {
        Range = 1,
        Moment = 2,
        Notes = 4,
        Axis = 8,
        Configuration = 16, ///< it needs one
    };

    std::string_view name;
    std::string_view sentence; ///< what it shows, for lists of kinds
    FigureDrawer ofOne = nullptr; ///< null: it takes two runs
    FigureDrawer ofTwo = nullptr; ///< null: it takes one run
    FigureDrawer ofLog = nullptr; ///< null: there is none of a log
    FigureDrawer ofLogs = nullptr; ///< null: there is none of two logs
    unsigned options = 0;
    std::span<const std::string_view> groups = {};
    std::string_view usualGroup = {}; ///< in words

    bool takes(Option option) const { return (options & option) != 0; }
};

/// In the order in which they are listed. To add one: its drawing in core/figure, and its row here.
std::span<const FigureKind> figureKinds();

/// Null: there is no such kind.
const FigureKind* figureKindNamed(std::string_view name);

/// Of two runs where the material has two and the kind takes them, else of the run after. The notes are the
/// material's. Fails with BadRequest where the runs have no such figure: what is wrong follows the name of
/// the run after.
Result<Figure> drawFigure(
    const ReportMaterial& material, const FigureKind& kind, const FigureRequest& request);

} // namespace highwater
