#include "app/models/sweep_model.h"

#include <algorithm>
#include <numeric>

#include "app/models/exact_role.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

QString exactText(Bytes bytes)
{
    return QString::fromStdString(formatExactBytes(bytes));
}

QString dash()
{
    return QStringLiteral("–");
}

/// "step 14, forward"; the event where there is neither.
QString placeText(const SweepRun& run)
{
    QStringList parts;
    if (!run.peakStep.empty())
        parts << toQString(run.peakStep);
    if (run.peakPhase != Phase::Unknown)
        parts << toQString(toText(run.peakPhase));
    return parts.isEmpty() ? eventText(run.peakEvent) : parts.join(QStringLiteral(", "));
}

QString oomText(std::int64_t ooms)
{
    return ooms == 0 ? SweepModel::tr("no")
        : ooms == 1  ? SweepModel::tr("yes")
                     : SweepModel::tr("%1 times").arg(countText(ooms));
}

Bytes sumOf(const RunSweep& sweep, Category category)
{
    return std::accumulate(
        sweep.rows.begin(), sweep.rows.end(), Bytes{0}, [category](Bytes sum, const SweepRow& row) {
            return sum + row.run.categories[static_cast<std::size_t>(category)];
        });
}

std::vector<Category> shownCategories(const RunSweep& sweep)
{
    std::vector<Category> shown;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (sumOf(sweep, static_cast<Category>(i)) != 0)
            shown.push_back(static_cast<Category>(i));
    std::stable_sort(shown.begin(), shown.end(),
        [&sweep](Category a, Category b) { return sumOf(sweep, a) > sumOf(sweep, b); });
    return shown;
}

} // namespace

SweepModel::SweepModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    m_collator.setNumericMode(true);
    m_collator.setCaseSensitivity(Qt::CaseInsensitive);
}

void SweepModel::setSweep(const SweepSession& session)
{
    beginResetModel();
    m_sweep = session.sweep();
    m_failed.clear();
    for (std::size_t run = 0; m_sweep && run < m_sweep->rows.size(); ++run)
        m_failed.push_back(session.state(run) == SweepSession::State::Failed);
    m_categories = m_sweep ? shownCategories(*m_sweep) : std::vector<Category>();
    m_highest = m_sweep ? highestPeak(*m_sweep) : 0;
    sortRows();
    endResetModel();
}

void SweepModel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
}

int SweepModel::rowOf(std::size_t run) const
{
    const auto found = std::find(m_order.begin(), m_order.end(), run);
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int SweepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int SweepModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstCategoryColumn + static_cast<int>(m_categories.size());
}

bool SweepModel::isFigure(int column) const
{
    return column != NameColumn && column != CurveColumn && column != PlaceColumn && column != OomColumn;
}

QString SweepModel::text(int row, int column) const
{
    const SweepRow& line = of(row);
    const SweepRun& run = line.run;
    if (column == NameColumn)
        return toQString(line.name);
    if (!run.isReadable())
        return column == PeakColumn ? toQString(run.error) : QString();
    switch (column) {
    case PeakColumn: return (run.incomplete ? QStringLiteral("≥ ") : QString()) + bytesText(run.peakBytes);
    case DeltaColumn:
        if (runAt(row) == m_sweep->reference)
            return tr("reference");
        return line.deltaBytes ? QString::fromStdString(formatBytesDelta(*line.deltaBytes)) : dash();
    case CurveColumn: return {};
    case PlaceColumn: return placeText(run);
    case OomColumn: return oomText(run.ooms);
    case ReservedColumn: return run.reservedPeakBytes ? bytesText(*run.reservedPeakBytes) : dash();
    case EventsColumn: return countText(run.events);
    default: break;
    }
    const Bytes bytes = run.categories[static_cast<std::size_t>(categoryOf(column))];
    return bytes == 0 ? dash() : bytesText(bytes);
}

QString SweepModel::tip(int row, int column) const
{
    const SweepRow& line = of(row);
    const SweepRun& run = line.run;
    if (column == NameColumn)
        return toQString(run.path);
    if (!run.isReadable())
        return toQString(run.error);
    switch (column) {
    case PeakColumn:
        return tr("%1 %2%3, %4")
                   .arg(exactText(run.peakBytes), toQString(inWords(run.quantity)),
                       run.inferred ? tr(" (inferred by the allocator's rounding rule)") : QString(),
                       eventText(run.peakEvent))
            + (run.incomplete ? tr("; the file is incomplete: at least so much") : QString());
    case DeltaColumn:
        if (!line.deltaBytes)
            return tr("The run and the reference have no figure that can be subtracted");
        return tr("%1, %2").arg(exactText(*line.deltaBytes),
            toQString(formatRelativeDelta(m_sweep->rows[m_sweep->reference].run.peakBytes, run.peakBytes)));
    case CurveColumn:
        return tr("The total over %1; every curve is drawn up to %2")
            .arg(countedText(run.events, "event", "events"), bytesText(m_highest));
    case PlaceColumn: return eventText(run.peakEvent);
    case ReservedColumn:
        return run.reservedPeakBytes ? exactText(*run.reservedPeakBytes) : tr("The file does not tell it");
    case OomColumn: return tr("Out of memory: %1").arg(oomText(run.ooms));
    case EventsColumn: return tr("%1 on %2").arg(countText(run.events), toQString(run.device));
    default: break;
    }
    const Bytes bytes = run.categories[static_cast<std::size_t>(categoryOf(column))];
    return tr("%1, %2 of the peak").arg(exactText(bytes), toQString(formatShare(bytes, run.peakBytes)));
}

QVariant SweepModel::color(int row, int column) const
{
    const SweepRow& line = of(row);
    if (!line.run.isReadable())
        return column == NameColumn ? QVariant()
            : m_failed[runAt(row)]  ? m_colors.danger
                                    : m_colors.quietText;
    const Bytes delta = line.deltaBytes.value_or(0);
    if (column == DeltaColumn && delta != 0)
        return delta > 0 ? m_colors.danger : m_colors.better;
    if (column == DeltaColumn || (column == OomColumn && line.run.ooms == 0))
        return m_colors.quietText;
    return column == OomColumn ? QVariant(m_colors.danger) : QVariant();
}

/// Null: the column is a text.
static const char* unitOf(int column)
{
    switch (column) {
    case SweepModel::NameColumn:
    case SweepModel::CurveColumn:
    case SweepModel::PlaceColumn: return nullptr;
    case SweepModel::OomColumn:
    case SweepModel::EventsColumn: return kNoUnit;
    default: return kBytesUnit;
    }
}

QVariant SweepModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::ToolTipRole: return tip(index.row(), index.column());
    case Qt::AccessibleTextRole:
        return index.column() == CurveColumn ? tip(index.row(), CurveColumn)
                                             : text(index.row(), index.column());
    case Qt::ForegroundRole: return color(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter
            | (isFigure(index.column()) && hasFigures(index.row()) ? Qt::AlignRight : Qt::AlignLeft));
    case OutlineRole:
        return index.column() == CurveColumn ? QVariant::fromValue(of(index.row()).run.outline) : QVariant();
    case kExactRole: {
        const std::optional<double> value
            = unitOf(index.column()) ? figure(of(index.row()), index.column()) : std::nullopt;
        return value ? exactFigure(static_cast<qint64>(*value)) : QVariant();
    }
    case HighestRole: return QVariant::fromValue<qlonglong>(m_highest);
    default: return {};
    }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isFigure(section) ? Qt::AlignRight : Qt::AlignLeft));
    const QString titles[FirstCategoryColumn] = {tr("Run"), tr("Peak"), tr("Difference"), tr("Curve"),
        tr("Peak in"), tr("Out of memory"), tr("Reserved"), tr("Events")};
    const QString tips[FirstCategoryColumn] = {tr("The file's name, with the folders that tell it apart"),
        tr("Most bytes live at one moment"), tr("Its peak minus that of the reference"),
        tr("The total over the run's events, all on one scale; sorted by its mean"),
        tr("Step and phase that the peak lies in; sorted by its event"), tr("Whether memory ran out"),
        tr("Most bytes that the allocator held of the device at one moment"), tr("Allocator events")};
    if (role == kExactRole)
        return exactUnit(unitOf(section));
    if (role == Qt::DisplayRole)
        return section < FirstCategoryColumn ? titles[section] : toQString(titleOf(categoryOf(section)));
    if (role == Qt::ToolTipRole)
        return section < FirstCategoryColumn
            ? tips[section]
            : tr("%1 at the peak").arg(toQString(titleOf(categoryOf(section))));
    return {};
}

std::optional<double> SweepModel::figure(const SweepRow& row, int column) const
{
    const SweepRun& run = row.run;
    const auto orNone = [](const std::optional<Bytes>& bytes) {
        return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
    };
    if (!run.isReadable())
        return std::nullopt;
    switch (column) {
    case PeakColumn: return static_cast<double>(run.peakBytes);
    case DeltaColumn: return orNone(row.deltaBytes);
    case CurveColumn: return std::accumulate(run.outline.begin(), run.outline.end(), 0.0);
    case PlaceColumn: return static_cast<double>(run.peakEvent);
    case OomColumn: return static_cast<double>(run.ooms);
    case ReservedColumn: return orNone(run.reservedPeakBytes);
    case EventsColumn: return static_cast<double>(run.events);
    default: return static_cast<double>(run.categories[static_cast<std::size_t>(categoryOf(column))]);
    }
}

bool SweepModel::isBefore(std::size_t a, std::size_t b) const
{
    const SweepRow& one = m_sweep->rows[a];
    const SweepRow& other = m_sweep->rows[b];
    const bool isAscending = m_sortOrder == Qt::AscendingOrder;
    if (m_sortColumn == NameColumn) {
        const int order = m_collator.compare(toQString(one.name), toQString(other.name));
        return isAscending ? order < 0 : order > 0;
    }
    const std::optional<double> left = figure(one, m_sortColumn);
    const std::optional<double> right = figure(other, m_sortColumn);
    if (!left || !right)
        return left.has_value() && !right.has_value();
    return isAscending ? *left < *right : *left > *right;
}

void SweepModel::sortRows()
{
    m_order.resize(m_sweep ? m_sweep->rows.size() : 0);
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    if (m_sortColumn >= 0 && m_sortColumn < columnCount())
        std::stable_sort(
            m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) { return isBefore(a, b); });
}

void SweepModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    emit layoutAboutToBeChanged();
    const std::vector<std::size_t> before = m_order;
    sortRows();
    for (const QModelIndex& old : persistentIndexList())
        changePersistentIndex(old, index(rowOf(before[static_cast<std::size_t>(old.row())]), old.column()));
    emit layoutChanged();
}

} // namespace highwater::gui
