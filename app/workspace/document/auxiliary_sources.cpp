#include "app/workspace/document/auxiliary_sources.h"

#include <algorithm>
#include <utility>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Maximum number of series that are shown by default, not counting the memory in use on the GPU.
constexpr std::size_t kMaxShownByDefault = 4;

} // namespace

AuxiliarySources::AuxiliarySources(QObject* parent)
    : QObject(parent)
    , m_colors(ThemeColors::light())
{
}

std::optional<Nanoseconds> AuxiliarySources::chosenOffset(const QString& path) const
{
    const auto chosen = std::find_if(m_chosenOffsets.begin(), m_chosenOffsets.end(),
        [&](const ChosenOffset& choice) { return choice.path == path; });
    return chosen == m_chosenOffsets.end() ? std::nullopt : std::optional(chosen->offset);
}

void AuxiliarySources::chooseOffset(const QString& path, Nanoseconds offset)
{
    for (std::size_t i = 0; i < m_sources.size(); ++i)
        if (m_sources[i].path == path)
            return setOffset(i, offset);
    std::erase_if(m_chosenOffsets, [&](const ChosenOffset& choice) { return choice.path == path; });
    m_chosenOffsets.push_back({path, offset});
}

void AuxiliarySources::suggestOffset(AuxiliarySource& source) const
{
    if (!m_analysis)
        return;
    source.suggested = suggestedOffset(*m_analysis->trace, *source.trace.trace);
    source.reason = toQString(offsetReason(*m_analysis->trace, *source.trace.trace));
    source.trace.offset = chosenOffset(source.path).value_or(source.suggested.value_or(0));
}

void AuxiliarySources::setSources(const std::vector<std::pair<QString, std::shared_ptr<const Trace>>>& files)
{
    const bool isUnchanged = files.size() == m_sources.size()
        && std::equal(files.begin(), files.end(), m_sources.begin(),
            [](const auto& file, const AuxiliarySource& source) {
                return file.first == source.path && file.second == source.trace.trace;
            });
    if (isUnchanged)
        return;
    m_sources.clear();
    for (const auto& [path, trace] : files) {
        const std::string name = path.section(QLatin1Char('/'), -1).toStdString();
        m_sources.push_back({path, ClockedTrace{trace, name, 0}, {}, {}});
        suggestOffset(m_sources.back());
    }
    emit sourcesChanged();
    refresh();
}

void AuxiliarySources::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis)
{
    if (analysis == m_analysis)
        return;
    m_analysis = std::move(analysis);
    for (AuxiliarySource& source : m_sources)
        suggestOffset(source);
    if (m_sources.empty())
        return;
    emit sourcesChanged();
    refresh();
}

void AuxiliarySources::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    assignColors();
    emit linesChanged();
}

void AuxiliarySources::setOffset(std::size_t source, Nanoseconds offset)
{
    AuxiliarySource& moved = m_sources[source];
    if (moved.trace.offset == offset)
        return;
    moved.trace.offset = offset;
    std::erase_if(m_chosenOffsets, [&](const ChosenOffset& choice) { return choice.path == moved.path; });
    m_chosenOffsets.push_back({moved.path, offset});
    emit sourcesChanged();
    refresh();
}

void AuxiliarySources::setShown(std::size_t line, bool shown)
{
    if (m_lines[line].shown == shown)
        return;
    m_lines[line].shown = shown;
    const QString title = toQString(m_lines[line].line.title);
    std::erase_if(m_chosenLines, [&](const auto& choice) { return choice.first == title; });
    m_chosenLines.emplace_back(title, shown);
    emit linesChanged();
}

void AuxiliarySources::refresh()
{
    if (!m_analysis || m_sources.empty()) {
        m_task.drop();
        m_lines.clear();
        emit linesChanged();
        return;
    }
    m_task.run([this, analysis = m_analysis, sources = m_sources]() -> LatestTask::Delivery {
        std::vector<ShownAuxiliary> lines;
        for (std::size_t i = 0; i < sources.size(); ++i)
            if (sources[i].suggested)
                for (AuxiliaryLine& line :
                    auxiliaryLines(*analysis->trace, analysis->device, sources[i].trace))
                    lines.push_back({i, std::move(line), {}, false});
        return
            [this, analysis, lines = std::move(lines)]() mutable { takeLines(analysis, std::move(lines)); };
    });
}

/// True for a line that is shown until the user chooses: of those with a point within the trace, the memory
/// in use on the GPU, and the first few series of memory of the same or an unknown rank.
bool AuxiliarySources::isShownByDefault(const AuxiliaryLine& line) const
{
    const auto events = static_cast<double>(m_analysis->allocations.eventCount());
    const bool isWithinTrace = std::any_of(line.points.begin(), line.points.end(),
        [events](const AuxiliaryPoint& point) { return point.event >= 0 && point.event < events; });
    if (!isWithinTrace)
        return false; // recorded at another time, as far as is known
    if (line.quantity == Quantity::DeviceUsed)
        return true;
    const std::optional<std::int64_t> rank = rankFromContent(*m_analysis->trace);
    const bool sameRank = !line.rank || !rank || *line.rank == *rank;
    const auto shownCount = std::count_if(m_lines.begin(), m_lines.end(), [](const ShownAuxiliary& entry) {
        return entry.shown && entry.line.quantity != Quantity::DeviceUsed;
    });
    return line.quantity && sameRank && static_cast<std::size_t>(shownCount) < kMaxShownByDefault;
}

void AuxiliarySources::takeLines(
    const std::shared_ptr<const DeviceAnalysis>& analysis, std::vector<ShownAuxiliary> lines)
{
    if (analysis != m_analysis)
        return;
    m_lines.clear();
    for (ShownAuxiliary& entry : lines) {
        const QString title = toQString(entry.line.title);
        const auto chosen = std::find_if(m_chosenLines.begin(), m_chosenLines.end(),
            [&](const auto& choice) { return choice.first == title; });
        entry.shown = chosen != m_chosenLines.end() ? chosen->second : isShownByDefault(entry.line);
        m_lines.push_back(std::move(entry));
    }
    assignColors();
    emit linesChanged();
}

void AuxiliarySources::assignColors()
{
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        m_lines[i].color = readableLine(themed(themedLineColor(i), m_colors.dark), m_colors);
}

std::optional<std::size_t> AuxiliarySources::draggable() const
{
    const auto line = std::find_if(
        m_lines.begin(), m_lines.end(), [](const ShownAuxiliary& entry) { return entry.shown; });
    return line == m_lines.end() ? std::nullopt : std::optional(line->source);
}

Bytes AuxiliarySources::highestShown() const
{
    Bytes highest = 0;
    for (const ShownAuxiliary& entry : m_lines)
        if (entry.shown)
            highest = std::max(highest, entry.line.peakBytes);
    return highest;
}

MemoryLevels AuxiliarySources::levelsAt(std::int64_t event) const
{
    const auto used = std::find_if(m_lines.begin(), m_lines.end(), [](const ShownAuxiliary& entry) {
        return entry.shown && entry.line.quantity == Quantity::DeviceUsed;
    });
    const EventScale& times = m_analysis->scale(AxisKind::Time);
    const Nanoseconds time = times.origin() + static_cast<Nanoseconds>(times.positionOf(event));
    return memoryLevelsAt(m_analysis->curve, m_analysis->quantity(), event, time,
        used == m_lines.end() ? nullptr : &used->line);
}

} // namespace highwater::gui
