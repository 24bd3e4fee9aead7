#include "app/models/log_model.h"

#include <algorithm>
#include <limits>

#include <QTextDocument>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {
constexpr int kBlockLines = 256;
constexpr std::size_t kMaxBlocks = 64;
} // namespace

void LogModel::addKind(std::uint64_t line, LogLineKind kind)
{
    if (line > 0)
        m_kinds.emplace_back(line, kind);
}

void LogModel::setLog(std::shared_ptr<const LogText> text, std::shared_ptr<const Trace> trace)
{
    beginResetModel();
    m_text = std::move(text);
    m_kinds.clear();
    m_blocks.clear();
    if (trace)
        for (const LogEvent& event : trace->logEvents)
            addKind(event.line,
                event.kind == LogEvent::Kind::Warning ? LogLineKind::Warning : LogLineKind::Failure);
    // Keeps the most serious meaning of each line.
    std::sort(m_kinds.begin(), m_kinds.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    const auto sameLine = [](const auto& a, const auto& b) { return a.first == b.first; };
    m_kinds.erase(std::unique(m_kinds.begin(), m_kinds.end(), sameLine), m_kinds.end());
    endResetModel();
}

void LogModel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    if (const int rows = rowCount(); rows > 0)
        emit dataChanged(index(0), index(rows - 1), {Qt::ForegroundRole, Qt::BackgroundRole});
}

void LogModel::setNotes(std::vector<NoteFlag> notes)
{
    m_notes = std::move(notes);
    std::ranges::stable_sort(m_notes, {}, &NoteFlag::first);
    if (const int rows = rowCount(); rows > 0)
        emit dataChanged(index(0), index(rows - 1), {Qt::DecorationRole});
}

/// If any line has notes, the other lines leave the same space free, so that all texts stay aligned.
QVariant LogModel::badge(int row) const
{
    return m_notes.empty() ? QVariant() : badgePixmap(notesAt(m_notes, row + 1.0));
}

LogLineKind LogModel::kindOf(int row) const
{
    const auto line = static_cast<std::uint64_t>(row) + 1;
    const auto found = std::lower_bound(m_kinds.begin(), m_kinds.end(), line,
        [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
    return found != m_kinds.end() && found->first == line ? found->second : LogLineKind::Plain;
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_text)
        return 0;
    return static_cast<int>(std::min<std::uint64_t>(m_text->lineCount(), std::numeric_limits<int>::max()));
}

QString LogModel::lineAt(int row) const
{
    const int block = row / kBlockLines;
    auto found = m_blocks.find(block);
    if (found == m_blocks.end()) {
        if (m_blocks.size() >= kMaxBlocks)
            m_blocks.clear();
        const auto first = static_cast<std::uint64_t>(block) * kBlockLines;
        found = m_blocks.emplace(block, m_text->lines(first, kBlockLines)).first;
    }
    const auto lineInBlock = static_cast<std::size_t>(row % kBlockLines);
    return lineInBlock < found->second.size() ? toQString(found->second[lineInBlock]) : QString();
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const LogLineKind kind = kindOf(index.row());
    switch (role) {
    case Qt::DecorationRole: return badge(index.row());
    case Qt::DisplayRole: return lineAt(index.row());
    case Qt::ToolTipRole: return Qt::convertFromPlainText(lineAt(index.row()), Qt::WhiteSpaceNormal);
    case Qt::BackgroundRole:
        if (kind == LogLineKind::Failure)
            return m_colors.dangerSoft;
        return kind == LogLineKind::Warning ? QVariant(m_colors.warningSoft) : QVariant();
    case Qt::ForegroundRole:
        // Also where the selection covers the background.
        return kind == LogLineKind::Failure ? QVariant(m_colors.danger) : QVariant();
    case Qt::AccessibleTextRole:
        return tr("line %1: %2").arg(countText(index.row() + 1), lineAt(index.row()));
    default: return {};
    }
}

} // namespace highwater::gui
