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
#include "core/analysis/logs/companion_lines.h"
#include "core/run/run.h"

namespace highwater::gui {

/// An auxiliary file of the run that is on screen.
struct CompanionSource
{
    QString path;
    ClockedTrace trace;
    QString reason; ///< how its clock is known, a sentence
    std::optional<Nanoseconds> suggested; ///< none: the files cannot be laid on one clock
};

/// One line that such a file gives, and whether the user wants to see it.
struct ShownCompanion
{
    std::size_t source = 0;
    CompanionLine line;
    QColor color;
    bool shown = false;
};

/// What other files of the run say about the device on screen, on its clock. The lines are worked out off the
/// GUI thread. Offsets and choices of the user hold as long as the run is open.
class CompanionSources : public QObject
{
    Q_OBJECT

public:
    explicit CompanionSources(QObject* parent = nullptr);

    /// Those that were there already keep their offset.
    void setSources(const std::vector<std::pair<QString, std::shared_ptr<const Trace>>>& files);
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);

    const std::vector<CompanionSource>& sources() const { return m_sources; }
    const std::vector<ShownCompanion>& lines() const { return m_lines; }
    bool isBusy() const { return m_task.isBusy(); }

    void setOffset(std::size_t source, Nanoseconds offset);
    /// What the user has set for a file, which need not be there (yet); none: nothing.
    std::optional<Nanoseconds> chosenOffset(const QString& path) const;
    void chooseOffset(const QString& path, Nanoseconds offset);
    void setShown(std::size_t line, bool shown);
    /// Of the source whose lines a drag moves: the first that has a line in sight; none: none has.
    std::optional<std::size_t> draggable() const;
    /// The largest value of a line in sight; 0 without any.
    Bytes highestShown() const;
    /// The levels of memory right after an event of the device on screen.
    MemoryLevels levelsAt(std::int64_t event) const;

signals:
    /// Other files, or other offsets of them.
    void sourcesChanged();
    /// Lines came, went, moved, or changed their colour.
    void linesChanged();

private:
    struct Memory
    {
        QString path;
        Nanoseconds offset = 0;
    };

    void refresh();
    void accept(const std::shared_ptr<const DeviceAnalysis>& analysis, std::vector<ShownCompanion> lines);
    void suggest(CompanionSource& source) const;
    void paint();
    bool isWantedAtFirst(const CompanionLine& line) const;

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::vector<CompanionSource> m_sources;
    std::vector<ShownCompanion> m_lines;
    std::vector<Memory> m_chosenOffsets;
    std::vector<std::pair<QString, bool>> m_chosenLines; ///< by title
    ThemeColors m_colors;
    LatestTask m_task;
};

} // namespace highwater::gui
