#include "app/views/segments/block_tip.h"

#include <QCoreApplication>
#include <QStringList>

#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/steps/event_distance.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("highwater::gui::AddressMapView", text);
}

/// Returns "64 MiB (67,108,864 B)".
QString exactText(Bytes bytes)
{
    return bytesText(bytes) + QStringLiteral(" (") + QString::fromStdString(formatExactBytes(bytes))
        + QLatin1Char(')');
}

QString addressText(Address address)
{
    return QString::fromStdString(formatAddress(address));
}

/// Returns when an allocation was made, and how long before `event` that was.
QString ageText(const DeviceAnalysis& analysis, AllocationIndex allocation, std::int64_t event)
{
    const std::int64_t birth = analysis.allocations.birth(allocation);
    if (birth < 0)
        return tr("allocated before recording began");
    if (birth == event)
        return tr("allocated at event %1, which is this one").arg(countText(birth));
    return tr("allocated at event %1, %2 ago")
        .arg(countText(birth),
            toQString(distanceText(*analysis.trace, analysis.device, analysis.steps, birth, event)));
}

} // namespace

QString blockTip(const DeviceAnalysis& analysis, const SegmentState& state, const MapCell& cell)
{
    const BlockAt& block = state.blocks[cell.main];
    const SegmentAt& segment = state.segments[cell.segment];
    QStringList lines;
    if (block.isFreeBlock()) {
        lines << tr("Free block of %1").arg(exactText(block.size));
    } else {
        lines << (block.state == BlockState::PendingFree
                ? tr("Freed, but another stream still uses it: block of %1").arg(exactText(block.size))
                : tr("Block of %1").arg(exactText(block.size)));
        lines << tr("requested %1").arg(exactText(block.requested));
        lines << toQString(analysis.sites.site(analysis.sites.of(block.allocation)).label);
        lines << ageText(analysis, block.allocation, state.event);
    }
    if (cell.blocks.size() > 1)
        lines << tr("and %1 next to it, too thin to show: in total %2 active, %3 pending, %4 free")
                     .arg(countedText(static_cast<std::int64_t>(cell.blocks.size()) - 1, "block", "blocks"),
                         bytesText(cell.activeBytes), bytesText(cell.pendingBytes),
                         bytesText(cell.freeBytes));
    lines << tr("at %1 in segment %2 of %3, of which %4 free")
                 .arg(addressText(block.address), addressText(segment.range.begin),
                     bytesText(segment.range.size), bytesText(segment.freeBytes));
    lines << toQString(
        toText(*analysis.trace, FreeListKey{segment.range.pool, segment.range.stream, segment.range.type}));
    return lines.join(QLatin1Char('\n'));
}

} // namespace highwater::gui
