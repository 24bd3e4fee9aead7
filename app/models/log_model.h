#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <QAbstractListModel>

#include "app/loading/log_text.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"
#include "core/trace/trace.h"

namespace highwater::gui {

/// Meaning of a log line, least serious first.
enum class LogLineKind : std::uint8_t
{
    Plain,
    Warning,
    Failure,
};

/// The lines of a log as a list model. Lines are read from the file on demand, a block at a time; a limited
/// number of blocks stays in memory.
class LogModel : public QAbstractListModel
{
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    /// Shows a log; a null `text` empties the model. Lines have no meaning without `trace`, which has the
    /// log's events.
    void setLog(std::shared_ptr<const LogText> text, std::shared_ptr<const Trace> trace);
    void setColors(const ThemeColors& colors);
    /// Returns the meaning of the line in this row; rows are counted from 0.
    LogLineKind kindOf(int row) const;
    /// Shows the numbers of these notes in front of the lines; `NoteFlag::first` is the line, counted from
    /// 1.
    void setNotes(std::vector<NoteFlag> notes);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QString lineAt(int row) const;
    void addKind(std::uint64_t line, LogLineKind kind);
    QVariant badge(int row) const;

    std::shared_ptr<const LogText> m_text;
    std::vector<std::pair<std::uint64_t, LogLineKind>>
        m_kinds; ///< by line, counted from 1; lines without a meaning are left out
    std::vector<NoteFlag> m_notes; ///< by line
    ThemeColors m_colors;
    mutable std::unordered_map<int, std::vector<std::string>> m_blocks;
};

} // namespace highwater::gui
