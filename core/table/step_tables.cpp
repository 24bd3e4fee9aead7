#include "core/table/step_tables.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/category_columns.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

/// Returns the name of a step; empty without a step.
Cell nameCell(const Step* step)
{
    return step ? Cell(step->name) : Cell();
}

Cell stepCell(const StepTable& steps, std::size_t i)
{
    const Step& step = steps.steps[i];
    const std::string events = step.begin < step.end
        ? fmt::format("Events {} to {}", formatCount(step.begin), formatCount(step.end - 1))
        : std::string("No events");
    return Cell(step.name + (step.isComplete ? "" : " (cut off)"))
        .explain(events)
        .sortBy(static_cast<std::int64_t>(i));
}

Cell remarkCell(const StepTable& steps, std::size_t i)
{
    const Step& step = steps.steps[i];
    std::string text
        = step.microSteps.empty() ? "" : fmt::format("{} forward-backward pairs", step.microSteps.size());
    if (step.source != steps.source)
        text += fmt::format("{}from {}", text.empty() ? "" : ", ", inWords(step.source));
    return textCell(std::move(text));
}

/// Returns the phase of the peak; empty if unknown.
Cell phaseCell(Phase phase)
{
    return phase == Phase::Unknown
        ? Cell()
        : Cell(std::string(toText(phase))).sortBy(static_cast<std::int64_t>(phase));
}

Cell timeCell(const EventScale& time, const Step& step)
{
    const double end = step.end < time.eventCount() ? time.positionOf(step.end) : time.end();
    return Amount{static_cast<std::int64_t>(end - time.positionOf(step.begin)), AmountKind::Duration};
}

Cell holderCell(const LiveIndex& live, const CallSites& sites, const Step& step)
{
    const std::optional<TopHolder> top = topHolderAt(live, sites, step.peakEvent);
    return top ? sites.site(top->site).label + " · " + formatBytes(top->bytes) : "nothing in use";
}

void addTime(TableSource& table, const StepTable& steps, const EventScale& time)
{
    table.columns.push_back(
        {{"Time", "duration_ns", true, "From the first event of the step to that of the next one"},
            [&](std::size_t i) { return timeCell(time, steps.steps[i]); }});
}

/// Adds the column of the largest holder; each cell is computed once.
void addHolder(TableSource& table, const StepTable& steps, const LiveIndex& live, const CallSites& sites)
{
    const auto cells = std::make_shared<std::vector<Cell>>(steps.steps.size());
    table.columns.push_back({{"Largest call site at the peak", "holder", false,
                                 "The call site with the most bytes at the peak of the step", false, true},
        [&, cells](std::size_t i) {
            Cell& cell = (*cells)[i];
            if (cell.isEmpty())
                cell = holderCell(live, sites, steps.steps[i]);
            return cell;
        }});
}

void addCategories(TableSource& table, std::vector<CategoryBytes> bytes)
{
    const auto rows = std::make_shared<const std::vector<CategoryBytes>>(std::move(bytes));
    for (const Category category : categoriesThatOccur(*rows))
        table.columns.push_back({categoryColumn(category), [rows, category](std::size_t i) {
                                     return bytesCell((*rows)[i][static_cast<std::size_t>(category)]);
                                 }});
}

/// Returns the rows that `mainSteps` shows, ascending: the first `most` / 2 and those of the others with the
/// highest peaks, `most` in all. Returns all rows if there are at most `most` + a quarter.
template <typename Peak>
std::vector<std::size_t> highestRows(std::size_t count, std::size_t most, const Peak& peakOf)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (count <= most + most / 4)
        return order;
    const auto first = static_cast<std::ptrdiff_t>(most / 2);
    std::stable_sort(order.begin() + first, order.end(),
        [&](std::size_t a, std::size_t b) { return peakOf(a) > peakOf(b); });
    order.resize(most);
    std::ranges::sort(order);
    return order;
}

/// Returns what a step left behind, or for the last step why it has no figure.
Cell leftBehindCell(const StepTable& table, std::size_t step)
{
    Cell cell = bytesCell(table.steps[step].leftBehindBytes);
    return cell.isEmpty() && step + 1 == table.steps.size() ? std::move(cell).explain(
               "The recording ends with this step: nobody knows what a next step would free")
                                                            : cell;
}

/// Returns "6 steps are left out: after the first 2, only the highest are shown"; empty if all are shown.
std::string stepsLeftOutText(std::size_t count, std::size_t shown)
{
    return count == shown ? std::string()
                          : fmt::format("{} left out: after the first {}, only the highest are shown",
                              counted(count - shown, "step is", "steps are"), formatCount(shown / 2));
}

} // namespace

TableSource stepTable(StepTableInput input)
{
    const StepTable& steps = input.steps;
    const auto cellOfStep = [&steps](auto makeCell) {
        return [&steps, makeCell](std::size_t i) { return makeCell(steps.steps[i]); };
    };
    TableSource table{"steps", "The steps", {}, steps.steps.size()};
    table.columns = {{{"Number", "index", true, "As --step counts them"},
                         [](std::size_t i) { return countCell(static_cast<std::int64_t>(i)); }},
        {{"Step", "name", false, "Name in the file, or number"},
            [&steps](std::size_t i) { return stepCell(steps, i); }},
        {{"Peak", "peak_bytes", true, "Largest total within the step"},
            cellOfStep([](const Step& step) { return bytesCell(step.peakBytes); })},
        {{"Left behind", "left_behind_bytes", true,
             "Allocated in it and still in use when the next step ends: end minus start, less what the next "
             "step frees of it. The first step also leaves what it loaded. The last step has no figure, as "
             "no next step frees any of it"},
            [&steps](std::size_t i) { return leftBehindCell(steps, i); }},
        {{"Phase", "phase", false, "Phase of the peak"},
            cellOfStep([](const Step& step) { return phaseCell(step.peakPhase); })},
        {{"At event", "peak_event", true, "Event of the peak"},
            cellOfStep([](const Step& step) { return eventCell(step.peakEvent); })},
        {{"At its start", "start_bytes", true, "Bytes in use before the first event of the step"},
            cellOfStep([](const Step& step) { return bytesCell(step.startBytes); })},
        {{"At its end", "end_bytes", true, "Bytes in use after the last event of the step"},
            cellOfStep([](const Step& step) { return bytesCell(step.endBytes); })},
        {{"Change", "retained_bytes", true, "End minus start"},
            cellOfStep([](const Step& step) { return deltaCell(step.retainedBytes()); })},
        {{"Events", "events", true, "Allocator events"},
            cellOfStep([](const Step& step) { return countCell(step.end - step.begin); })}};
    if (input.time)
        addTime(table, steps, *input.time);
    if (input.live)
        addHolder(table, steps, *input.live, *input.sites);
    table.columns.push_back(
        {{"Remarks", "remarks"}, [&steps](std::size_t i) { return remarkCell(steps, i); }});
    if (!input.categories.empty())
        addCategories(table, std::move(input.categories));
    return table;
}

Table mainSteps(const TableSource& steps, std::size_t most)
{
    const auto peak = std::ranges::find(
        steps.columns, "peak_bytes", [](const SourceColumn& column) { return column.column.key; });
    const std::vector<std::size_t> shown
        = highestRows(steps.rowCount, most, [&](std::size_t row) { return peak->cell(row).amount()->value; });
    Table table = tableOf(steps, shown);
    table.leftOut = stepsLeftOutText(steps.rowCount, shown.size());
    return table;
}

Table microStepTable(const StepTable& steps)
{
    Table table{"micro-steps", "Forward-backward pairs",
        {{"Step", "step"}, {"Pair", "index", true}, {"Peak", "peak_bytes", true},
            {"At event", "peak_event", true}, {"At its start", "start_bytes", true},
            {"At its end", "end_bytes", true}, {"Events", "events", true}}};
    for (const Step& step : steps.steps)
        for (std::size_t i = 0; i < step.microSteps.size(); ++i) {
            const MicroStep& pair = step.microSteps[i];
            table.rows.push_back({step.name, countCell(static_cast<std::int64_t>(i)),
                bytesCell(pair.peakBytes), eventCell(pair.peakEvent), bytesCell(pair.startBytes),
                bytesCell(pair.endBytes), countCell(pair.end - pair.begin)});
        }
    return table;
}

Table stepPairTable(
    const StepTable& before, const StepTable& after, const AlignedSteps& aligned, std::size_t most)
{
    Table table{"step-pairs", fmt::format("Peaks of steps, {}", inWords(aligned.alignment)),
        {{"Step before", "before"}, {"Peak before", "before_peak_bytes", true}, {"Step after", "after"},
            {"Peak after", "after_peak_bytes", true}, {"Difference", "delta_bytes", true}}};
    const auto stepOf
        = [](const StepTable& steps, std::optional<std::size_t> i) { return i ? &steps.steps[*i] : nullptr; };
    const auto peakOf = [](const Step* step) { return step ? bytesCell(step->peakBytes) : Cell(); };
    const auto shown = highestRows(aligned.pairs.size(), most, [&](std::size_t i) {
        const Step* stepBefore = stepOf(before, aligned.pairs[i].before);
        const Step* stepAfter = stepOf(after, aligned.pairs[i].after);
        return std::max(stepBefore ? stepBefore->peakBytes : 0, stepAfter ? stepAfter->peakBytes : 0);
    });
    for (const std::size_t i : shown) {
        const Step* stepBefore = stepOf(before, aligned.pairs[i].before);
        const Step* stepAfter = stepOf(after, aligned.pairs[i].after);
        table.rows.push_back(
            {nameCell(stepBefore), peakOf(stepBefore), nameCell(stepAfter), peakOf(stepAfter),
                stepBefore && stepAfter ? deltaCell(stepAfter->peakBytes - stepBefore->peakBytes) : Cell()});
    }
    table.leftOut = stepsLeftOutText(aligned.pairs.size(), shown.size());
    return table;
}

} // namespace highwater
