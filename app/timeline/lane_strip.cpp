#include "app/timeline/lane_strip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "app/timeline/lane_painter.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kLanesTop = 1;
constexpr int kLaneGap = 0;
constexpr int kRow = 16;
constexpr int kNoteGap = 16;
} // namespace

LaneStrip::LaneStrip(VisibleRange& range, QWidget* parent)
    : QWidget(parent)
    , m_visibleRange(range)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("lanes"));
    setAccessibleName(tr("Steps, phases, ranges, cache flushes and out-of-memory events"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    connect(&m_visibleRange, &VisibleRange::changed, this, [this] {
        m_hoveredEnd = {};
        update();
    });
}

void LaneStrip::show(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis)
{
    const bool isSameDevice = analysis == m_analysis;
    m_analysis = std::move(analysis);
    m_scale.reset();
    if (m_analysis)
        m_scale.emplace(m_analysis->scale(axis));
    m_hasTimes = m_analysis && m_analysis->trace->hasTimes(m_analysis->device);
    if (!isSameDevice) {
        m_choice = {};
        computeLanes();
    }
    update();
}

void LaneStrip::showLike(const LaneStrip& other)
{
    m_task.drop();
    m_analysis = other.m_analysis;
    m_scale = other.m_scale;
    m_hasTimes = other.m_hasTimes;
    m_choice = other.m_choice;
    acceptLanes(other.m_table);
    m_tableAnalysis = other.m_tableAnalysis;
}

void LaneStrip::computeLanes()
{
    m_pressed.reset();
    if (!m_analysis) {
        m_task.drop();
        acceptLanes(nullptr);
        return;
    }
    m_task.run([this, analysis = m_analysis, choice = m_choice]() -> LatestTask::Delivery {
        return [this, analysis, choice, table = laneTable(*analysis, choice)] {
            if (analysis == m_analysis && choice == m_choice)
                acceptLanes(table);
        };
    });
}

void LaneStrip::acceptLanes(std::shared_ptr<const LaneTable> table)
{
    m_pressed.reset();
    m_zoom = nullptr;
    m_hoveredEnd = {};
    m_table = std::move(table);
    m_tableAnalysis = m_analysis;
    setFixedHeight(contentHeight());
    updateGeometry();
    QStringList names;
    for (std::size_t row = 0; m_table && row < m_table->rows.size(); ++row)
        if (!m_table->rows[row].name.isEmpty())
            names << m_table->rows[row].name;
    setAccessibleDescription((names + notes()).join(QStringLiteral(", ")));
    update();
    emit lanesChanged();
}

void LaneStrip::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

void LaneStrip::setEdges(int left, int right)
{
    m_left = left;
    m_right = right;
    update();
}

void LaneStrip::setInternalShown(bool shown)
{
    if (std::exchange(m_choice.withInternal, shown) != shown)
        computeLanes();
}

void LaneStrip::setAllRowsShown(bool shown)
{
    if (std::exchange(m_choice.allRows, shown) != shown)
        computeLanes();
}

void LaneStrip::toggleNote(NoteKind kind)
{
    if (kind == NoteKind::Internal)
        setInternalShown(!m_choice.withInternal);
    else
        setAllRowsShown(!m_choice.allRows);
}

PlotArea LaneStrip::area() const
{
    PlotArea area;
    area.rect = QRectF(m_left, 0, std::max(1, m_right - m_left), height());
    area.xBegin = m_visibleRange.x().begin;
    area.xEnd = m_visibleRange.x().end;
    return area;
}

int LaneStrip::rowHeight() const
{
    return std::max(kRow, fontMetrics().height());
}

QRect LaneStrip::rowRect(std::size_t row) const
{
    return {m_left, kLanesTop + static_cast<int>(row) * (rowHeight() + kLaneGap),
        std::max(1, m_right - m_left), rowHeight()};
}

int LaneStrip::contentHeight() const
{
    if (!m_table || (m_table->rows.empty() && m_table->internalCount == 0))
        return 0;
    const bool hasNotes = m_table->internalCount > 0 || m_table->hiddenDeeperRows > 0 || m_choice.allRows;
    const std::size_t rows = m_table->rows.size() + (hasNotes ? 1 : 0);
    return rowRect(rows).top() + kLanesTop;
}

std::vector<LaneStrip::Note> LaneStrip::noteList() const
{
    std::vector<Note> notes;
    if (!isCurrent())
        return notes;
    const auto internal = static_cast<std::int64_t>(m_table->internalCount);
    if (internal > 0) {
        const QString counted = countedText(internal, "internal range", "internal ranges");
        notes.push_back({NoteKind::Internal,
            m_table->withInternal ? tr("%1 shown · hide").arg(counted) : tr("%1 hidden · show").arg(counted),
            {}});
    }
    if (m_table->hiddenDeeperRows > 0)
        notes.push_back(
            {NoteKind::DeeperRows, tr("+%1").arg(countedText(m_table->hiddenDeeperRows, "row", "rows")), {}});
    else if (m_choice.allRows)
        notes.push_back({NoteKind::DeeperRows, tr("fewer rows"), {}});
    const QRect line = rowRect(m_table->rows.size());
    int left = line.left();
    for (Note& note : notes) {
        note.rect = QRect(left, line.top(), fontMetrics().horizontalAdvance(note.text), line.height());
        left = note.rect.right() + kNoteGap;
    }
    return notes;
}

QStringList LaneStrip::notes() const
{
    QStringList texts;
    for (const Note& note : noteList())
        texts << note.text;
    return texts;
}

void LaneStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.surface);
    painter.fillRect(0, height() - 1, width(), 1, m_colors.border);
    if (!isCurrent())
        return;
    const LanePainter lanes(painter, m_colors, m_texts, m_smallTexts);
    for (std::size_t i = 0; i < m_table->rows.size(); ++i) {
        const LaneRow& row = m_table->rows[i];
        const QRect where = rowRect(i);
        lanes.paintName(row.name, QRect(4, where.top(), nameWidth(), where.height()));
        lanes.paintRow(row, {*m_scale, area()}, where);
    }
    painter.fillRect(m_hoveredEnd, m_colors.accent);
    for (const Note& note : noteList())
        lanes.paintNote(note.text, note.rect);
}

std::optional<LaneStrip::Hit> LaneStrip::hitAt(const QPointF& position) const
{
    if (!isCurrent() || position.x() < m_left || position.x() > m_right)
        return std::nullopt;
    for (std::size_t index = 0; index < m_table->rows.size(); ++index) {
        const QRect where = rowRect(index);
        if (position.y() < where.top() || position.y() > where.bottom() + kLaneGap)
            continue;
        const LaneRow& row = m_table->rows[index];
        std::optional<Hit> nearest;
        double distance = kBarReach;
        for (const LanePiece& piece : lanePieces(row, *m_scale, area())) {
            const QRectF bar = laneBar(row, piece, where);
            const double pieceDistance
                = std::max({0.0, bar.left() - position.x(), position.x() - bar.right()});
            if (pieceDistance <= distance) {
                distance = pieceDistance;
                nearest = Hit{index, piece};
            }
        }
        return nearest;
    }
    return std::nullopt;
}

std::optional<LaneStrip::Note> LaneStrip::noteAt(const QPoint& position) const
{
    for (const Note& note : noteList())
        if (note.rect.contains(position))
            return note;
    return std::nullopt;
}

/// Returns the name of the lane at this position if it is cut off, else an empty text.
QString LaneStrip::cutNameAt(const QPoint& position) const
{
    if (!isCurrent() || position.x() >= m_left)
        return {};
    for (std::size_t row = 0; row < m_table->rows.size(); ++row) {
        const QRect where = rowRect(row);
        const QString& name = m_table->rows[row].name;
        if (position.y() >= where.top() && position.y() <= where.bottom()
            && fontMetrics().horizontalAdvance(name) > nameWidth())
            return name;
    }
    return {};
}

QString LaneStrip::tipAt(const QPoint& position) const
{
    if (const std::optional<Hit> hit = hitAt(position)) {
        if (endOf(*hit).contains(position))
            return tr("Click to show what this step left behind");
        const QString tip = tipOf(m_table->rows[hit->row], hit->piece, m_hasTimes);
        return m_selection && m_table->rows[hit->row].kind == LaneKind::Steps
            ? tip + tr("\nClick to mark it, with the moment at its peak; double-click to zoom")
            : tip;
    }
    const std::optional<Note> note = noteAt(position);
    if (!note)
        return cutNameAt(position);
    return note->kind == NoteKind::Internal
        ? tr("Ranges that PyTorch's compiler wrote for itself. Click to show or hide them.")
        : tr("Ranges that are nested deeper. Click to show or hide them.");
}

} // namespace highwater::gui
