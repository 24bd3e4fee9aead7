#include "app/views/parts/search_hits.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

constexpr int kListWidth = 460;
constexpr int kListHeight = 320;
constexpr int kLeastListHeight = 120;
constexpr int kNoteRole = Qt::UserRole + 1;

/// Returns "forward (model.py:39) · 36 MiB · step 3".
QString hitText(const DeviceAnalysis& analysis, AllocationIndex allocation)
{
    const std::int64_t birth = analysis.allocations.birth(allocation);
    const auto step = birth < 0 ? std::nullopt : analysis.steps.stepOf(birth);
    const QString moment = birth < 0 ? SearchHits::tr("before recording")
        : step && analysis.steps.source != StepSource::Whole
        ? toQString(analysis.steps.steps[*step].name)
        : SearchHits::tr("event %1").arg(countText(birth));
    return QStringLiteral("%1 · %2 · %3")
        .arg(toQString(analysis.sites.site(analysis.sites.of(allocation)).label),
            bytesText(analysis.allocations.bytes(allocation)), moment);
}

/// Returns the words of a search that are no conditions, if it has conditions too: they may be meant as a
/// part of one, such as a unit.
QString textBesideConditions(const QString& search)
{
    Result<FilterSpec> spec = parseFilter(search.toStdString());
    if (!spec)
        return {};
    const std::string text = std::exchange(spec->text, {});
    return spec->isEmpty() ? QString() : toQString(text);
}

/// Returns "None of 5,212 allocations matches", and how words next to a condition were understood.
QString nothingFoundText(const QString& search, const QString& ofAll)
{
    const QString none = SearchHits::tr("None %1 matches").arg(ofAll);
    const QString text = textBesideConditions(search);
    return text.isEmpty()
        ? none
        : SearchHits::tr("%1. “%2” was searched for in stacks; it is not part of a condition")
              .arg(none, text);
}

} // namespace

QString answerText(const AllocationSearch& search)
{
    if (!search.error().isEmpty())
        return search.error();
    if (search.isBusy())
        return SearchHits::tr("Searching…");
    const std::shared_ptr<const FilterResult> result = search.result();
    if (!result)
        return {};
    const auto total = static_cast<std::int64_t>(search.analysis()->allocations.size());
    const QString ofAll = SearchHits::tr("of %1").arg(countedText(total, "allocation", "allocations"));
    return result->count == 0
        ? nothingFoundText(search.text(), ofAll)
        : SearchHits::tr("%1 %2 %3 · %4")
              .arg(countText(result->count), ofAll,
                  result->count == 1 ? SearchHits::tr("matches") : SearchHits::tr("match"),
                  amountText(*search.analysis(), result->bytes));
}

std::vector<AllocationIndex> largestMatches(
    const AllocationTable& allocations, const FilterResult& result, std::size_t most)
{
    std::vector<AllocationIndex> matches;
    for (std::size_t i = 0; i < result.matches.size(); ++i)
        if (result.matches[i])
            matches.push_back(static_cast<AllocationIndex>(i));
    const auto end = matches.begin() + static_cast<std::ptrdiff_t>(std::min(most, matches.size()));
    std::partial_sort(matches.begin(), end, matches.end(),
        [&](AllocationIndex a, AllocationIndex b) { return isLarger(allocations, a, b); });
    matches.erase(end, matches.end());
    return matches;
}

SearchHits::SearchHits(AllocationSearch& search, QWidget* parent)
    : QFrame(parent)
    , m_search(search)
    , m_answer(named(new QLabel(this), "searchAnswer", tr("Search result")))
    , m_eventWindows(named(new QComboBox(this), "searchWindow", tr("Where to search"),
          tr("Search the whole trace, or only allocations made or in use in the events in view")))
    , m_list(named(new QListWidget(this), "searchHits", tr("Largest matches"), tr("Go to this allocation")))
{
    hide();
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    // Otherwise a press on the list would also be one beside it, which closes it.
    setAttribute(Qt::WA_NoMousePropagation);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (now && !isPart(now))
            hide();
    });
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setWordWrap(true);
    m_eventWindows->addItem(tr("Anywhere"), static_cast<int>(FilterSpec::Window::Anywhere));
    m_eventWindows->addItem(tr("Allocated in view"), static_cast<int>(FilterSpec::Window::BornIn));
    m_eventWindows->addItem(tr("In use in view"), static_cast<int>(FilterSpec::Window::LiveIn));
    layColumn(this, {m_answer, m_eventWindows, {m_list, 1}}, {{10, 8, 10, 10}, 6});
    connect(m_eventWindows, &QComboBox::currentIndexChanged, this, [this] {
        m_search.setWindow(static_cast<FilterSpec::Window>(m_eventWindows->currentData().toInt()));
    });
    connect(m_list, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        if (const QVariant note = item->data(kNoteRole); note.isValid())
            emit noteChosen(note.toInt());
        else
            emit chosen(static_cast<AllocationIndex>(item->data(Qt::UserRole).toUInt()));
    });
    connect(m_list, &QListWidget::itemClicked, m_list, &QListWidget::itemActivated);
}

void SearchHits::openBelow(QWidget& field, AllocationIndex onScreen)
{
    m_field = &field;
    m_onScreen = onScreen;
    setParent(field.window());
    const QPoint corner = field.mapTo(parentWidget(), QPoint(field.width(), field.height() + 2));
    const int room = parentWidget()->height() - corner.y();
    resize(std::max(kListWidth, field.width()), std::clamp(room, kLeastListHeight, kListHeight));
    move(std::max(0, corner.x() - width()), corner.y());
    show();
    raise();
    m_list->setFocus();
}

void SearchHits::leave()
{
    if (m_field && isAncestorOf(QApplication::focusWidget()))
        m_field->setFocus();
    hide();
}

void SearchHits::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    qApp->installEventFilter(this);
    refresh();
}

void SearchHits::hideEvent(QHideEvent* event)
{
    qApp->removeEventFilter(this);
    QFrame::hideEvent(event);
}

/// True for the list, the field and their parts, also for the drop-down list of a part.
bool SearchHits::isPart(const QObject* object) const
{
    while (object && object != this && object != m_field)
        object = object->parent();
    return object != nullptr;
}

/// Closes the list on a press beside it, when its window gets another size and when the field is hidden; the
/// event still does its work.
bool SearchHits::eventFilter(QObject* watched, QEvent* event)
{
    const bool isPress = event->type() == QEvent::MouseButtonPress && watched->isWidgetType();
    const bool isParentResized = event->type() == QEvent::Resize && watched == parentWidget();
    const bool isFieldHidden = event->type() == QEvent::Hide && watched == m_field;
    if ((isPress && !isPart(watched)) || isParentResized || isFieldHidden) {
        leave();
        return false;
    }
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    return isKey && watched->isWidgetType() && isAncestorOf(static_cast<QWidget*>(watched))
        && takeKey(*event);
}

/// Closes the list on Esc. Keeps typed characters from the window's commands: in the list they go to the
/// entry that begins with them.
bool SearchHits::takeKey(QEvent& event)
{
    const auto& key = static_cast<QKeyEvent&>(event);
    const bool isEscape = key.key() == Qt::Key_Escape;
    if (event.type() == QEvent::KeyPress) {
        if (isEscape)
            leave();
        return isEscape;
    }
    constexpr Qt::KeyboardModifiers kCommand = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    const bool isForList = isEscape || (!key.text().isEmpty() && !(key.modifiers() & kCommand));
    if (isForList)
        event.accept();
    return isForList;
}

void SearchHits::refresh()
{
    const bool hasSeveral = !m_search.isBusy() && m_search.result() && m_search.result()->count > 1;
    m_answer->setText(answerText(m_search) + (hasSeveral ? tr(", largest first") : QString()));
    m_eventWindows->setCurrentIndex(m_eventWindows->findData(static_cast<int>(m_search.window())));
    if (isVisible() && !m_search.isBusy())
        fillList();
}

void SearchHits::fillList()
{
    m_list->clear();
    for (const auto& [index, title] : m_notes) {
        auto* item = new QListWidgetItem(tr("Note %1: %2").arg(index + 1).arg(title), m_list);
        item->setData(kNoteRole, index);
    }
    if (!m_search.result())
        return;
    const DeviceAnalysis& analysis = *m_search.analysis();
    for (const AllocationIndex allocation :
        largestMatches(analysis.allocations, *m_search.result(), kMaxHits)) {
        auto* item = new QListWidgetItem(hitText(analysis, allocation), m_list);
        item->setData(Qt::UserRole, static_cast<uint>(allocation));
    }
    if (m_search.result()->count > static_cast<std::int64_t>(kMaxHits)) {
        auto* rest = new QListWidgetItem(tr("The largest %1 matches are listed").arg(kMaxHits), m_list);
        rest->setFlags(Qt::NoItemFlags);
    }
    selectMatchOnScreen();
}

void SearchHits::selectMatchOnScreen()
{
    if (m_onScreen == AllocationSearch::kNone)
        return;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        if (item->data(Qt::UserRole) != QVariant(static_cast<uint>(m_onScreen)))
            continue;
        m_list->setCurrentItem(item);
        m_list->scrollToItem(item, QAbstractItemView::PositionAtCenter);
    }
}

} // namespace highwater::gui
