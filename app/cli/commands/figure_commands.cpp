#include "app/cli/commands/figure_commands.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands/commands.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/command_options.h"
#include "app/cli/input/kind_options.h"
#include "core/report/figures/figure_kinds.h"

namespace highwater::cli {

namespace {

/// Returns the groups of all kinds together.
std::vector<std::string> figureGroups()
{
    std::vector<std::string> groups;
    for (const FigureKind& kind : figureKinds())
        for (const std::string_view group : kind.groups)
            if (std::ranges::find(groups, group) == groups.end())
                groups.emplace_back(group);
    return groups;
}

/// Returns "timeline: category, site, size, stream, pool (default: …); composition: …".
std::string groupSentences()
{
    std::vector<std::string> sentences;
    for (const FigureKind& kind : figureKinds())
        if (!kind.groups.empty())
            sentences.push_back(fmt::format(
                "{}: {} (default: {})", kind.name, fmt::join(kind.groups, ", "), kind.defaultGroupText));
    return fmt::format("{}", fmt::join(sentences, "; "));
}

} // namespace

void addFigure(CLI::App& app, int& exitCode)
{
    const auto [command, options]
        = addCommand(app, exitCode, "figure", runFigure, "Draw a figure for a report, as SVG");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addOption(command, "--kind", options.kind, "KIND", sentencesOf(figureKinds()))
        ->required()
        ->check(oneOf(namesOf(figureKinds())));
    addDevice(command, options.device);
    addRules(command, options.rules);
    addOption(
        command, "--range", options.range, "A:B", "timeline: events A to B, B not included (default: all)");
    addMoment(command, "--at", options.at,
        "composition, segments: right after this event, or time since the first, such as 1.28s (default: the "
        "peak; segments: the last out-of-memory event, if there is one)");
    addOption(command, "--group", options.group, "KEY", groupSentences())->check(oneOf(figureGroups()));
    addOption(command, "--align", options.align, "HOW",
        "diff: how the runs are aligned, by steps, steps with their phases, times or events (default: step)")
        ->check(CLI::IsMember({"step", "phase", "time", "event"}));
    addOption(command, "--config", options.config, "RUN", "budget: configuration of the run, JSON or YAML");
    addOption(command, "--size", options.size, "WxH",
        "Width and height in pixels (default: 1200x675; budget: as high as its lines need)");
    addOption(command, "--notes", options.notes, "FILE",
        "timeline, steps, diff: JSON file with your notes, which are drawn as numbered flags");
    command.add_flag("--dark", options.dark, "Draw light on dark");
    addOutputOptions(command, options.out, options.force);
}

} // namespace highwater::cli
