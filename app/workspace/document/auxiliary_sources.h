#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QColor>
#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/run/run.h"

namespace highwater::gui {

/// An auxiliary file of the run on screen.
struct AuxiliarySource
{
    QString path;
    ClockedTrace trace;
    QString reason; ///< how its clock was matched, a sentence
    std::optional<Nanoseconds> suggested; ///< nullopt if the files cannot be placed on one clock
};

/// One line of an auxiliary file, and whether it is shown.
struct ShownAuxiliary
{
    std::size_t source = 0; ///< index in `AuxiliarySources::sources`
    AuxiliaryLine line;
    QColor color;
    bool shown = false;
};

/// The series that other files of the run record for the device on screen, placed on the clock of its trace.
/// The lines are computed off the GUI thread. Offsets (by path) and shown lines (by title) that the user has
/// chosen are kept as long as this object exists.
class AuxiliarySources : public QObject
{
    Q_OBJECT

public:
    explicit AuxiliarySources(QObject* parent = nullptr);

    /// Replaces the files. The user's offsets are kept.
    void setSources(const std::vector<std::pair<QString, std::shared_ptr<const Trace>>>& files);
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);

    const std::vector<AuxiliarySource>& sources() const { return m_sources; }
    const std::vector<ShownAuxiliary>& lines() const { return m_lines; }
    bool isBusy() const { return m_task.isBusy(); }

    void setOffset(std::size_t source, Nanoseconds offset);
    /// Returns the offset that the user has set for a file, which need not be open (yet); nullopt if the user
    /// has set none.
    std::optional<Nanoseconds> chosenOffset(const QString& path) const;
    /// Sets the offset of a file, which need not be open (yet).
    void chooseOffset(const QString& path, Nanoseconds offset);
    void setShown(std::size_t line, bool shown);
    /// Returns the source whose lines are moved by dragging: the first one with a visible line; nullopt if
    /// there is none.
    std::optional<std::size_t> draggable() const;
    /// Returns the largest value of a visible line; 0 if there is none.
    Bytes highestShown() const;
    /// Returns the memory levels right after an event of the device on screen, with the memory in use on the
    /// GPU if its line is shown. There must be a device.
    MemoryLevels levelsAt(std::int64_t event) const;

signals:
    /// The files or their offsets have changed.
    void sourcesChanged();
    /// Lines were added, removed, moved, shown, hidden or recoloured.
    void linesChanged();

private:
    struct ChosenOffset
    {
        QString path;
        Nanoseconds offset = 0;
    };

    void refresh();
    void takeLines(const std::shared_ptr<const DeviceAnalysis>& analysis, std::vector<ShownAuxiliary> lines);
    void suggestOffset(AuxiliarySource& source) const;
    void assignColors();
    bool isShownByDefault(const AuxiliaryLine& line) const;

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::vector<AuxiliarySource> m_sources;
    std::vector<ShownAuxiliary> m_lines;
    std::vector<ChosenOffset> m_chosenOffsets;
    std::vector<std::pair<QString, bool>> m_chosenLines; ///< by title of the line
    ThemeColors m_colors;
    LatestTask m_task;
};

} // namespace highwater::gui
