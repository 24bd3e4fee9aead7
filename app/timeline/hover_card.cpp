#include "app/timeline/hover_card.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QPainter>

#include "app/timeline/parts/label_recorder.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

constexpr int kCardMargin = 10;
constexpr int kCardRows = 5;
constexpr int kGroupRow = 1;
constexpr int kHintRow = kCardRows - 1;
constexpr int kCardSwatch = 9;
constexpr int kNarrowest = 268;
constexpr int kWidest = 480;
constexpr double kClearAirReach = 320; ///< distance from the pointer in which free space is searched for
constexpr double kPointerGap = 14;
constexpr double kStepAcross = 24; ///< distance between two places that are tried
constexpr double kStepDown = 12;
/// Counting more allocations takes too long for the GUI thread.
constexpr std::size_t kCountedAtOnce = 50'000;

struct GroupFigures
{
    Bytes bytes = 0;
    std::int64_t count = 0;
};

/// Returns the figures of the allocation's band right after the event, or of its call site if each allocation
/// is a band. O(live allocations).
GroupFigures bandFigures(const BandRequest& request, AllocationIndex allocation, std::int64_t event)
{
    const DeviceAnalysis& analysis = *request.analysis;
    const BandGroups* groups = request.stacking.get();
    const auto bandOf = [&](AllocationIndex i) {
        return groups ? std::uint32_t{groups->rankAt(i, event)} : analysis.sites.of(i).value();
    };
    const std::uint32_t wanted = bandOf(allocation);
    std::vector<AllocationIndex> live;
    analysis.live.liveAt(event, live);
    GroupFigures figures;
    for (const AllocationIndex i : live)
        if (bandOf(i) == wanted) {
            figures.bytes += analysis.allocations.bytes(i);
            ++figures.count;
        }
    return figures;
}

/// Returns "never freed" or "lived 12 events, 3 ms"; the time only if both ends were recorded with times.
QString lifeText(const DeviceAnalysis& analysis, AllocationIndex i)
{
    const std::int64_t birth = analysis.allocations.birth(i);
    const std::int64_t death = analysis.allocations.death(i);
    if (death == AllocationTable::kNeverFreed)
        return HoverCard::tr("never freed");
    QString text = HoverCard::tr("lived %1")
                       .arg(countedText(death - std::max<std::int64_t>(birth, 0), "event", "events"));
    if (birth >= 0 && analysis.trace->hasTimes(analysis.device)) {
        const EventScale& times = analysis.scale(AxisKind::Time);
        const double lasted = times.positionOf(death) - times.positionOf(birth);
        text += QStringLiteral(", ") + toQString(formatDuration(static_cast<Nanoseconds>(lasted)));
    }
    return text;
}

} // namespace

HoverCard::HoverCard(QWidget* plot)
    : QWidget(plot)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("hoverCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void HoverCard::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

void HoverCard::show(
    const std::shared_ptr<const BandImage>& image, AllocationIndex allocation, std::int64_t event)
{
    const bool isSame = m_image == image && m_allocation == allocation && m_event == event;
    m_image = image;
    m_allocation = allocation;
    m_event = event;
    if (!isSame) {
        describe();
        countBand();
        fitSize();
        update();
    }
    setVisible(true);
    raise();
}

void HoverCard::describe()
{
    const DeviceAnalysis& analysis = *m_image->request.analysis;
    const BandGroups* groups = m_image->request.stacking.get();
    const std::int64_t birth = analysis.allocations.birth(m_allocation);
    const bool isKept = analysis.keptBlocks->isKept(m_allocation, m_event);
    const QString site = toQString(analysis.sites.site(analysis.sites.of(m_allocation)).label);
    const QString group
        = groups ? toQString(groups->groups[groups->rankAt(m_allocation, m_event)].label) : site;
    m_facts = {};
    m_facts.title = group;
    m_facts.category = QStringLiteral("%1, %2").arg(toQString(titleOf(analysis.categories.of(m_allocation))),
        toQString(inWords(analysis.categories.gradeOf(m_allocation))));
    m_facts.bytes = (isKept ? tr("Here %1, kept") : tr("Here %1"))
                        .arg(bytesText(analysis.allocations.bytes(m_allocation)));
    if (group != site)
        m_facts.bytes += QStringLiteral(" · ") + site;
    m_facts.born
        = birth < 0 ? tr("allocated before recording began") : tr("allocated at %1").arg(eventText(birth));
    if (const auto step = birth < 0 ? std::nullopt : analysis.steps.stepOf(birth);
        step && analysis.steps.source != StepSource::Whole)
        m_facts.born += QStringLiteral(", ") + toQString(analysis.steps.steps[*step].name);
    m_facts.life = lifeText(analysis, m_allocation);
    if (const Phase phase = birth < 0 ? Phase::Unknown : analysis.phases.at(birth); phase != Phase::Unknown)
        m_facts.born += QStringLiteral(", ") + toQString(toText(phase));
}

void HoverCard::countBand()
{
    const BandGroups* groups = m_image->request.stacking.get();
    const bool isKeptBand = groups && groups->groups[groups->rankAt(m_allocation, m_event)].isKept;
    const auto showFigures = [this, isKeptBand](const GroupFigures& figures) {
        m_facts.group
            = (isKeptBand ? tr("%1 kept in %2") : tr("%1 in %2"))
                  .arg(bytesText(figures.bytes), countedText(figures.count, "allocation", "allocations"));
        update();
    };
    m_countTask.drop();
    if (m_image->request.analysis->allocations.size() <= kCountedAtOnce) {
        showFigures(bandFigures(m_image->request, m_allocation, m_event));
        return;
    }
    m_countTask.run(
        [showFigures, image = m_image, allocation = m_allocation, event = m_event]() -> LatestTask::Delivery {
            return [showFigures, figures = bandFigures(image->request, allocation, event)] {
                showFigures(figures);
            };
        });
}

void HoverCard::setFonts()
{
    QFont bold = font();
    bold.setBold(true);
    m_bold.setFont(bold);
    m_plain.setFont(font());
}

void HoverCard::fitSize()
{
    setFonts();
    const int title = m_bold.width(m_facts.title) + kCardSwatch + 6;
    const int group = m_plain.width(
        tr("%1 kept in %2").arg(QStringLiteral("1,023.99 GiB"), QStringLiteral("100,000 allocations")));
    const int rows = std::max({group, m_plain.width(m_facts.bytes) + m_plain.width(m_facts.category),
                         m_plain.width(m_facts.born) + m_plain.width(m_facts.life)})
        + 16;
    const int width = std::clamp(std::max(title, rows) + 2 * kCardMargin, kNarrowest, kWidest);
    resize(width, 2 * kCardMargin + kCardRows * lineHeight() + 6);
}

/// Returns the first place next to the pointer that is in the area and covers no label, else the first one in
/// the area, else one at the top of the area.
QRectF HoverCard::besidePointer(
    const QPointF& pointer, const QRectF& area, const IsUnlabelled& isFreeOfLabels) const
{
    const double right = pointer.x() + kPointerGap;
    const double left = pointer.x() - kPointerGap - width();
    const double below = pointer.y() + kPointerGap;
    const double above = pointer.y() - kPointerGap - height();
    std::optional<QRectF> firstFitting;
    for (const QPointF corner :
        {QPointF(right, below), QPointF(left, below), QPointF(right, above), QPointF(left, above)}) {
        const QRectF place(corner, QSizeF(width(), height()));
        if (!area.contains(place))
            continue;
        if (isFreeOfLabels(place))
            return place;
        firstFitting = firstFitting.value_or(place);
    }
    const double inside = right + width() <= area.right() ? right : std::max(left, area.left());
    return firstFitting.value_or(QRectF(QPointF(inside, area.top()), QSizeF(width(), height())));
}

void HoverCard::moveNear(const QPointF& pointer, const QRectF& area, const ClearRows& clearRows,
    const IsUnlabelled& isFreeOfLabels)
{
    const QSizeF size(width(), height());
    std::optional<QRectF> nearestPlace;
    double smallestSquaredDistance = kClearAirReach * kClearAirReach;
    const double left = std::max(area.left(), pointer.x() - kClearAirReach - size.width());
    const double right = std::min(area.right() - size.width(), pointer.x() + kClearAirReach);
    for (double x = left; x <= right; x += kStepAcross) {
        const auto [top, bottom] = clearRows(x, x + size.width());
        const double dx = std::max({x - pointer.x(), pointer.x() - x - size.width(), 0.0});
        const double first = std::max({area.top(), top, pointer.y() - kClearAirReach - size.height()});
        const double last
            = std::min({area.bottom(), bottom, pointer.y() + kClearAirReach + size.height()}) - size.height();
        for (double y = first; y <= last; y += kStepDown) {
            const double dy = std::max({y - pointer.y(), pointer.y() - y - size.height(), 0.0});
            const QRectF place(QPointF(x, y), size);
            if (dx * dx + dy * dy < smallestSquaredDistance && (dx > kPointerGap || dy > kPointerGap)
                && isFreeOfLabels(place)) {
                smallestSquaredDistance = dx * dx + dy * dy;
                nearestPlace = place;
            }
        }
    }
    if (!nearestPlace)
        nearestPlace = besidePointer(pointer, area, isFreeOfLabels);
    move(nearestPlace->topLeft().toPoint());
}

void HoverCard::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_image)
        fitSize();
}

QColor HoverCard::swatchColor() const
{
    const BandRequest& request = m_image->request;
    const bool isKept = request.keptFrom(m_allocation) <= m_event;
    return QColor::fromRgb(request.palette->shade(m_allocation, {request.dark, request.contrast}, isKept));
}

void HoverCard::paintText(QPainter& painter, TextCache& texts, const QRect& where, const QString& text,
    const QColor& ink, bool isRepeated) const
{
    const QString shown = texts.elidedTo(where.width(), text);
    const QPoint place(where.left(), where.top() + (where.height() - texts.lineHeight()) / 2);
    painter.setPen(ink);
    if (isRepeated)
        texts.drawOn(painter, place, shown, m_colors.surface);
    else
        texts.draw(painter, place, shown);
    if (LabelRecorder* recorder = LabelRecorder::current(); recorder && !shown.isEmpty()) {
        const QRect rect(place + geometry().topLeft(), QSize(texts.width(shown), texts.lineHeight()));
        recorder->record({shown, rect, QRectF(geometry()), ink, m_colors.surface, shown});
    }
}

void HoverCard::paintRow(QPainter& painter, int row, const QString& left, const QString& right) const
{
    const int top = kCardMargin + row * lineHeight() + (row > 1 ? 6 : 0);
    const QRect where(kCardMargin, top, width() - 2 * kCardMargin, lineHeight());
    const int rightWidth = std::min(m_plain.width(right), where.width());
    const bool isRepeated = row == kGroupRow || row == kHintRow;
    paintText(painter, m_plain, where.adjusted(0, 0, right.isEmpty() ? 0 : -rightWidth - 8, 0), left,
        row == kHintRow || row == 3 ? m_colors.quietText : m_colors.text, isRepeated);
    if (!right.isEmpty())
        paintText(painter, m_plain, where.adjusted(where.width() - rightWidth, 0, 0, 0), right,
            m_colors.quietText, isRepeated);
}

void HoverCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.reservedEdge);
    painter.fillRect(rect().adjusted(1, 1, -1, -1), m_colors.surface);
    painter.fillRect(
        QRect(kCardMargin, kCardMargin + (lineHeight() - kCardSwatch) / 2, kCardSwatch, kCardSwatch),
        swatchColor());
    paintText(painter, m_bold,
        QRect(kCardMargin + kCardSwatch + 6, kCardMargin, width() - 2 * kCardMargin - kCardSwatch - 6,
            lineHeight()),
        m_facts.title, m_colors.text, false);
    paintRow(painter, kGroupRow, m_facts.group, {});
    const int line = kCardMargin + 2 * lineHeight() + 3;
    painter.fillRect(kCardMargin, line, width() - 2 * kCardMargin + 1, 1, m_colors.border);
    paintRow(painter, 2, m_facts.bytes, m_facts.category);
    paintRow(painter, 3, m_facts.born, m_facts.life);
    paintRow(painter, kHintRow, tr("Click to pin, double-click to zoom"), {});
}

} // namespace highwater::gui
