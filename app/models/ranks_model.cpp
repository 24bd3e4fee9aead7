#include "app/models/ranks_model.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <QFont>

#include "app/models/exact_role.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

QString dash()
{
    return QStringLiteral("–");
}

bool isNumber(int column)
{
    return column >= RanksModel::Peak && column <= RanksModel::Events;
}

} // namespace

QString stateText(const RunFile& file)
{
    switch (file.state) {
    case RunFile::State::Waiting: return QObject::tr("not loaded");
    case RunFile::State::Loading: return QObject::tr("loading…");
    case RunFile::State::Loaded:
        return file.figures->incomplete ? QObject::tr("incomplete, not compared") : QObject::tr("loaded");
    case RunFile::State::FiguresOnly: return QObject::tr("figures only (memory limit)");
    case RunFile::State::Failed: return toQString(file.figures->error);
    case RunFile::State::NoInput: break;
    }
    return {};
}

RanksModel::RanksModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void RanksModel::setRun(const RunLoader& run)
{
    beginResetModel();
    m_table = run.table();
    m_lines.clear();
    std::size_t known = 0; // in the table, whose files are those with figures, in the same order
    for (std::size_t i = 0; i < run.files().size(); ++i) {
        const RunFile& file = run.files()[i];
        if (file.state == RunFile::State::NoInput)
            continue;
        Line line{i, file.figures ? file.figures->member : file.input.member, {}, stateText(file),
            file.state == RunFile::State::Failed};
        if (!file.figures) {
            m_lines.push_back(line);
            continue;
        }
        for (std::size_t row = m_table->mainRow(known);
             row < m_table->rows.size() && m_table->rows[row].file == known; ++row) {
            line.row = m_table->rows[row];
            m_lines.push_back(line);
        }
        ++known;
    }
    sortLines();
    endResetModel();
}

void RanksModel::setAlarmColor(const QColor& color)
{
    m_alarm = color;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int RanksModel::rowOf(std::size_t file) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (line(row).file == file && (!line(row).row || isMain(line(row))))
            return row;
    return -1;
}

int RanksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int RanksModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const RankDevice* RanksModel::deviceOf(const Line& line) const
{
    return line.row ? m_table->deviceOf(*line.row) : nullptr;
}

bool RanksModel::isMain(const Line& line) const
{
    return !deviceOf(line) || line.row->device == m_table->files[line.row->file]->main;
}

QString RanksModel::text(const Line& line, int column) const
{
    if (column == Name)
        return line.member.rank ? toQString(line.member.label()) : tr("not known");
    if (column == File)
        return toQString(line.member.fileName());
    if (column == State)
        return line.state;
    const RankDevice* device = deviceOf(line);
    return device ? deviceText(line, *device, column) : dash();
}

QString RanksModel::deviceText(const Line& line, const RankDevice& device, int column) const
{
    switch (column) {
    case Device: return toQString(device.label);
    case Peak: return bytesText(device.peakBytes);
    case AboveMedian:
        return line.row->group == RankRow::kNone
            ? dash()
            : QString::fromStdString(formatBytesDelta(line.row->aboveMedian));
    case PeakEvent: return device.peakEvent < 0 ? tr("start") : countText(device.peakEvent);
    case Reserved: return bytesText(device.reservedPeakBytes);
    case OutOfMemory:
        return device.ooms == 0 ? tr("no")
            : device.ooms == 1  ? tr("at event %1").arg(countText(device.firstOom))
                                : tr("%1 times").arg(countText(device.ooms));
    case Events: return countText(device.events);
    default: return {};
    }
}

double RanksModel::number(const Line& line, int column) const
{
    const RankDevice* device = deviceOf(line);
    if (column == Name || column == File || column == State || column == Device)
        return 0;
    if (!device)
        return -std::numeric_limits<double>::infinity();
    switch (column) {
    case Peak: return static_cast<double>(device->peakBytes);
    case AboveMedian: return static_cast<double>(line.row->aboveMedian);
    case PeakEvent: return static_cast<double>(device->peakEvent);
    case Reserved: return static_cast<double>(device->reservedPeakBytes);
    case OutOfMemory: return static_cast<double>(device->ooms);
    default: return static_cast<double>(device->events);
    }
}

void RanksModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    emit layoutAboutToBeChanged();
    const std::vector<std::size_t> before = m_order;
    sortLines();
    std::vector<int> rowOfLine(m_order.size());
    for (std::size_t row = 0; row < m_order.size(); ++row)
        rowOfLine[m_order[row]] = static_cast<int>(row);
    for (const QModelIndex& old : persistentIndexList())
        changePersistentIndex(
            old, index(rowOfLine[before[static_cast<std::size_t>(old.row())]], old.column()));
    emit layoutChanged();
}

void RanksModel::sortLines()
{
    m_order.resize(m_lines.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    if (m_sortColumn < 0)
        return;
    const auto isLess = [this](std::size_t a, std::size_t b) {
        const Line& one = m_lines[a];
        const Line& other = m_lines[b];
        if (m_sortColumn == Name)
            return a < b; // the lines are in order of rank
        if (isNumber(m_sortColumn))
            return number(one, m_sortColumn) < number(other, m_sortColumn);
        return text(one, m_sortColumn).localeAwareCompare(text(other, m_sortColumn)) < 0;
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return m_sortOrder == Qt::AscendingOrder ? isLess(a, b) : isLess(b, a);
    });
}

/// Null: the column is a text.
static const char* unitOf(int column)
{
    switch (column) {
    case RanksModel::Peak:
    case RanksModel::AboveMedian:
    case RanksModel::Reserved: return kBytesUnit;
    case RanksModel::OutOfMemory:
    case RanksModel::PeakEvent:
    case RanksModel::Events: return kNoUnit;
    default: return nullptr;
    }
}

QVariant RanksModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line& of = line(index.row());
    const RankDevice* device = deviceOf(of);
    const bool alarming = (index.column() == OutOfMemory && device && device->ooms > 0)
        || (index.column() == State && of.failed)
        || ((index.column() == Peak || index.column() == AboveMedian) && of.row && of.row->outlier);
    switch (role) {
    case Qt::DisplayRole: return text(of, index.column());
    case Qt::ToolTipRole:
        if (device && index.column() == Peak)
            return QString::fromStdString(formatExactBytes(device->peakBytes));
        if (device && index.column() == Reserved)
            return QString::fromStdString(formatExactBytes(device->reservedPeakBytes));
        return index.column() == File ? toQString(of.member.path) : text(of, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case kExactRole:
        return device && unitOf(index.column())
                && (index.column() != AboveMedian || of.row->group != RankRow::kNone)
            ? exactFigure(static_cast<qint64>(number(of, index.column())))
            : QVariant();
    case Qt::ForegroundRole: return alarming && m_alarm.isValid() ? QVariant(m_alarm) : QVariant();
    default: return {};
    }
}

QVariant RanksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const QString titles[ColumnCount] = {tr("Rank"), tr("Peak"), tr("Against median"), tr("Out of memory"),
        tr("Reserved, peak"), tr("Peak at event"), tr("Events"), tr("Device"), tr("State"), tr("File")};
    const QString tips[ColumnCount]
        = {tr("From the content of the file, else from its name"), tr("Most bytes live at one moment"),
            tr("Its peak minus the median of the ranks that it is compared with"), {},
            tr("Most bytes that the allocator held of the device at one moment"), {}, {},
            tr("Devices of different ranks are never merged, also where their numbers are the same"), {}, {}};
    if (role == Qt::DisplayRole)
        return titles[section];
    if (role == kExactRole)
        return exactUnit(unitOf(section));
    if (role == Qt::ToolTipRole && !tips[section].isEmpty())
        return tips[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    return {};
}

} // namespace highwater::gui
