#include "app/views/segments/segment_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "app/models/exact_role.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

struct SegmentTables
{
    Q_DECLARE_TR_FUNCTIONS(SegmentTables)
};

QString tr(const char* text)
{
    return SegmentTables::tr(text);
}

TableCell bytesCell(Bytes bytes)
{
    return {bytesText(bytes), bytes, true, QString::fromStdString(formatExactBytes(bytes))};
}

TableCell countCell(std::int64_t count)
{
    return {countText(count), count, true};
}

} // namespace

CellTable freeListTable(const DeviceAnalysis& analysis, const AllocatorMoment& moment)
{
    CellTable table;
    table.titles = {tr("Pool, stream, size"), tr("Reserved"), tr("Free"), tr("Largest run"), tr("Holes"),
        tr("Segments"), tr("Unused"), tr("Active"), tr("Awaited")};
    table.units
        = {{}, kBytesUnit, kBytesUnit, kBytesUnit, kNoUnit, kNoUnit, kBytesUnit, kBytesUnit, kBytesUnit};
    for (const FreeListFigures& list : moment.figures.lists)
        table.rows.push_back(
            {{{toQString(toText(*analysis.trace, list.key))}, bytesCell(list.reservedBytes),
                 bytesCell(list.freeBytes), bytesCell(list.largestFree), countCell(list.holes),
                 countCell(list.segments), bytesCell(list.unusedBytes), bytesCell(list.activeBytes),
                 bytesCell(list.pendingBytes)},
                table.rows.size()});
    return table;
}

CellTable holeTable(const AllocatorMoment& moment)
{
    CellTable table;
    table.titles = {tr("Size of the hole"), tr("Holes"), tr("Bytes"), tr("Share")};
    table.units = {{}, kNoUnit, kBytesUnit, {}};
    for (const HoleClass& holes : moment.figures.holes) {
        TableCell size{toQString(toText(holes))};
        size.number = holes.from;
        size.isFigure = true;
        TableCell share = bytesCell(holes.bytes);
        share.text = QString::fromStdString(formatShare(holes.bytes, moment.state.freeBytes));
        table.rows.push_back(
            {{size, countCell(holes.holes), bytesCell(holes.bytes), share}, table.rows.size()});
    }
    return table;
}

CellTable pinnedTable(const DeviceAnalysis& analysis, const AllocatorMoment& moment, std::size_t most)
{
    CellTable table;
    table.titles = {tr("Free"), tr("of segment"), tr("Live"), tr("Blocks"), tr("Oldest block from"),
        tr("Born at"), tr("Largest block from")};
    table.units = {kBytesUnit, kBytesUnit, kBytesUnit, kNoUnit, {}, kNoUnit, {}};
    const auto siteOf = [&](AllocationIndex allocation) {
        const CallSite& site = analysis.sites.site(analysis.sites.of(allocation));
        return TableCell{toQString(site.label), 0, false, toQString(site.key)};
    };
    const std::size_t shown = std::min(most, moment.figures.pinned.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const PinnedSegment& pinned = moment.figures.pinned[i];
        const SegmentAt& segment = moment.state.segments[pinned.segment];
        const std::int32_t birth = analysis.allocations.birth(pinned.oldest);
        TableCell born = countCell(birth);
        if (birth < 0)
            born.text = tr("before the trace");
        table.rows.push_back(
            {{bytesCell(segment.freeBytes), bytesCell(segment.range.size), bytesCell(segment.liveBytes()),
                 countCell(pinned.liveBlocks), siteOf(pinned.oldest), born, siteOf(pinned.largest)},
                i});
    }
    return table;
}

} // namespace highwater::gui
