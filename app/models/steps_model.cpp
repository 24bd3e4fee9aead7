#include "app/models/steps_model.h"

#include <algorithm>
#include <numeric>

#include <QGuiApplication>

#include "app/models/exact_role.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"
#include "core/analysis/composition/step_figures.h"
#include "core/base/text_format.h"

namespace highwater::gui {

StepsModel::StepsModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void StepsModel::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis)
{
    beginResetModel();
    m_analysis = std::move(analysis);
    const std::size_t count = m_analysis ? m_analysis->steps.steps.size() : 0;
    m_hasTimes = m_analysis && m_analysis->trace->hasTimes(m_analysis->device);
    m_order.resize(count);
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    m_holders.assign(count, QString());
    updateRows();
    endResetModel();
}

void StepsModel::updateRows()
{
    m_rowOf.resize(m_order.size());
    for (std::size_t row = 0; row < m_order.size(); ++row)
        m_rowOf[m_order[row]] = static_cast<int>(row);
}

int StepsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int StepsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

Nanoseconds StepsModel::duration(const Step& step) const
{
    const EventScale& time = m_analysis->byTime;
    const double end = step.end < time.eventCount() ? time.positionOf(step.end) : time.end();
    return static_cast<Nanoseconds>(end - time.positionOf(step.begin));
}

QString StepsModel::holder(std::size_t number) const
{
    QString& known = m_holders[number];
    if (known.isEmpty()) {
        const std::optional<TopHolder> top
            = topHolderAt(m_analysis->live, m_analysis->sites, m_analysis->steps.steps[number].peakEvent);
        known = top ? toQString(m_analysis->sites.site(top->site).label) + QStringLiteral(" · ")
                + bytesText(top->bytes)
                    : tr("nothing live");
    }
    return known;
}

QString StepsModel::text(const Step& step, std::size_t number, int column) const
{
    switch (column) {
    case Name: return step.complete ? toQString(step.name) : tr("%1 (incomplete)").arg(toQString(step.name));
    case Start: return bytesText(step.startBytes);
    case Peak: return bytesText(step.peakBytes);
    case End: return bytesText(step.endBytes);
    case Retained: return QString::fromStdString(formatBytesDelta(step.retainedBytes()));
    case PeakPhase: return toQString(toText(step.peakPhase));
    case PeakEvent: return step.peakEvent < 0 ? tr("start") : countText(step.peakEvent);
    case Duration:
        return m_hasTimes ? QString::fromStdString(formatDuration(duration(step))) : tr("not recorded");
    case Holder: return holder(number);
    default: return {};
    }
}

QString StepsModel::tip(const Step& step, int column) const
{
    const auto exact = [](Bytes bytes) { return QString::fromStdString(formatExactBytes(bytes)); };
    switch (column) {
    case Name: return tr("Events %1 to %2").arg(countText(step.begin), countText(step.end));
    case Start: return exact(step.startBytes);
    case Peak: return exact(step.peakBytes);
    case End: return exact(step.endBytes);
    case Retained: return tr("%1: end less start").arg(exact(step.retainedBytes()));
    default: return {};
    }
}

/// Null: the column is a text.
static const char* unitOf(int column)
{
    switch (column) {
    case StepsModel::Start:
    case StepsModel::Peak:
    case StepsModel::End:
    case StepsModel::Retained: return kBytesUnit;
    case StepsModel::PeakEvent: return kNoUnit;
    case StepsModel::Duration: return "ns";
    default: return nullptr;
    }
}

QVariant StepsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_analysis)
        return {};
    const bool isText = index.column() == Name || index.column() == PeakPhase || index.column() == Holder;
    switch (role) {
    case Qt::DecorationRole: return index.column() == Name ? badge(stepAt(index.row())) : QVariant();
    case Qt::DisplayRole: return text(step(index.row()), stepAt(index.row()), index.column());
    case Qt::ToolTipRole: return tip(step(index.row()), index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case kExactRole:
        return unitOf(index.column()) && (index.column() != Duration || m_hasTimes)
            ? exactFigure(sortKey(stepAt(index.row()), index.column()))
            : QVariant();
    default: return {};
    }
}

void StepsModel::setNotes(std::vector<NoteFlag> notes)
{
    m_notes = std::move(notes);
    std::ranges::stable_sort(m_notes, {}, &NoteFlag::first);
    if (const int rows = rowCount(); rows > 0)
        emit dataChanged(index(0, Name), index(rows - 1, Name), {Qt::DecorationRole});
}

std::vector<const NoteFlag*> StepsModel::notesOn(std::size_t number) const
{
    std::vector<const NoteFlag*> notes;
    const auto step = static_cast<double>(number);
    for (auto note = std::ranges::lower_bound(m_notes, step, {}, &NoteFlag::first);
         note != m_notes.end() && note->first == step; ++note)
        notes.push_back(&*note);
    return notes;
}

/// While any step has notes the others keep room for them.
QVariant StepsModel::badge(std::size_t number) const
{
    if (m_notes.empty())
        return {};
    const std::vector<const NoteFlag*> notes = notesOn(number);
    return notes.empty() ? emptyBadgePixmap(QGuiApplication::font())
                         : badgePixmap(badgeOf(notes), QGuiApplication::font());
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const char* const kNames[] = {QT_TR_NOOP("step"), QT_TR_NOOP("start"), QT_TR_NOOP("peak"),
        QT_TR_NOOP("end"), QT_TR_NOOP("retained"), QT_TR_NOOP("peak in"), QT_TR_NOOP("event"),
        QT_TR_NOOP("time"), QT_TR_NOOP("largest holder at the peak")};
    static const char* const kTips[]
        = {QT_TR_NOOP("Its name in the file, or its number"), QT_TR_NOOP("Bytes live before its first event"),
            QT_TR_NOOP("Largest total within it"), QT_TR_NOOP("Bytes live after its last event"),
            QT_TR_NOOP("What it left behind: end less start. Growth shows here."),
            QT_TR_NOOP("Phase that its peak lies in"), QT_TR_NOOP("Event of its peak"),
            QT_TR_NOOP("From its first event to that of the next step"),
            QT_TR_NOOP("The call site with most bytes at its peak")};
    const bool isText = section == Name || section == PeakPhase || section == Holder;
    switch (role) {
    case Qt::DisplayRole: return tr(kNames[section]);
    case Qt::ToolTipRole: return tr(kTips[section]);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case kExactRole: return exactUnit(unitOf(section));
    default: return {};
    }
}

/// What a column is sorted by.
std::int64_t StepsModel::sortKey(std::size_t number, int column) const
{
    const Step& step = m_analysis->steps.steps[number];
    switch (column) {
    case Start: return step.startBytes;
    case Peak: return step.peakBytes;
    case End: return step.endBytes;
    case Retained: return step.retainedBytes();
    case PeakPhase: return static_cast<std::int64_t>(step.peakPhase);
    case PeakEvent: return step.peakEvent;
    case Duration: return m_hasTimes ? duration(step) : 0;
    default: return static_cast<std::int64_t>(number);
    }
}

void StepsModel::sort(int column, Qt::SortOrder order)
{
    if (!m_analysis || column == Holder) // would need every step's live set
        return;
    emit layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    std::vector<std::size_t> steps;
    for (const QModelIndex& index : kept)
        steps.push_back(stepAt(index.row()));
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::vector<std::int64_t> keys(m_order.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = sortKey(i, column);
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return order == Qt::AscendingOrder ? keys[a] < keys[b] : keys[b] < keys[a];
    });
    updateRows();
    QModelIndexList moved;
    for (std::size_t i = 0; i < steps.size(); ++i)
        moved << index(rowOf(steps[i]), kept[static_cast<qsizetype>(i)].column());
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

} // namespace highwater::gui
