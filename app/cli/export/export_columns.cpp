#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/export/export_job.h"
#include "app/cli/input/arguments.h"
#include "core/analysis/composition/band_stack.h"
#include "core/base/json.h"
#include "core/figure/raster/band_raster.h"
#include "core/figure/raster/step_columns.h"

namespace highwater::cli {

namespace {

/// Returns the groups in which the timeline stacks its bands in this mode.
BandGroups groupsOf(const DeviceStudy& study, const LiveIndex& live, BandMode mode)
{
    const std::int64_t peak = study.curve.peak().event;
    if (mode != BandMode::Category && mode != BandMode::Site)
        return groupBands(study.trace, live, study.sites, peak, mode, &study.categories, &study.steps);
    const BandGroups sites = groupBands(study.trace, live, study.sites, peak, BandMode::Site);
    return stackBands(study, live, sites,
        std::make_shared<const KeptBlocks>(study.allocations, study.phases, study.steps, study.categories),
        peak, mode);
}

/// Returns, by rank of the group, the JSON members that name a band's group; empty if there is only one
/// group.
std::vector<std::string> groupKeys(const BandGroups& groups)
{
    std::vector<std::string> keys;
    for (const BandGroup& group : groups.groups)
        keys.push_back(groups.isSingle() ? ""
                                         : ",\"group\":" + jsonText(nlohmann::json(group.key))
                    + (group.isKept ? ",\"held\":true" : ""));
    return keys;
}

/// Writes the objects of the columns one band at a time: with a million live allocations, not even the text
/// of one column is held in memory.
class ColumnWriter
{
public:
    ColumnWriter(const LiveIndex& live, const BandGroups& groups, TextSink sink)
        : m_live(live)
        , m_groups(groups)
        , m_groupKeys(groupKeys(groups))
        , m_sink(std::move(sink))
    {
    }

    /// `spread` is null if the column shows an event and not a group of steps. Returns false if the sink
    /// failed.
    bool write(const PixelColumn& column, const PeakSpread* spread)
    {
        fmt::format_to(std::back_inserter(m_text), "{}{{\"event\":{},\"bytes\":{},\"bands\":[", m_separator,
            column.event, column.bytes);
        m_separator = ",\n";
        const char* separator = "";
        visitBands(m_live, column.event, &m_groups, [&](const Band& band) {
            m_text += separator;
            separator = ",";
            append(band, column.event);
            if (m_text.size() >= kPieceBytes)
                flush();
        });
        m_text += ']';
        if (spread)
            fmt::format_to(std::back_inserter(m_text), ",\"lowest_bytes\":{},\"median_bytes\":{}",
                spread->lowest, spread->median);
        m_text += '}';
        return flush();
    }

private:
    static constexpr std::size_t kPieceBytes = 64 * 1024;

    void append(const Band& band, std::int64_t event)
    {
        const std::int32_t birth = m_live.allocations().birth(band.allocation);
        const auto out = std::back_inserter(m_text);
        fmt::format_to(
            out, "{{\"alloc_event\":{},\"offset_bytes\":{},\"bytes\":{}", birth, band.offset, band.bytes);
        if (birth < 0)
            fmt::format_to(out, ",\"address\":{}", m_live.allocations().address(band.allocation));
        m_text += m_groupKeys[m_groups.rankAt(band.allocation, event)];
        m_text += '}';
    }

    bool flush()
    {
        m_isSinkOpen = m_isSinkOpen && m_sink(m_text);
        m_text.clear();
        return m_isSinkOpen;
    }

    const LiveIndex& m_live;
    const BandGroups& m_groups;
    std::vector<std::string> m_groupKeys;
    TextSink m_sink;
    std::string m_text;
    const char* m_separator = ""; ///< separates columns
    bool m_isSinkOpen = true;
};

bool writeColumns(const ExportJob& job, const EventRange& range)
{
    const DeviceStudy study(job.trace, job.device, job.rules);
    const LiveIndex live(study.allocations);
    const EventScale scale(job.trace, job.device, AxisKind::Event);
    const BandGroups groups = groupsOf(study, live, *bandModeFromText(job.options.mode));
    const TextSink sink = job.sink();
    const StepColumns shown = stepColumns(study.curve, study.steps, scale, static_cast<double>(range.first),
        static_cast<double>(range.last), job.options.width);
    const std::string steps
        = shown.stepsPerGroup > 0 ? fmt::format(", \"steps_per_group\": {}", shown.stepsPerGroup) : "";
    bool isSinkOpen = sink(fmt::format(
        "{{\"device\": {}, \"quantity\": \"{}\", \"mode\": \"{}\", \"range\": [{}, {}]{},\n\"columns\": [\n",
        job.about().ordinal, toText(job.about().quantity), job.options.mode, range.first, range.last, steps));
    ColumnWriter columns(live, groups, sink);
    for (std::size_t x = 0; x < shown.columns.size(); ++x)
        isSinkOpen = isSinkOpen
            && columns.write(shown.columns[x], shown.spreads.empty() ? nullptr : &shown.spreads[x]);
    return isSinkOpen && sink("\n]}\n");
}

} // namespace

void exportColumns(const ExportJob& job, const ImportedTrace&)
{
    job.finish(writeColumns(job,
        need(job.options.common.files.front(),
            parseEventRange(job.options.range, job.trace.eventCount(job.device)))));
}

} // namespace highwater::cli
