#include "core/analysis/sweep/run_sweep.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "core/analysis/usage/allocator_rounding.h"
#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/pixel_columns.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Adds the outline of the run's total, and where in it memory ran out.
void addOutline(SweepRun& run, const DeviceStudy& study, const std::vector<OomEvent>& ooms)
{
    const EventScale scale(study.trace, study.device, AxisKind::Event);
    for (const PixelColumn& column :
        pixelColumns(study.curve, scale, scale.begin(), scale.end(), SweepRun::kOutlineColumns))
        run.outline.push_back(column.bytes);
    const double length = scale.end() - scale.begin();
    if (run.outline.empty() || length <= 0)
        return;
    for (const OomEvent& oom : ooms) {
        const double share = std::clamp((scale.positionOf(oom.event) - scale.begin()) / length, 0.0, 1.0);
        const auto range = static_cast<std::size_t>(share * static_cast<double>(run.outline.size()));
        run.oomRanges.push_back(std::min(range, run.outline.size() - 1)); // it may be after the last event
    }
}

/// Returns the last `parts` components of a path.
std::string_view tailOf(std::string_view path, std::size_t parts)
{
    std::size_t begin = path.size();
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t separator
            = begin < 2 ? std::string_view::npos : path.find_last_of("/\\", begin - 2);
        if (separator == std::string_view::npos)
            return path;
        begin = separator + 1;
    }
    return path.substr(begin);
}

/// Names each row by the end of its path, with the fewest folders that distinguish it from other paths. Equal
/// paths get equal names. O(rows × parts of a path).
void nameRows(std::vector<SweepRow>& rows)
{
    constexpr std::size_t maxParts = 32;
    std::unordered_set<std::string_view> paths;
    std::vector<SweepRow*> unnamed;
    for (SweepRow& row : rows) {
        paths.insert(row.run.path);
        unnamed.push_back(&row);
    }
    for (std::size_t parts = 1; parts <= maxParts && !unnamed.empty(); ++parts) {
        std::unordered_map<std::string_view, std::size_t> pathsOfName;
        for (const std::string_view path : paths)
            ++pathsOfName[tailOf(path, parts)];
        std::erase_if(unnamed, [&](SweepRow* row) {
            const std::string_view name = tailOf(row->run.path, parts);
            const bool isAlone = pathsOfName[name] == 1;
            if (isAlone)
                row->name = name;
            return isAlone;
        });
    }
    for (SweepRow* row : unnamed)
        row->name = row->run.path;
}

std::size_t defaultReference(const std::vector<SweepRow>& rows)
{
    const auto completed = std::ranges::find_if(
        rows, [](const SweepRow& row) { return row.run.isReadable() && row.run.oomCount == 0; });
    const auto readable
        = std::ranges::find_if(rows, [](const SweepRow& row) { return row.run.isReadable(); });
    const auto reference = completed != rows.end() ? completed : readable;
    return reference == rows.end() ? 0 : static_cast<std::size_t>(reference - rows.begin());
}

/// Returns the figure by which an order sorts; nullopt if the row does not have it.
std::optional<Bytes> figureOf(const SweepRow& row, SweepOrder order)
{
    if (!row.run.isReadable())
        return std::nullopt;
    switch (order) {
    case SweepOrder::Peak: return row.run.peakBytes;
    case SweepOrder::Reserved: return row.run.reservedPeakBytes;
    case SweepOrder::Delta: return row.deltaBytes;
    default: return Bytes{0};
    }
}

} // namespace

SweepRun sweepRun(std::string path, const DeviceStudy& study, const DeviceFigures& figures)
{
    const Device& device = study.about();
    const CurvePeak peak = study.curve.peak();
    SweepRun run;
    run.path = std::move(path);
    run.device = device.label();
    run.quantity = study.allocations.quantity();
    run.isInferred = run.quantity != device.quantity;
    run.hasAllocatedBytes = device.quantity == Quantity::Allocated || hasKnownRounding(device);
    run.eventCount = figures.eventCount;
    run.peakBytes = peak.bytes;
    run.peakEvent = peak.event;
    if (const std::optional<std::size_t> step = study.steps.stepOf(peak.event))
        run.peakStep = study.steps.steps[*step].name;
    run.peakPhase = study.phases.at(peak.event);
    if (device.recordsReserved())
        run.reservedPeakBytes = figures.reservedPeakBytes;
    run.categories = categoriesAt(study.allocations, study.categories, {peak.event}).front();
    run.oomCount = static_cast<std::int64_t>(figures.ooms.size());
    if (run.oomCount > 0)
        if (const std::optional<std::size_t> step = study.steps.stepOf(figures.ooms.front().event))
            run.oomStep = study.steps.steps[*step].name;
    addOutline(run, study, figures.ooms);
    run.settings = settingTexts({study.trace, device, {}});
    return run;
}

SweepRun unreadableRun(std::string path, std::string reason)
{
    SweepRun run;
    run.path = std::move(path);
    run.error = std::move(reason);
    return run;
}

SweepRun unreadableRun(std::string path, const Error& error)
{
    SweepRun run = unreadableRun(std::move(path), toText(error));
    run.hasFailed = error.code != ErrorCode::BadRequest;
    return run;
}

std::optional<Quantity> commonQuantity(const std::vector<SweepRun>& runs)
{
    std::optional<Quantity> common;
    bool areAlike = true;
    bool allGiveAllocated = true;
    for (const SweepRun& run : runs) {
        if (!run.isReadable())
            continue;
        areAlike = areAlike && (!common || *common == run.quantity);
        allGiveAllocated = allGiveAllocated && run.hasAllocatedBytes;
        common = run.quantity;
    }
    if (areAlike)
        return common.value_or(Quantity::Requested);
    return allGiveAllocated ? std::optional(Quantity::Allocated) : std::nullopt;
}

RunSweep compareSweep(std::vector<SweepRun> runs, std::optional<std::size_t> reference)
{
    RunSweep sweep;
    std::vector<SettingTexts> settings;
    sweep.quantity = commonQuantity(runs).value_or(Quantity::Requested);
    for (SweepRun& run : runs) {
        sweep.isInferred = sweep.isInferred || run.isInferred;
        settings.push_back(run.settings);
        sweep.rows.push_back({std::move(run), {}, {}});
    }
    nameRows(sweep.rows);
    sweep.reference = reference.value_or(defaultReference(sweep.rows));
    for (SweepRow& row : sweep.rows) {
        const SweepRun& referenceRun = sweep.rows[sweep.reference].run;
        if (row.run.isReadable() && referenceRun.isReadable() && row.run.quantity == referenceRun.quantity)
            row.deltaBytes = row.run.peakBytes - referenceRun.peakBytes;
    }
    sweep.settings = settingDifferences(settings);
    return sweep;
}

std::optional<SweepOrder> sweepOrderFromText(std::string_view text)
{
    static constexpr std::array<std::string_view, 5> names = {"given", "peak", "name", "reserved", "delta"};
    return valueNamed<SweepOrder>(names, text);
}

std::vector<std::size_t> sortedRows(const RunSweep& sweep, SweepOrder order)
{
    std::vector<std::size_t> rows(sweep.rows.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (order == SweepOrder::Given)
        return rows;
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        if (order == SweepOrder::Name)
            return sweep.rows[a].name < sweep.rows[b].name;
        // nullopt sorts below any figure.
        return figureOf(sweep.rows[a], order) > figureOf(sweep.rows[b], order);
    });
    return rows;
}

std::vector<Bytes> maximaOfParts(const std::vector<Bytes>& outline, std::size_t columns)
{
    if (outline.size() <= columns)
        return outline;
    std::vector<Bytes> maxima(columns, 0);
    for (std::size_t i = 0; i < outline.size(); ++i) {
        Bytes& maximum = maxima[i * columns / outline.size()];
        maximum = std::max(maximum, outline[i]);
    }
    return maxima;
}

} // namespace highwater
