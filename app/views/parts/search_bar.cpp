#include "app/views/parts/search_bar.h"

#include <utility>

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/base/text_format.h"

namespace highwater::gui {

SearchBar::SearchBar(AllocationSearch& search, const Selection& selection, QWidget* parent)
    : QFrame(parent)
    , m_search(search)
    , m_selection(selection)
    , m_field(new QLineEdit(this))
    , m_windows(new QComboBox(this))
    , m_answer(new QLabel(this))
{
    named(this, "searchBar", tr("Search"));
    makeField();
    makeWindows();
    named(m_answer, "searchAnswer", tr("Search result"));
    m_answer->setTextFormat(Qt::PlainText);
    // A long sentence must not widen the window.
    m_answer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_previous = makeButton(QStringLiteral("searchPrevious"), LineIcon::Up, tr("Previous match (Shift+F3)"),
        &SearchBar::goToPrevious);
    m_next = makeButton(
        QStringLiteral("searchNext"), LineIcon::Down, tr("Next match (F3)"), &SearchBar::goToNext);
    m_clear = makeButton(
        QStringLiteral("searchClear"), LineIcon::Close, tr("Clear search (Esc)"), &SearchBar::dismiss);
    layOut();
    connect(&m_search, &AllocationSearch::changed, this, &SearchBar::refresh);
    setColors(ThemeColors::light());
}

void SearchBar::makeField()
{
    named(m_field, "searchField", tr("Search for"),
        tr("Search stacks, size>=64MiB, /regex/\n"
           "Searches every stack frame and address; all conditions must hold.\n"
           "size>=64MiB, size<1GiB, life>100 (events), pool:nccl, /regular expression/\n"
           "Enter goes to the next match, Shift+Enter to the previous one, Esc clears the search."));
    m_field->setPlaceholderText(tr("Search stacks, size>=64MiB, /regex/"));
    m_field->setMinimumWidth(90);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, &m_search, &AllocationSearch::setText);
}

void SearchBar::makeWindows()
{
    named(m_windows, "searchWindow", tr("Where to search"),
        tr("Search the whole trace, or only allocations that are born or live in the events in view"));
    m_windows->addItem(tr("Anywhere"), static_cast<int>(FilterSpec::Window::Anywhere));
    m_windows->addItem(tr("Born in view"), static_cast<int>(FilterSpec::Window::BornIn));
    m_windows->addItem(tr("Live in view"), static_cast<int>(FilterSpec::Window::LiveIn));
    m_windows->installEventFilter(this);
    connect(m_windows, &QComboBox::currentIndexChanged, this,
        [this] { m_search.setWindow(static_cast<FilterSpec::Window>(m_windows->currentData().toInt())); });
}

QToolButton* SearchBar::makeButton(
    const QString& name, LineIcon icon, const QString& tip, void (SearchBar::*slot)())
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setIcon(lineIcon(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setProperty("flat", true);
    connect(button, &QToolButton::clicked, this, slot);
    return button;
}

void SearchBar::layOut()
{
    m_field->addAction(lineIcon(LineIcon::Search), QLineEdit::LeadingPosition);
    layRow(this, {{m_field, 5}, {m_answer, 4}, m_windows, m_previous, m_next, m_clear}, {{}, 4});
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SearchBar::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    refresh();
}

void SearchBar::focusField()
{
    if (!m_field->hasFocus())
        m_focusBefore = QApplication::focusWidget();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void SearchBar::refresh()
{
    if (m_field->text() != m_search.text())
        m_field->setText(m_search.text());
    m_windows->setCurrentIndex(m_windows->findData(static_cast<int>(m_search.window())));
    const bool hasMatches = m_search.result() && m_search.result()->count > 0;
    m_previous->setEnabled(hasMatches);
    m_next->setEnabled(hasMatches);
    m_clear->setEnabled(!m_search.text().isEmpty() || m_search.window() != FilterSpec::Window::Anywhere);
    for (QWidget* part : std::initializer_list<QWidget*>{m_answer, m_windows, m_previous, m_next, m_clear})
        part->setVisible(m_clear->isEnabled()); // otherwise the field takes the whole width
    showAnswer();
    if (m_search.isBusy())
        return;
    if (!m_search.result())
        m_lastMatch = AllocationSearch::kNone;
    step(std::exchange(m_awaitedStep, Step::None));
}

void SearchBar::showAnswer()
{
    QString text = m_search.error();
    QString tip = text;
    if (m_search.isBusy()) {
        text = tr("Searching…");
    } else if (const std::shared_ptr<const FilterResult> result = m_search.result()) {
        const auto total = static_cast<std::int64_t>(m_search.analysis()->allocations.size());
        const QString ofAll = tr("of %1").arg(countedText(total, "allocation", "allocations"));
        text = result->count == 0
            ? tr("None %1 matches").arg(ofAll)
            : tr("%1 %2 %3 · %4")
                  .arg(countText(result->count), ofAll, result->count == 1 ? tr("matches") : tr("match"),
                      amountText(*m_search.analysis(), result->bytes));
        tip = tr("%1 in total over all matches, whenever they lived")
                  .arg(QString::fromStdString(formatExactBytes(result->bytes)));
    }
    m_answer->setText(text);
    m_answer->setToolTip(tip);
    const QColor color = m_search.error().isEmpty() ? m_colors.quietText : m_colors.warning;
    m_answer->setStyleSheet(QStringLiteral("color: %1;").arg(color.name()));
}

void SearchBar::goToNext()
{
    step(Step::Next);
}

void SearchBar::goToPrevious()
{
    step(Step::Previous);
}

void SearchBar::step(Step step)
{
    if (step == Step::None)
        return;
    if (m_search.isBusy()) {
        m_awaitedStep = step;
        return;
    }
    const AllocationIndex from = m_selection.isPinned() ? m_selection.pinned() : m_lastMatch;
    const AllocationIndex to = step == Step::Next ? m_search.next(from) : m_search.previous(from);
    if (to == AllocationSearch::kNone)
        return;
    m_lastMatch = to;
    emit goTo(to);
}

void SearchBar::dismiss()
{
    m_awaitedStep = Step::None;
    m_search.clear();
    if (m_focusBefore)
        m_focusBefore->setFocus(Qt::OtherFocusReason);
    else if (QWidget* focused = QApplication::focusWidget(); focused && isAncestorOf(focused))
        focused->clearFocus();
    m_focusBefore = nullptr;
    emit dismissed();
}

/// True if Esc was pressed. The window uses Esc as a shortcut too, so this accepts the override event, which
/// gives the key to the bar.
bool SearchBar::isEscape(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return false;
    }
    return event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
}

bool SearchBar::isEnter(QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event)
{
    if (isEscape(event)) {
        dismiss();
        return true;
    }
    if (watched == m_field && isEnter(event)) {
        step(static_cast<QKeyEvent*>(event)->modifiers() & Qt::ShiftModifier ? Step::Previous : Step::Next);
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace highwater::gui
