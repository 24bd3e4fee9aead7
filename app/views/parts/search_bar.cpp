#include "app/views/parts/search_bar.h"

#include <utility>

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <QToolTip>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/line_icon.h"
#include "app/views/parts/search_hits.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/usage/address_owners.h"
#include "core/base/text_format.h"

namespace highwater::gui {

SearchBar::SearchBar(AllocationSearch& search, const Selection& selection, QWidget* parent)
    : QFrame(parent)
    , m_search(search)
    , m_selection(selection)
    , m_field(new QLineEdit(this))
    , m_tail(new QWidget(m_field))
    , m_count(makeButton(QStringLiteral("searchCount"), tr("List the matches"), &SearchBar::listHits))
    , m_hits(new SearchHits(search, this))
{
    named(this, "searchBar", tr("Search"));
    makeField();
    m_list = makeButton(
        QStringLiteral("searchList"), tr("List the matches, the largest first (Down)"), &SearchBar::listHits);
    m_list->setText(tr("List"));
    m_previous = makeButton(
        QStringLiteral("searchPrevious"), tr("Previous, larger match (Shift+F3)"), &SearchBar::goToPrevious);
    m_previous->setIcon(lineIcon(LineIcon::Up));
    m_next = makeButton(QStringLiteral("searchNext"), tr("Next smaller match (F3)"), &SearchBar::goToNext);
    m_next->setIcon(lineIcon(LineIcon::Down));
    m_clear = makeButton(QStringLiteral("searchClear"), tr("Clear search (Esc)"), &SearchBar::dismiss);
    m_clear->setIcon(lineIcon(LineIcon::Close));
    layOut();
    connect(&m_search, &AllocationSearch::changed, this, &SearchBar::refresh);
    setColors(ThemeColors::light());
}

void SearchBar::makeField()
{
    named(m_field, "searchField", tr("Search for"),
        tr("Search stacks and notes: model.py, size > 64 MiB, category:activation\n"
           "Enter: largest match, then the next smaller one, Shift+Enter: back, Down: list, Esc: clear"));
    m_field->setPlaceholderText(tr("model.py, size > 64 MiB, category:activation"));
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, &m_search, &AllocationSearch::setText);
}

QToolButton* SearchBar::makeButton(const QString& name, const QString& tip, void (SearchBar::*slot)())
{
    auto* button = new QToolButton(m_tail);
    button->setObjectName(name);
    button->setCursor(Qt::ArrowCursor); // not the field's
    button->setFocusPolicy(Qt::NoFocus); // the keyboard stays in the field
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setProperty("flat", true);
    connect(button, &QToolButton::clicked, this, slot);
    return button;
}

void SearchBar::layOut()
{
    m_field->addAction(lineIcon(LineIcon::Search), QLineEdit::LeadingPosition);
    layRow(m_tail, {m_count, m_list, m_previous, m_next, m_clear}, {{}, 0});
    layRow(this, {{m_field, 1}});
    m_field->setMinimumWidth(kLeastWidth);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_hits, &SearchHits::chosen, this, &SearchBar::visit);
    connect(m_hits, &SearchHits::noteChosen, this, &SearchBar::noteRequested);
}

QSize SearchBar::sizeHint() const
{
    return {kLeastWidth, m_field->sizeHint().height()};
}

void SearchBar::listHits()
{
    m_hits->isVisible() ? m_hits->leave() : m_hits->openBelow(*m_field, matchOnScreen());
}

/// Places the widgets inside the field and keeps its text clear of them. An error is cut to half of the
/// field's width. Without an error, "Clear" and "Previous" are hidden where less than kLeastText would be
/// left.
void SearchBar::layOutField()
{
    constexpr int margin = 3;
    const bool isError = !m_search.error().isEmpty();
    const QString text = m_count->property("text whole").toString();
    const int most = isError ? m_field->width() / 2 : m_field->width();
    m_count->setText(shortenedTo(most, text, m_count->fontMetrics()));
    for (QToolButton* button : {m_clear, m_previous})
        button->show();
    for (QToolButton* button : {m_clear, m_previous}) { // Esc and Shift+F3 do the same
        m_tail->adjustSize();
        button->setVisible(isError || m_field->width() - m_tail->width() >= kLeastText);
    }
    m_tail->adjustSize();
    const int width = m_tail->isVisibleTo(m_field) ? m_tail->width() : 0;
    m_tail->move(m_field->width() - width - margin, (m_field->height() - m_tail->height()) / 2);
    m_field->setTextMargins(0, 0, width, 0);
}

void SearchBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    layout()->activate();
    layOutField();
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
    const bool hasMatches = m_search.result() && m_search.result()->count > 0;
    m_previous->setEnabled(hasMatches);
    m_next->setEnabled(hasMatches);
    m_list->setVisible(hasMatches || !m_hits->notes().empty());
    m_clear->setEnabled(!m_search.text().isEmpty() || m_search.window() != FilterSpec::Window::Anywhere);
    m_tail->setVisible(m_clear->isEnabled());
    findNotes();
    m_hits->refresh();
    showCount();
    if (m_search.isBusy())
        return;
    const bool isOtherSearch = m_search.result() && m_steppedText != m_search.text();
    if (!m_clear->isEnabled() || (isOtherSearch && m_search.numberOf(m_lastMatch) == 0))
        leaveMatch();
    step(std::exchange(m_awaitedStep, Step::None));
}

/// Forgets the match that the last step led to, since the search has ended or does not find it any more. What
/// the user pinned since stays.
void SearchBar::leaveMatch()
{
    const AllocationIndex match = std::exchange(m_lastMatch, AllocationSearch::kNone);
    m_steppedText.clear();
    if (match != AllocationSearch::kNone && match == m_selection.pinned())
        emit matchLeft();
}

/// Shows "3 of 332", "332" before the first match is shown, "none found", or the error; the tool tip says
/// more.
void SearchBar::showCount()
{
    QString text = m_search.error();
    QString tip = text;
    if (m_search.isBusy()) {
        text = tr("…");
    } else if (const std::shared_ptr<const FilterResult> result = m_search.result()) {
        const std::int64_t number = m_search.numberOf(matchOnScreen());
        text = result->count == 0 ? tr("none found")
            : number > 0          ? tr("%1 of %2").arg(countText(number), countText(result->count))
                                  : countText(result->count);
        if (const auto noteCount = static_cast<std::int64_t>(m_hits->notes().size()); noteCount > 0)
            text = result->count == 0 ? countedText(noteCount, "note", "notes")
                                      : tr("%1 · %2").arg(text, countedText(noteCount, "note", "notes"));
        tip = result->count == 0
            ? tr("%1. Search for model.py, size > 64 MiB, category:activation").arg(answerText(m_search))
            : tr("%1\n%2 in total over all matches, whenever they were in use\nClick to list them")
                  .arg(answerText(m_search), QString::fromStdString(formatExactBytes(result->bytes)));
    }
    m_count->setProperty("text whole", text);
    m_count->setToolTip(tip.isEmpty() ? tr("List the matches") : tip);
    const QColor color = m_search.error().isEmpty() ? m_colors.quietText : m_colors.warning;
    m_count->setStyleSheet(QStringLiteral("color: %1;").arg(color.name()));
    layOutField();
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
    const AllocationIndex match = matchFrom(step);
    if (match == AllocationSearch::kNone)
        return goToNoteOrSay();
    visit(match);
}

void SearchBar::visit(AllocationIndex match)
{
    m_lastMatch = match;
    m_steppedText = m_search.text();
    emit goTo(match);
    showCount();
}

/// Returns the match that a step leads to; kNone if nothing matches. The first step of a search starts at the
/// largest match, or at the owner of the searched address.
AllocationIndex SearchBar::matchFrom(Step step) const
{
    const AllocationIndex current
        = m_steppedText == m_search.text() ? matchOnScreen() : AllocationSearch::kNone;
    if (current == AllocationSearch::kNone)
        if (const AllocationIndex owner = ownerAtMoment(); owner != AllocationSearch::kNone)
            return owner;
    return step == Step::Next ? m_search.next(current) : m_search.previous(current);
}

/// Returns the allocation that contains the searched address at the chosen moment; kNone if there is none.
/// Most owners of an address lived at other times. O(allocations).
AllocationIndex SearchBar::ownerAtMoment() const
{
    const std::optional<Address> address = addressFromText(m_search.text().toStdString());
    if (!address || !m_search.result() || !m_search.analysis() || !m_selection.cursor())
        return AllocationSearch::kNone;
    const AllocationTable& allocations = m_search.analysis()->allocations;
    return ownerAt(allocations, AddressOwners(allocations).of(*address), *m_selection.cursor());
}

/// Returns the pinned allocation if it matches, else the match of the last step; kNone if neither matches.
AllocationIndex SearchBar::matchOnScreen() const
{
    for (const AllocationIndex match : {m_selection.pinned(), m_lastMatch})
        if (m_search.numberOf(match) > 0)
            return match;
    return AllocationSearch::kNone;
}

/// Goes to the first note that matches, since no allocation does; or says below the field why there is
/// nowhere to go. Without a search, the keyboard goes to the field.
void SearchBar::goToNoteOrSay()
{
    if (!m_hits->notes().empty()) {
        emit noteRequested(m_hits->notes().front().first);
        return;
    }
    const QString answer = answerText(m_search);
    if (answer.isEmpty())
        focusField();
    else
        QToolTip::showText(m_field->mapToGlobal(QPoint(0, m_field->height())), answer, m_field);
}

void SearchBar::setNotes(const Notes& notes)
{
    m_notes.clear();
    for (const Note& note : notes)
        m_notes.emplace_back(
            titleOf(note), (toQString(note.title) + QLatin1Char('\n') + linesToQString(note.text)).toLower());
    findNotes();
}

/// Finds the notes that contain the text in the field.
void SearchBar::findNotes()
{
    const QString wanted = m_field->text().trimmed().toLower();
    std::vector<SearchHits::FoundNote> found;
    for (std::size_t i = 0; i < m_notes.size() && !wanted.isEmpty(); ++i)
        if (m_notes[i].second.contains(wanted))
            found.emplace_back(static_cast<int>(i), m_notes[i].first);
    m_hits->setNotes(std::move(found));
}

void SearchBar::dismiss()
{
    m_awaitedStep = Step::None;
    m_hits->hide();
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
    const bool isDown = watched == m_field && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down;
    if (isDown && m_tail->isVisible()) {
        m_hits->openBelow(*m_field, matchOnScreen());
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace highwater::gui
