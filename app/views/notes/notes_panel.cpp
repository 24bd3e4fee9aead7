#include "app/views/notes/notes_panel.h"

#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/models/note_model.h"
#include "app/views/notes/note_delegate.h"
#include "app/views/notes/note_editor.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

NotesPanel::NotesPanel(NoteList& list, const NoteContext& context, QWidget* parent)
    : QWidget(parent)
    , m_notes(list)
    , m_model(new NoteModel(list, context, this))
    , m_delegate(new NoteDelegate(this))
    , m_view(new QListView(this))
    , m_empty(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_editor(new NoteEditor(this))
{
    setObjectName(QStringLiteral("notesPanel"));
    setAccessibleName(tr("Notes"));
    setAttribute(Qt::WA_StyledBackground);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setObjectName(QStringLiteral("notesSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeList());
    splitter->addWidget(m_editor);
    splitter->setSizes({200, 220});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 10);
    layout->addWidget(splitter);
    connectParts();
    connectList();
    follow();
}

QWidget* NotesPanel::makeList()
{
    m_view->setObjectName(QStringLiteral("noteList"));
    m_view->setAccessibleName(tr("Notes in their order"));
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
    m_empty->setText(
        tr("Point at the timeline and press N to write down what you see there, or right-click a "
           "step, a row or a line."));
    m_sentence->setObjectName(QStringLiteral("notesSentence"));
    m_sentence->setProperty("quiet", true);
    m_sentence->setWordWrap(true);
    m_sentence->hide();
    auto* pane = new QWidget(this);
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(5);
    layout->addWidget(m_empty);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_sentence);
    layout->addWidget(makeButtons());
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
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* add = makeButton(QStringLiteral("noteAdd"), tr("Add"), tr("Add a note at the cursor (N)"));
    m_go = makeButton(QStringLiteral("noteGo"), tr("Show"), tr("Go to the place of the note (Enter)"));
    m_up = makeButton(QStringLiteral("noteUp"), QStringLiteral("↑"), tr("Move the note up"));
    m_down = makeButton(QStringLiteral("noteDown"), QStringLiteral("↓"), tr("Move the note down"));
    m_delete = makeButton(QStringLiteral("noteDelete"), tr("Delete"), tr("Delete the note (Del)"));
    connect(add, &QToolButton::clicked, this, &NotesPanel::addRequested);
    connect(m_go, &QToolButton::clicked, this, [this] { emit goRequested(current()); });
    connect(m_up, &QToolButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveCurrent(1); });
    connect(m_delete, &QToolButton::clicked, this, [this] { m_notes.remove(current()); });
    for (QToolButton* button : {add, m_go, m_up, m_down})
        layout->addWidget(button);
    layout->addStretch(1);
    layout->addWidget(m_delete);
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
        follow();
        emit chosen(current());
    });
    auto* removal = new QAction(tr("Delete the note"), this);
    removal->setShortcut(QKeySequence::Delete);
    removal->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(removal);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(removal, &QAction::triggered, this, [this] { m_notes.remove(current()); });
    connect(m_editor, &NoteEditor::edited, this, &NotesPanel::take);
    connect(m_editor, &NoteEditor::typingEnded, this, [this] { m_notes.endTyping(); });
    connect(m_editor, &NoteEditor::escaped, this, &NotesPanel::escape);
}

void NotesPanel::connectList()
{
    connect(&m_notes, &NoteList::changed, this, &NotesPanel::follow);
    // A note that was restored or moved is selected.
    connect(&m_notes, &NoteList::inserted, this, &NotesPanel::choose);
    connect(&m_notes, &NoteList::moved, this, [this](int, int to) { choose(to); });
}

void NotesPanel::take(Note note)
{
    m_isNew = false;
    const bool isTooLong = NoteList::fitted(note) != note;
    m_notes.edit(current(), std::move(note));
    follow();
    if (isTooLong)
        say(tr("A note holds %1 bytes in its title and %2 in its text: what is beyond was cut off.")
                .arg(countText(static_cast<qint64>(kMostNoteTitleBytes)),
                    countText(static_cast<qint64>(kMostNoteTextBytes))));
}

/// Updates everything that depends on the selected note and its content.
void NotesPanel::follow()
{
    const int index = current();
    const bool has = index >= 0 && index < m_notes.size();
    m_empty->setVisible(m_notes.size() == 0);
    m_view->setVisible(m_notes.size() > 0);
    m_editor->show(has ? std::optional(m_notes.notes()[static_cast<std::size_t>(index)]) : std::nullopt);
    m_up->setEnabled(has && index > 0);
    m_down->setEnabled(has && index + 1 < m_notes.size());
    m_go->setEnabled(has);
    m_delete->setEnabled(has);
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
    m_isNew = true;
}

void NotesPanel::editCurrent()
{
    m_editor->editTitle();
}

void NotesPanel::escape()
{
    if (m_isNew)
        m_notes.discardAdded();
    m_isNew = false;
    emit dismissed();
}

void NotesPanel::moveCurrent(int by)
{
    m_notes.move(current(), current() + by);
}

void NotesPanel::say(const QString& sentence)
{
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

QString NotesPanel::sentence() const
{
    return m_sentence->text();
}

void NotesPanel::setColors(const ThemeColors& colors)
{
    m_delegate->setColors(colors);
    m_view->viewport()->update();
}

} // namespace highwater::gui
