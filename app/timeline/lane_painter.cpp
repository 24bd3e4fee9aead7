#include "app/timeline/lane_painter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <QHash>
#include <QSet>

#include "app/timeline/parts/label_recorder.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kNarrowestText = 5; ///< width of the narrowest digit
constexpr double kBeforeText = 4; ///< margin inside the bar
constexpr double kBehindText = 3;
/// Keeps items thinner than a pixel visible and clickable.
constexpr double kThinnestBar = 2;
constexpr double kThinnestMarker = 3;
/// Minimum space for a label that has to be elided.
constexpr double kNarrowestElided = 36;
/// An elided label with fewer characters says nothing.
constexpr qsizetype kFewestCharacters = 5;
constexpr double kSmallShare = 5.0 / 6; ///< size of the font for names of phases that do not fit otherwise
constexpr double kSmallTextMargin = 2; ///< left and right of a name in the smaller font
/// Markers of cache flushes of at least this width have their label inside.
constexpr double kWideMarker = 160;
/// Narrower bars, but for phases and markers, are painted in a stronger tone, so that they are visible.
constexpr double kNarrowBar = 6;

/// Steps and phases that are narrower than this on average are painted as one strip, because single bars
/// would look like a bar code, or make a moiré pattern. Steps then have strokes at round numbers.
constexpr double kNarrowestStepBar = 8;
constexpr double kNarrowestPhaseBar = 3;
/// Minimum distance between the numbers of narrow steps.
constexpr double kBetweenNumbers = 24;

double averageItemWidth(const LanePiece& whole)
{
    return (whole.right - whole.left) / static_cast<double>(whole.count);
}

/// Returns the smallest of 1, 2, 5, 10, 20, … steps that have the wanted width together.
int roundSpacing(double stepWidth, double wanted)
{
    int spacing = 1;
    for (int i = 0; spacing * stepWidth < wanted && spacing < 500'000'000; ++i)
        spacing = i % 3 == 1 ? spacing / 2 * 5 : spacing * 2;
    return spacing;
}

/// Returns 12 for "step 12 · 3.73 GiB" and "ProfilerStep#12 · …", or −1 if there is no number.
int stepNumber(const LaneItem& step)
{
    const std::string_view label = step.label;
    const std::string_view name = label.substr(0, label.find(" · "));
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    int number = -1;
    const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return error == std::errc() ? number : -1;
}

/// Returns the next step that may have a round number. Numbers ascend. If two steps are as far apart by
/// number as by position, no number between them is missing, so the steps between them can be skipped.
std::size_t nextRoundStep(const std::vector<LaneItem>& steps, std::size_t at, std::size_t end, int spacing)
{
    const int number = stepNumber(steps[at]);
    const int rise = spacing - std::max(number, 0) % spacing;
    const std::size_t next = at + static_cast<std::size_t>(rise);
    const bool follows = number >= 0 && next < end && stepNumber(steps[next]) == number + rise;
    return follows ? next : at + 1;
}

/// Returns a stronger tone for a bar that is too narrow to be seen in its own colour: darker, or lighter on a
/// dark background.
QColor strongTone(const QColor& fill, bool dark)
{
    const auto stronger
        = [dark](int channel) { return dark ? std::min(channel * 3 / 2, 255) : channel * 10 / 13; };
    return {stronger(fill.red()), stronger(fill.green()), stronger(fill.blue())};
}

/// Returns the short name of a phase, as in the code of many trainers; empty if it has none.
QString shortName(const QString& phase)
{
    static const QHash<QString, QString> kNames = {{QStringLiteral("forward"), QStringLiteral("fwd")},
        {QStringLiteral("backward"), QStringLiteral("bwd")},
        {QStringLiteral("optimizer"), QStringLiteral("opt")},
        {QStringLiteral("evaluation"), QStringLiteral("eval")},
        {QStringLiteral("generation"), QStringLiteral("gen")}};
    return kNames.value(phase);
}

/// Returns the room for a phase's name in the smaller font.
QRectF phaseRoom(const QRectF& bar, const QRectF& labelRoom)
{
    return bar.adjusted(kSmallTextMargin, 0, -kSmallTextMargin, 0).intersected(labelRoom);
}

QFont smallerFont(QFont font)
{
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(1, qRound(font.pixelSize() * kSmallShare)));
    else
        font.setPointSizeF(font.pointSizeF() * kSmallShare);
    return font;
}

bool isMarker(LaneKind kind)
{
    return kind == LaneKind::CacheFlushes || kind == LaneKind::OutOfMemory;
}

/// True if the label is next to the bar, not inside it.
bool hasLabelBeside(const LaneRow& row, const QRectF& bar)
{
    return row.kind == LaneKind::OutOfMemory
        || (row.kind == LaneKind::CacheFlushes && bar.width() < kWideMarker);
}

} // namespace

QRectF laneBar(const LaneRow& row, const LanePiece& piece, const QRect& where)
{
    const double thinnest = isMarker(row.kind) ? kThinnestMarker : kThinnestBar;
    const double edge = where.right() + 1;
    const double left = std::max<double>(where.left(), std::min(piece.left, edge - thinnest));
    // A line of background separates adjacent bars that are wide enough.
    const double right = std::min(piece.right - piece.left > 4 ? piece.right - 1 : piece.right, edge);
    return QRectF(left, where.top(), std::max(right - left, thinnest), where.height());
}

LanePainter::LanePainter(
    QPainter& painter, const ThemeColors& colors, TextCache& texts, TextCache& smallTexts)
    : m_painter(painter)
    , m_colors(colors)
    , m_texts(texts)
    , m_smallTexts(smallTexts)
{
    m_texts.setFont(painter.font());
    m_smallTexts.setFont(smallerFont(painter.font()));
}

QColor LanePainter::fillColor(const LaneRow& row, const LaneItem& item) const
{
    if (row.kind == LaneKind::OutOfMemory)
        return m_colors.danger;
    if (row.kind == LaneKind::CacheFlushes)
        return m_colors.reservedEdge;
    if (row.kind == LaneKind::Phases)
        return phaseColor(phaseFromText(item.label).value_or(Phase::Unknown), m_colors);
    if (row.kind == LaneKind::Steps || item.label.starts_with("ProfilerStep#"))
        return m_colors.hover;
    return m_colors.plainFill();
}

void LanePainter::paintText(
    const QString& text, const QRectF& where, const QColor& color, const QColor& background) const
{
    m_painter.setPen(color);
    m_texts.drawOn(
        m_painter, {where.left(), where.center().y() - m_texts.lineHeight() / 2.0}, text, background);
}

/// Paints a text on a fill, and records it for tests. `whole` is the text without shortening.
void LanePainter::paintInside(
    const QString& text, const QRectF& room, const QColor& fill, const QString& whole) const
{
    const QColor ink = m_colors.textOn(fill);
    paintText(text, room, ink, fill);
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({text, room, room, ink, fill, whole});
}

void LanePainter::paintName(const QString& name, const QRect& where) const
{
    const QString shown = m_texts.elidedTo(where.width(), name, Qt::ElideRight);
    const int left = where.right() + 1 - m_texts.width(shown);
    paintText(shown, QRectF(left, where.top(), m_texts.width(shown), where.height()), m_colors.quietText,
        m_colors.surface);
}

void LanePainter::paintNote(const QString& text, const QRect& where) const
{
    paintText(text, where.adjusted(0, 0, 2, 0), m_colors.quietText, m_colors.surface);
}

void LanePainter::paintRow(const LaneRow& row, const LaneView& view, const QRect& where) const
{
    const std::optional<LanePiece> whole = pieceInView(row, view.scale, view.area);
    if (!whole)
        return;
    m_painter.save();
    m_painter.setClipRect(where);
    const double itemWidth = averageItemWidth(*whole);
    const bool hasRoundNumbers = row.kind == LaneKind::Steps && itemWidth < lastNumberWidth(row, *whole) + 8;
    if ((hasRoundNumbers && itemWidth < kNarrowestStepBar)
        || (row.kind == LaneKind::Phases && itemWidth < kNarrowestPhaseBar))
        paintDense(row.kind, *whole, where);
    else
        paintPieces(row, lanePieces(row, view.scale, view.area), where, !hasRoundNumbers);
    if (hasRoundNumbers)
        paintRoundSteps(row, view, *whole, where);
    m_painter.restore();
}

/// Paints all items as one bar of one shade. The bar of phases says how many there are; the numbers of steps
/// are painted by `paintRoundSteps`.
void LanePainter::paintDense(LaneKind kind, const LanePiece& whole, const QRect& where) const
{
    const double left = std::max<double>(whole.left, where.left());
    const double right = std::min<double>(whole.right, where.right() + 1);
    const QRectF bar(left, where.top(), right - left, where.height());
    m_painter.fillRect(bar, m_colors.hover);
    if (kind != LaneKind::Steps)
        paintCount(kind, whole.count, bar, m_colors.hover);
}

/// Paints "1,000 phases" into a bar of items that are too narrow to be shown one by one, if there is room.
void LanePainter::paintCount(
    LaneKind kind, std::size_t itemCount, const QRectF& bar, const QColor& fill) const
{
    const QString text = countedKind(kind, itemCount);
    const QRectF room = bar.adjusted(kBeforeText, 0, -kBehindText, 0);
    if (m_texts.width(text) > room.width())
        return;
    paintInside(text, room, fill, text);
}

/// Chooses one spelling for each phase of a row: all whole names, or the short ones of all that have one.
QHash<QString, QString> LanePainter::phaseSpellings(
    const LaneRow& row, const std::vector<LanePiece>& pieces, const QRect& where) const
{
    QSet<QString> names;
    bool usesShortNames = false;
    for (const LanePiece& piece : pieces) {
        if (piece.count > 1)
            continue;
        const QString name = toQString(row.items[piece.first].label);
        const double room = phaseRoom(laneBar(row, piece, where), where).width();
        const QString shorter = shortName(name);
        usesShortNames = usesShortNames
            || (!shorter.isEmpty() && m_smallTexts.width(name) > room && m_smallTexts.width(shorter) <= room);
        names.insert(name);
    }
    QHash<QString, QString> spellings;
    for (const QString& name : names) {
        const QString shorter = usesShortNames ? shortName(name) : QString();
        spellings[name] = shorter.isEmpty() ? name : shorter;
    }
    return spellings;
}

void LanePainter::paintPieces(
    const LaneRow& row, const std::vector<LanePiece>& pieces, const QRect& where, bool hasLabels) const
{
    const QHash<QString, QString> spellings
        = row.kind == LaneKind::Phases ? phaseSpellings(row, pieces, where) : QHash<QString, QString>();
    double takenUntil = where.left();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const QRectF bar = laneBar(row, pieces[i], where);
        paintBar(bar, row, pieces[i], hasLabels ? QRectF(where) : QRectF(), spellings);
        const double next = i + 1 < pieces.size() ? pieces[i + 1].left : where.right();
        const QRectF room(takenUntil, bar.top(), next - takenUntil, bar.height());
        takenUntil = bar.right();
        if (hasLabelBeside(row, bar) && pieces[i].count == 1)
            takenUntil = paintLabelBeside(bar, toQString(row.items[pieces[i].first].label), room);
    }
}

/// Returns the width in pixels of the number of the last step in view, which is the largest.
int LanePainter::lastNumberWidth(const LaneRow& row, const LanePiece& whole) const
{
    return m_texts.width(QString::number(stepNumber(row.items[whole.first + whole.count - 1])));
}

/// Paints a stroke and the number at the start of every second, fifth, tenth, twentieth, … step, as close
/// together as the numbers fit.
void LanePainter::paintRoundSteps(
    const LaneRow& row, const LaneView& view, const LanePiece& whole, const QRect& where) const
{
    const int spacing = roundSpacing(averageItemWidth(whole), lastNumberWidth(row, whole) + kBetweenNumbers);
    const std::size_t end = whole.first + whole.count;
    for (std::size_t i = whole.first; i < end; i = nextRoundStep(row.items, i, end, spacing)) {
        const int number = stepNumber(row.items[i]);
        if (number < 0 || number % spacing != 0)
            continue;
        const double x = leftEdgeOf(row.items[i], view.scale, view.area);
        const QString text = QString::number(number);
        const QRectF room(x + 4, where.top(), m_texts.width(text) + 1, where.height());
        if (x < where.left() || room.right() > where.right())
            continue;
        m_painter.fillRect(room.adjusted(-4, 0, 3, 0), m_colors.hover);
        m_painter.fillRect(QRectF(x, where.top(), 1, where.height()), m_colors.reservedEdge);
        paintInside(text, room, m_colors.hover, text);
    }
}

/// Paints a bar, with its label inside both the bar and `labelRoom` if it fits.
void LanePainter::paintBar(const QRectF& bar, const LaneRow& row, const LanePiece& piece,
    const QRectF& labelRoom, const QHash<QString, QString>& spellings) const
{
    const QColor fill = fillColor(row, row.items[piece.first]);
    if (piece.isCrowd) {
        const bool isPhase = row.kind == LaneKind::Phases;
        const QColor tone = m_colors.contrast && !isPhase ? strongTone(fill, m_colors.dark) : fill;
        const QColor shade
            = QColor::fromRgb(mixed(tone.rgb() & 0xffffff, m_colors.surface.rgb() & 0xffffff, 0.5));
        m_painter.fillRect(bar, shade);
        paintCount(row.kind, piece.count, bar.intersected(labelRoom), shade);
        return;
    }
    const bool isNarrow = !isMarker(row.kind) && bar.width() < kNarrowBar;
    // The colour of a phase is its meaning.
    const bool isStrengthened = isNarrow && row.kind != LaneKind::Phases;
    m_painter.fillRect(bar, isStrengthened ? strongTone(fill, m_colors.dark) : fill);
    if (m_colors.contrast && !isMarker(row.kind) && row.kind != LaneKind::Steps && !isNarrow)
        paintOutline(bar);
    if (piece.count > 1 || hasLabelBeside(row, bar) || bar.width() < kNarrowestText)
        return;
    const QRectF room = bar.adjusted(kBeforeText, 0, -kBehindText, 0).intersected(labelRoom);
    if (room.width() < kNarrowestText)
        return;
    const QString label = toQString(row.items[piece.first].label);
    const QString spelling = spellings.value(label, label);
    const QString shown = longestFitting(row.kind, spelling, room.width());
    if (shown.isEmpty()) {
        if (row.kind == LaneKind::Phases)
            paintSmallPhase(spelling, label, phaseRoom(bar, labelRoom), fill);
        return;
    }
    paintInside(shown, room, fill, label);
}

/// Paints the spelling of a phase in a smaller font if it fits.
void LanePainter::paintSmallPhase(
    const QString& spelling, const QString& name, const QRectF& room, const QColor& fill) const
{
    const int width = m_smallTexts.width(spelling);
    if (spelling.isEmpty() || width > room.width())
        return;
    const QPointF at(room.left() + std::floor((room.width() - width) / 2),
        room.center().y() - m_smallTexts.lineHeight() / 2.0);
    const QColor ink = m_colors.textOn(fill);
    m_painter.setPen(ink);
    m_smallTexts.drawOn(m_painter, at, spelling, fill);
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({spelling, room, room, ink, fill, name});
}

void LanePainter::paintOutline(const QRectF& bar) const
{
    m_painter.setPen(m_colors.text);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(bar.toAlignedRect().adjusted(0, 0, -1, -1));
}

/// Returns the longest text that fits. A step has its name and peak, its name, or the last word of it; a
/// phase its name or nothing; another item as much as fits, without "aten::" and the like, unless that says
/// nothing. The tool tip has the full text.
QString LanePainter::longestFitting(LaneKind kind, const QString& label, double room) const
{
    if (m_texts.width(label) <= room)
        return label;
    if (kind == LaneKind::Steps) {
        const QString name = label.section(QStringLiteral(" · "), 0, 0);
        for (const QString& form : {name, name.section(QLatin1Char(' '), -1)})
            if (m_texts.width(form) <= room)
                return form;
        return {};
    }
    if (kind == LaneKind::Phases || room < kNarrowestElided)
        return {};
    const qsizetype scope = label.lastIndexOf(QLatin1String("::"));
    const QString own = scope < 0 ? label : label.mid(scope + 2);
    const QString shown = m_texts.elidedTo(static_cast<int>(room), own, Qt::ElideRight);
    return shown == own || shown.size() >= kFewestCharacters ? shown : QString();
}

/// Paints the label of a marker next to it if there is room. Returns the right edge of what is painted.
double LanePainter::paintLabelBeside(const QRectF& bar, const QString& label, const QRectF& room) const
{
    constexpr double gap = 5;
    const double width = m_texts.width(label) + 1;
    const bool toTheRight = bar.right() + 2 * gap + width <= room.right();
    const double left = toTheRight ? bar.right() + gap : bar.left() - gap - width;
    if (room.isEmpty() || left + width > room.right() || (!toTheRight && left - gap < room.left()))
        return bar.right();
    paintText(label, QRectF(left, bar.top(), width, bar.height()), m_colors.quietText, m_colors.surface);
    return std::max(bar.right(), left + width);
}

} // namespace highwater::gui
