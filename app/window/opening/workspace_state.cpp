#include "app/window/opening/workspace_state.h"

#include <algorithm>
#include <array>

#include "app/loading/files/workspace_store.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/report/report_view.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/compare/compare_session.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/notes/note_context.h"
#include "app/workspace/tasks/system_path.h"
#include "app/workspace/view/capacity_choices.h"
#include "core/analysis/budget/gpu_fit.h"

namespace highwater::gui {

namespace {

constexpr std::string_view kTimeline = "timeline";
using AxisName = std::pair<AxisKind, std::string_view>;
constexpr std::array<AxisName, 3> kAxisNames{
    {{AxisKind::Event, "event"}, {AxisKind::Time, "time"}, {AxisKind::Aligned, "step"}}};

/// Describes a file of a run, with the offset and the capacity that the user chose for it.
WorkspaceSource sourceOf(const WorkspaceParts& parts, const std::string& path, NoteRun role)
{
    WorkspaceSource source;
    source.file = referenceTo(path);
    source.role = role;
    const QString name = qtPath(path);
    source.offset = parts.page.auxiliarySources().chosenOffset(name);
    const std::optional<DeviceCapacity> capacity
        = parts.capacities.hasOwn(name) ? parts.capacities.of(name) : std::nullopt;
    if (capacity) {
        source.capacity = capacity->bytes;
        source.gpu = capacity->gpu;
    }
    return source;
}

/// Lists the files of the open run, then those of the run compared with it.
std::vector<WorkspaceSource> collectSources(const WorkspaceParts& parts)
{
    const NoteRun role = parts.compareSession.isOpen() ? parts.notes.ownRun() : NoteRun::After;
    std::vector<WorkspaceSource> sources;
    const std::vector<RunFile>& files = parts.session.run().files();
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].state == RunFile::State::NoInput)
            continue;
        WorkspaceSource& source = sources.emplace_back(sourceOf(parts, files[i].input.member.path, role));
        source.rank = files[i].input.member.rank;
        source.isShown = parts.session.shown() == i;
        if (source.isShown && parts.page.analysis())
            source.device = parts.page.analysis()->info().label();
    }
    if (!parts.compareSession.isOpen())
        return sources;
    sources.push_back(sourceOf(parts, systemPath(parts.compareSession.otherPath()),
        role == NoteRun::Before ? NoteRun::After : NoteRun::Before));
    sources.back().isShown = true;
    return sources;
}

WorkspaceSteps collectSteps(const StepRequest& request)
{
    return {request.source ? std::string(toText(*request.source)) : std::string(), request.pattern,
        request.markers};
}

/// Returns the events [first, last) in view; nullopt if the whole trace is in view, or if no device is shown.
std::optional<std::pair<std::int64_t, std::int64_t>> eventsInView(DocumentPage& page)
{
    const AxisWindow& x = page.range().x();
    if (!page.analysis() || x.isWhole())
        return std::nullopt;
    const EventScale& scale = page.analysis()->scale(page.axis());
    const std::int64_t first = scale.firstEventFrom(x.begin);
    const std::int64_t last = x.end >= x.highest ? scale.eventCount() : scale.eventAt(x.end);
    return std::pair(first, std::max(first + 1, last));
}

WorkspaceView collectView(const WorkspaceParts& parts)
{
    DocumentPage& page = parts.page;
    WorkspaceView view;
    view.open = page.panelTabs().openName().toStdString();
    if (view.open.empty())
        view.open = kTimeline;
    if (page.analysis()) {
        view.events = eventsInView(page);
        view.axis = std::ranges::find(kAxisNames, page.axis(), &AxisName::first)->second;
        view.bands = toText(page.bandView().wantedMode());
        view.bytes
            = toText(page.analysisSettings().wantsAllocated() ? Quantity::Allocated : Quantity::Requested);
        view.cursor = page.selection().cursor();
    }
    if (parts.compare.state().alignment()) {
        view.compareAxis = toText(parts.compare.state().alignment()->axis);
        view.compareGroup = toText(parts.compare.state().group());
    }
    const std::optional<ComparedEvents> moments = parts.compare.comparedMoments();
    if (moments && parts.compare.state().after().document == page.document())
        view.comparedEvents = {moments->before, moments->after};
    return view;
}

WorkspaceReport collectReport(const ReportView& view)
{
    WorkspaceReport report;
    report.title = view.options().title;
    report.stripPaths = view.options().stripPaths;
    if (view.hasChosenTemplate())
        report.kind = toText(view.options().kind);
    for (const ReportPart part : view.sectionsIfChanged())
        report.parts.emplace_back(toText(part));
    return report;
}

void applyReport(ReportView& view, const WorkspaceReport& report)
{
    ReportOptions options;
    const std::optional<ReportTemplate> kind = reportTemplateFromText(report.kind);
    options.kind = kind.value_or(options.kind);
    options.title = report.title;
    options.stripPaths = report.stripPaths;
    for (const std::string& name : report.parts)
        if (const std::optional<ReportPart> part = reportPartFromText(name))
            options.parts.push_back(*part);
    view.setOptions(options, kind.has_value());
}

/// Shows the device with this label, if it has allocations.
void showDeviceNamed(DocumentPage& page, const std::string& label)
{
    if (!page.document() || label.empty())
        return;
    for (const std::shared_ptr<const DeviceAnalysis>& device : page.document()->devices)
        if (device->info().label() == label && device->allocations.size() > 0)
            return page.setDevice(device->device);
}

StepRequest stepsOf(const WorkspaceSteps& steps)
{
    return {
        steps.source.empty() ? std::nullopt : stepSourceFromText(steps.source), steps.pattern, steps.markers};
}

} // namespace

WorkspaceFile collectWorkspace(const WorkspaceParts& parts)
{
    WorkspaceFile file;
    file.sources = collectSources(parts);
    const QString configuration = parts.page.run().configuration();
    if (!configuration.isEmpty())
        file.configuration = referenceTo(systemPath(configuration));
    file.steps = collectSteps(parts.page.analysisSettings().steps());
    file.rules = parts.page.analysisSettings().rules();
    file.view = collectView(parts);
    file.report = collectReport(parts.report);
    return file;
}

WorkspaceRuns runsOf(const WorkspaceFile& file)
{
    const auto countOf
        = [&](NoteRun role) { return std::ranges::count(file.sources, role, &WorkspaceSource::role); };
    WorkspaceRuns runs;
    // Only the run that was open in the window can have several files. If each run has one, the workspace
    // does not say which was open, and the run after is opened.
    runs.role = countOf(NoteRun::Before) > std::max<std::ptrdiff_t>(countOf(NoteRun::After), 1)
            || countOf(NoteRun::After) == 0
        ? NoteRun::Before
        : NoteRun::After;
    for (const WorkspaceSource& source : file.sources) {
        const QString path = qtPath(source.file.lastSeen);
        if (source.role != runs.role) {
            if (runs.comparedFile.isEmpty() || source.isShown)
                runs.comparedFile = path;
            continue;
        }
        runs.files << path;
        if (runs.shown.isEmpty() || source.isShown)
            runs.shown = path;
    }
    return runs;
}

void applyChoices(const WorkspaceParts& parts, const WorkspaceFile& file)
{
    parts.notes.setOwnRun(runsOf(file).role);
    parts.page.analysisSettings().setRules(file.rules);
    applyReport(parts.report, file.report);
    if (file.configuration)
        parts.page.run().setConfiguration(qtPath(file.configuration->lastSeen));
    else
        parts.page.run().leaveFor({});
    for (const WorkspaceSource& source : file.sources) {
        const QString path = qtPath(source.file.lastSeen);
        if (source.offset)
            parts.page.auxiliarySources().chooseOffset(path, *source.offset);
        if (source.capacity)
            parts.capacities.choose(path, savedCapacity(*source.capacity, source.gpu));
    }
}

void applyView(const WorkspaceParts& parts, const WorkspaceFile& file)
{
    DocumentPage& page = parts.page;
    const WorkspaceView& view = file.view;
    const auto shown = std::ranges::find_if(file.sources, [&](const WorkspaceSource& source) {
        return page.document() && source.isShown && source.file.lastSeen == page.document()->path;
    });
    if (shown != file.sources.end())
        showDeviceNamed(page, shown->device);
    page.analysisSettings().setSteps(stepsOf(file.steps));
    for (const Quantity quantity : {Quantity::Requested, Quantity::Allocated})
        if (view.bytes == toText(quantity))
            page.analysisSettings().setAllocated(quantity == Quantity::Allocated);
    if (const std::optional<BandMode> mode = bandModeFromText(view.bands))
        page.bandView().setMode(*mode);
    const auto axis = std::ranges::find(kAxisNames, view.axis, &AxisName::second);
    if (axis != kAxisNames.end())
        page.setAxis(axis->first);
    const std::int64_t count = page.analysis() ? page.analysis()->allocations.eventCount() : 0;
    if (view.cursor && *view.cursor < count)
        page.selection().setCursor(view.cursor);
    if (view.events && view.events->first < count)
        page.zoomTo(view.events->first, std::min(view.events->second, count));
}

void applyComparison(ComparePage& compare, const WorkspaceView& view)
{
    if (const std::optional<RunAxis> axis = runAxisFromText(view.compareAxis))
        compare.state().setAxis(*axis);
    if (const std::optional<GroupKey> group = groupKeyFromText(view.compareGroup))
        compare.state().setGroup(*group);
}

} // namespace highwater::gui
