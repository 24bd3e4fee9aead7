#include "app/timeline/note_flags.h"

#include <algorithm>
#include <cmath>

namespace highwater::gui {

namespace {

constexpr int kFlagRows = 3;
constexpr double kFlagsTop = 2;
constexpr double kFlagGap = 1;
/// Number of previous flags that are tested for an overlap with a new one; earlier flags are too far left.
constexpr std::ptrdiff_t kOverlapCandidates = 12;
/// A flag with more notes than this is measured only once, when all its notes are counted.
constexpr std::size_t kMaxResized = 16;
constexpr double kShortPole = 10;
/// Ranges are tinted on at most this many times the pixels of the plot; further ranges have only an upper
/// edge.
constexpr double kMaxTintedShare = 2;
constexpr double kBandEdge = 3;
/// Number of rows that Qt's raster engine fills in one thread.
constexpr double kMaxTintRows = 64;

QColor withAlpha(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

} // namespace

NoteFlags::NoteFlags(QCustomPlot* plot)
    : QCPLayerable(plot, QStringLiteral("overlay"))
    , m_colors(ThemeColors::light())
{
}

void NoteFlags::setScale(std::shared_ptr<const EventScale> scale)
{
    m_scale = std::move(scale);
    placeNotes();
}

void NoteFlags::setNotes(std::vector<TimelineNote> notes)
{
    m_notes = std::move(notes);
    placeNotes();
}

void NoteFlags::setArea(const PlotArea& area)
{
    m_area = area;
    layOutFlags();
}

void NoteFlags::setChosen(int number)
{
    m_chosen = number;
}

void NoteFlags::setDragged(std::optional<std::pair<int, std::int64_t>> numberAndEvent)
{
    m_dragged = numberAndEvent;
    placeNotes();
}

void NoteFlags::placeNotes()
{
    m_placed.clear();
    for (std::size_t i = 0; m_scale && i < m_notes.size(); ++i) {
        const NoteFlag& flag = m_notes[i].flag;
        const bool isDragged = m_dragged && m_dragged->first == flag.number;
        const auto first = isDragged ? m_dragged->second : static_cast<std::int64_t>(flag.first);
        const auto last = static_cast<std::int64_t>(flag.last);
        if (first >= m_scale->eventCount())
            continue;
        const bool isRange = flag.last > flag.first;
        const double middle = m_scale->kind() == AxisKind::Event && !isRange ? 0.5 : 0;
        const double begin = m_scale->positionOf(first) + middle;
        const double end = !isRange        ? begin
            : last < m_scale->eventCount() ? m_scale->positionOf(last)
                                           : m_scale->end();
        m_placed.push_back({begin, end, i});
    }
    std::ranges::stable_sort(m_placed, {}, &Placed::begin);
    layOutFlags();
}

void NoteFlags::layOutFlags()
{
    m_flags.clear();
    if (m_area.rect.width() < 1 || m_placed.empty())
        return;
    m_badges.setFont(mParentPlot->font(), mParentPlot->bufferDevicePixelRatio());
    for (const Placed& placed : m_placed)
        if (placed.begin <= m_area.xEnd && placed.end >= m_area.xBegin)
            addFlag(placed);
    for (Flag& flag : m_flags)
        if (flag.notes.size() > kMaxResized)
            resizeFlag(flag, flag.rect.top());
}

/// Adds a flag in the first row that is free at the line of the note. If all rows are taken, merges the note
/// into the last flag.
void NoteFlags::addFlag(const Placed& placed)
{
    const TimelineNote& note = m_notes[placed.note];
    Flag flag;
    flag.x = std::max(m_area.toX(placed.begin), m_area.rect.left());
    flag.notes = {&note.flag};
    flag.canMove = note.canMove;
    const double height = m_badges.size(QStringLiteral("1")).height();
    for (int row = 0; row < kFlagRows; ++row) {
        resizeFlag(flag, m_area.rect.top() + kFlagsTop + row * (height + kFlagGap));
        const auto nearby
            = m_flags.size() > kOverlapCandidates ? m_flags.end() - kOverlapCandidates : m_flags.begin();
        const bool isFree = std::none_of(
            nearby, m_flags.end(), [&](const Flag& other) { return other.rect.intersects(flag.rect); });
        if (isFree) {
            m_flags.push_back(std::move(flag));
            return;
        }
    }
    Flag& shared = m_flags.back();
    shared.notes.push_back(&note.flag);
    shared.canMove = false;
    if (shared.notes.size() <= kMaxResized)
        resizeFlag(shared, shared.rect.top());
}

/// Places the flag to the right of its line, or as far right as fits. A flag that is about to exceed
/// `kMaxResized` notes gets room for the longest text.
void NoteFlags::resizeFlag(Flag& flag, double top)
{
    std::vector<int> numbers;
    for (const NoteFlag* note : flag.notes)
        numbers.push_back(note->number);
    const bool isCounting = numbers.size() == kMaxResized;
    flag.text = numbersText(std::move(numbers));
    const QSizeF size = m_badges.size(isCounting ? QStringLiteral("10000 notes") : flag.text);
    flag.rect = QRectF(QPointF(std::min(flag.x, m_area.rect.right() - size.width()), top), size);
}

const NoteFlags::Flag* NoteFlags::flagAt(const QPointF& position) const
{
    const auto found = std::ranges::find_if(
        m_flags, [&](const Flag& flag) { return flag.rect.adjusted(-1, -1, 1, 1).contains(position); });
    return found == m_flags.end() ? nullptr : &*found;
}

void NoteFlags::applyDefaultAntialiasingHint(QCPPainter* painter) const
{
    painter->setAntialiasing(false);
}

void NoteFlags::draw(QCPPainter* painter)
{
    if (m_flags.empty())
        return;
    drawEdges(painter);
    drawPoles(painter);
}

std::optional<QRectF> NoteFlags::rangeRect(const Placed& placed) const
{
    if (placed.end <= placed.begin || placed.begin > m_area.xEnd || placed.end < m_area.xBegin)
        return std::nullopt;
    const double left = std::max(m_area.toX(placed.begin), m_area.rect.left());
    const double right = std::max(left + 1, std::min(m_area.toX(placed.end), m_area.rect.right()));
    return QRectF(left, m_area.rect.top(), right - left, m_area.rect.height());
}

void NoteFlags::drawTints(QCPPainter* painter) const
{
    double room = kMaxTintedShare * m_area.rect.width() * m_area.rect.height();
    for (const Placed& placed : m_placed) {
        const std::optional<QRectF> band = rangeRect(placed);
        const double pixels = band ? band->width() * band->height() : 0;
        if (!band || pixels > room)
            continue;
        room -= pixels;
        paintTint(
            painter, *band, withAlpha(noteQColor(m_notes[placed.note].flag.color), m_colors.dark ? 60 : 38));
    }
}

void NoteFlags::drawEdges(QCPPainter* painter) const
{
    double room = kMaxTintedShare * m_area.rect.width() * m_area.rect.height();
    for (const Placed& placed : m_placed) {
        const std::optional<QRectF> band = rangeRect(placed);
        const double pixels = band ? band->width() * kBandEdge : 0;
        if (!band || pixels > room)
            continue;
        room -= pixels;
        painter->fillRect(QRectF(band->left(), band->top(), band->width(), kBandEdge),
            withAlpha(noteQColor(m_notes[placed.note].flag.color), 200));
    }
}

/// Paints a few rows at a time. For more rows Qt blends in several threads and waits for them, which is slow
/// while rendering keeps all processors busy.
void NoteFlags::paintTint(QCPPainter* painter, const QRectF& band, const QColor& color) const
{
    const double slice = std::floor(kMaxTintRows / mParentPlot->bufferDevicePixelRatio());
    for (double top = band.top(); top < band.bottom(); top += slice)
        painter->fillRect(
            QRectF(band.left(), top, band.width(), std::min(slice, band.bottom() - top)), color);
}

void NoteFlags::drawPoles(QCPPainter* painter) const
{
    const bool isShort = m_flags.size() > kMaxPoles;
    for (const Flag& flag : m_flags) {
        const double bottom = isShort ? flag.rect.bottom() + kShortPole : m_area.rect.bottom();
        painter->fillRect(QRectF(std::floor(flag.x), m_area.rect.top(), 1, bottom - m_area.rect.top()),
            noteQColor(flag.notes.front()->color));
    }
}

void NoteFlags::drawFlags(QCPPainter* painter)
{
    for (const Flag& flag : m_flags) {
        const bool isChosen = std::ranges::any_of(
            flag.notes, [this](const NoteFlag* note) { return note->number == m_chosen; });
        if (isChosen)
            painter->fillRect(QRectF(flag.rect.topLeft().toPoint(), flag.rect.size()).adjusted(-2, -2, 2, 2),
                m_colors.text);
        m_badges.paint(*painter, flag.rect.topLeft(), flag.text, noteQColor(flag.notes.front()->color));
    }
}

} // namespace highwater::gui
