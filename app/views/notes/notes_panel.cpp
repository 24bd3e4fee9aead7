#include "app/views/notes/notes_panel.h"

#include <algorithm>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QToolButton>

#include "app/models/note_model.h"
#include "app/views/notes/note_editor.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 8;
constexpr int kLineGap = 2;
} // namespace

/// Draws a note in two lines: its number on its colour and its title, then its place, cut in the middle so
/// that the line in the code stays.
class NoteDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {120, 2 * option.fontMetrics.height() + kLineGap + kMargin + 2};
    }

private:
    ThemeColors m_colors = ThemeColors::light();
};

void NoteDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    const QString title = row.text;
    row.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);

    QFont bold = row.font;
    bold.setBold(true);
    const QString number = QString::number(index.row() + 1);
    const QFontMetrics metrics(bold);
    const QRect room = row.rect.adjusted(kMargin, kMargin / 2, -kMargin, -kMargin / 2);
    const QSizeF badge = badgeSize(QFontMetricsF(bold), number);
    painter->save();
    painter->setFont(row.font);
    paintBadge(
        *painter, QRectF(room.topLeft(), badge), number, index.data(NoteModel::kColorRole).value<QColor>());
    const int left = room.left() + qCeil(badge.width()) + kMargin;
    const QRect first(left, room.top(), room.right() - left, metrics.height());
    painter->setFont(bold);
    painter->setPen(m_colors.text);
    painter->drawText(first, Qt::AlignVCenter, metrics.elidedText(title, Qt::ElideRight, first.width()));
    const QRect second = first.translated(0, metrics.height() + kLineGap);
    painter->setFont(row.font);
    painter->setPen(m_colors.quietText);
    painter->drawText(second, Qt::AlignVCenter,
        QFontMetrics(row.font).elidedText(
            index.data(NoteModel::kPlaceRole).toString(), Qt::ElideMiddle, second.width()));
    painter->restore();
}

NotesPanel::NotesPanel(NoteList& list, const NoteContext& context, QWidget* parent)
    : QWidget(parent)
    , m_notes(list)
    , m_context(context)
    , m_model(new NoteModel(list, context, this))
    , m_delegate(new NoteDelegate(this))
    , m_view(new QListView(this))
    , m_empty(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_editor(new NoteEditor(this))
{
    named(this, "notesPanel", tr("Notes"));
    setAttribute(Qt::WA_StyledBackground);
    auto* splitter = fillSplitter(
        named(new QSplitter(Qt::Vertical, this), "notesSplitter"), {makeList(), m_editor}, {200, 220});
    splitter->setChildrenCollapsible(false);
    layColumn(this, {splitter}, {{10, 8, 10, 10}, -1});
    connectParts();
    connectList();
    followSelection();
}

QWidget* NotesPanel::makeList()
{
    named(m_view, "noteList", tr("Notes in order"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(m_delegate);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setUniformItemSizes(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setDragDropMode(QAbstractItemView::InternalMove);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setDragDropOverwriteMode(false);
    m_empty->setObjectName(QStringLiteral("notesEmpty"));
    m_empty->setProperty("quiet", true);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    nameFiles();
    m_sentence->setObjectName(QStringLiteral("notesSentence"));
    m_sentence->setProperty("quiet", true);
    m_sentence->setWordWrap(true);
    m_sentence->hide();
    auto* pane = new QWidget(this);
    layColumn(pane, {m_empty, {m_view, 1}, m_sentence, makeButtons()}, {{0, 0, 0, 4}, 5});
    return pane;
}

QToolButton* NotesPanel::makeButton(const QString& name, const QString& text, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

QWidget* NotesPanel::makeButtons()
{
    auto* row = new QWidget(this);
    auto* add
        = makeButton(QStringLiteral("noteAdd"), tr("Add"), tr("Add a note on what was pointed at last (N)"));
    m_go = makeButton(QStringLiteral("noteGo"), tr("Show"), tr("Go to the place of the note (Enter)"));
    m_up = makeButton(QStringLiteral("noteUp"), QStringLiteral("↑"), tr("Move the note up"));
    m_down = makeButton(QStringLiteral("noteDown"), QStringLiteral("↓"), tr("Move the note down"));
    connect(add, &QToolButton::clicked, this, &NotesPanel::addRequested);
    connect(m_go, &QToolButton::clicked, this, [this] { emit goRequested(current()); });
    connect(m_up, &QToolButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveCurrent(1); });
    layRow(row, {add, m_go, m_up, m_down, Part::space(1)}, {{}, 4});
    return row;
}

void NotesPanel::connectParts()
{
    connect(m_view, &QListView::activated, this,
        [this](const QModelIndex& index) { emit goRequested(index.row()); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        m_isNew = false;
        m_notes.endTyping();
        say({});
        followSelection();
        emit chosen(current());
    });
    QAction* removal
        = addContextAction(*m_view, tr("Delete the note"), [this] { m_notes.remove(current()); });
    removal->setShortcut(QKeySequence::Delete);
    removal->setShortcutContext(Qt::WidgetShortcut);
    connect(&m_context, &NoteContext::changed, this, &NotesPanel::nameFiles);
    connect(&m_context, &NoteContext::changed, this, &NotesPanel::followSelection);
    connect(m_editor, &NoteEditor::edited, this, &NotesPanel::acceptEdit);
    connect(m_editor, &NoteEditor::typingEnded, this, [this] { m_notes.endTyping(); });
    connect(m_editor, &NoteEditor::escaped, this, &NotesPanel::handleEscape);
    connect(m_editor, &NoteEditor::finished, this, [this] {
        m_isNew = false;
        emit dismissed();
    });
}

/// Sets the text of an empty list: the files that have no notes, and how to add one.
void NotesPanel::nameFiles()
{
    QStringList names;
    for (const NoteSubject& subject : m_context.subjects())
        names << toQString(subject.document->fileName());
    const QString how
        = tr("Point at the timeline and press N to write down what you see there: a note is on what was "
             "pointed at last. Or right-click a step, a row or a line.");
    m_empty->setText(
        names.isEmpty() ? how : tr("No notes on %1. %2").arg(names.join(QStringLiteral(" ↔ ")), how));
}

void NotesPanel::connectList()
{
    connect(&m_notes, &NoteList::changed, this, &NotesPanel::followSelection);
    // A note that was added, restored or moved is selected.
    connect(&m_notes, &NoteList::inserted, this, &NotesPanel::choose);
    connect(&m_notes, &NoteList::moved, this, [this](int, int row) { choose(row); });
}

void NotesPanel::acceptEdit(Note note)
{
    m_isNew = false;
    const bool isTooLong = NoteList::fitted(note) != note;
    m_notes.edit(current(), std::move(note));
    followSelection();
    if (isTooLong)
        say(tr("The note was cut off: a title has at most %1 bytes, a text at most %2.")
                .arg(countText(static_cast<qint64>(kMaxNoteTitleBytes)),
                    countText(static_cast<qint64>(kMaxNoteTextBytes))));
}

/// Updates everything that depends on the selected note and its content.
void NotesPanel::followSelection()
{
    const int index = current();
    const bool hasNote = index >= 0 && index < m_notes.size();
    m_empty->setVisible(m_notes.size() == 0);
    m_view->setVisible(m_notes.size() > 0);
    if (hasNote) {
        const Note& note = m_notes.notes()[static_cast<std::size_t>(index)];
        m_editor->show(note, m_context.targetOf(note));
    } else {
        m_editor->show(std::nullopt);
    }
    m_up->setEnabled(hasNote && index > 0);
    m_down->setEnabled(hasNote && index + 1 < m_notes.size());
    m_go->setEnabled(hasNote);
}

int NotesPanel::current() const
{
    return m_view->currentIndex().row();
}

void NotesPanel::choose(int index)
{
    const QModelIndex row = m_model->index(std::clamp(index, -1, m_notes.size() - 1));
    m_view->setCurrentIndex(row);
    m_view->scrollTo(row);
}

void NotesPanel::editNew()
{
    choose(m_notes.size() - 1);
    editCurrent();
    const Note& note = m_notes.notes().back();
    m_isNew = note.title.empty() && note.text.empty();
}

void NotesPanel::editCurrent()
{
    m_editor->editTitle();
}

void NotesPanel::handleEscape()
{
    if (m_isNew)
        m_notes.discardAdded();
    m_isNew = false;
    emit dismissed();
}

void NotesPanel::say(const QString& sentence)
{
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

void NotesPanel::setColors(const ThemeColors& colors)
{
    m_delegate->setColors(colors);
    m_view->viewport()->update();
}

} // namespace highwater::gui
