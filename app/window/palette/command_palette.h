#pragma once

#include <optional>
#include <vector>

#include <QDialog>

#include "app/window/palette/palette_index.h"
#include "app/window/palette/palette_sources.h"
#include "app/workspace/tasks/latest_task.h"

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace highwater::gui {

/// Finds everything by name: commands, views, steps, call sites, findings, files, events. Typing filters the
/// list, Enter chooses the selected row. Entries that cannot be chosen now are listed as such.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    static constexpr std::size_t kMaxRows = 50;

    explicit CommandPalette(PaletteSources sources, QWidget* parent = nullptr);

    /// Returns the selected entry; nullopt if there is none or it cannot be chosen now.
    std::optional<PaletteEntry> chosen() const;
    /// Returns the entries that are listed, by row.
    const std::vector<PaletteEntry>& shown() const { return m_shown; }
    /// True if all sources are read.
    bool isComplete() const { return !m_sources.more; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeList();
    void readMore();
    void refresh();
    QString hint(std::size_t matchCount) const;
    void addRow(const PaletteEntry& entry);

    PaletteSources m_sources;
    PaletteIndex m_index;
    std::vector<PaletteEntry> m_shown;
    QLineEdit* m_field;
    QLabel* m_hint;
    QTreeWidget* m_list;
    LatestTask m_task;
};

/// Shows the palette and runs the entry that the user chooses. Returns when that has run.
void runCommandPalette(PaletteSources sources, QWidget* parent);

} // namespace highwater::gui
