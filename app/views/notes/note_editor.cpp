#include "app/views/notes/note_editor.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_text_edit.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {

/// Shows only the text of a note. Pictures and pages that the text refers to are not fetched.
class NotePreview : public QTextBrowser
{
public:
    explicit NotePreview(QWidget* parent)
        : QTextBrowser(parent)
    {
        setOpenLinks(false);
    }

    QVariant loadResource(int, const QUrl&) override { return {}; }
};

QIcon colorIcon(NoteColor color)
{
    QPixmap pixmap(14, 14);
    pixmap.fill(noteQColor(color));
    return QIcon(pixmap);
}

} // namespace

NoteEditor::NoteEditor(QWidget* parent)
    : QWidget(parent)
    , m_target(named(new QLabel(this), "noteTarget"))
    , m_title(new QLineEdit(this))
    , m_colors(new QButtonGroup(this))
    , m_previewButton(new QToolButton(this))
    , m_text(new PlainTextEdit(this))
    , m_preview(new NotePreview(this))
    , m_stack(new QStackedWidget(this))
{
    setObjectName(QStringLiteral("noteEditor"));
    layOut();
    connectParts();
    show(std::nullopt);
}

QWidget* NoteEditor::makeColors()
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_colors->setExclusive(true);
    for (std::size_t i = 0; i < kNoteColorCount; ++i) {
        const auto color = static_cast<NoteColor>(i);
        auto* button = new QToolButton(row);
        button->setObjectName(QStringLiteral("noteColor-") + toQString(toText(color)));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setIcon(colorIcon(color));
        button->setToolTip(noteColorName(color));
        button->setAccessibleName(tr("Colour of the note: %1").arg(noteColorName(color)));
        m_colors->addButton(button, static_cast<int>(i));
        layout->addWidget(button);
    }
    layout->addStretch(1);
    return row;
}

void NoteEditor::layOut()
{
    named(m_title, "noteTitle", tr("Title of the note"), tr("Enter: done, Tab: write the text"));
    m_title->setPlaceholderText(tr("Title"));
    m_title->setMaxLength(static_cast<int>(kMaxNoteTitleBytes));
    named(m_text, "noteText", tr("Text of the note, Markdown"));
    m_text->setPlaceholderText(tr("Describe what you see (Markdown)"));
    m_text->setTabChangesFocus(true);
    m_text->setUndoRedoEnabled(false);
    named(m_preview, "notePreview", tr("Text of the note as in the report"));
    m_stack->addWidget(m_text);
    m_stack->addWidget(m_preview);
    m_target->setProperty("quiet", true);
    m_target->setTextFormat(Qt::PlainText);
    m_target->setWordWrap(true);
    named(m_previewButton, "notePreviewButton", {}, tr("Show the text as in the report"));
    m_previewButton->setText(tr("Preview"));
    m_previewButton->setCheckable(true);
    layColumn(this,
        {m_target, layRow(nullptr, {{m_title, 1}, m_previewButton}, {{}, 4}), makeColors(), {m_stack, 1}},
        {{}, 5});
    // Tab goes from the title to the text, then to the colours.
    setTabOrder(m_title, m_text);
    setTabOrder(m_text, m_colors->button(0));
    setTabOrder(m_colors->button(kNoteColorCount - 1), m_previewButton);
}

void NoteEditor::connectParts()
{
    connect(m_title, &QLineEdit::textChanged, this,
        [this](const QString& text) { applyChange([&](Note& note) { note.title = text.toStdString(); }); });
    connect(m_title, &QLineEdit::returnPressed, this, &NoteEditor::finished);
    connect(m_text, &QPlainTextEdit::textChanged, this,
        [this] { applyChange([this](Note& note) { note.text = m_text->toPlainText().toStdString(); }); });
    connect(m_colors, &QButtonGroup::idClicked, this,
        [this](int id) { applyChange([&](Note& note) { note.color = static_cast<NoteColor>(id); }); });
    connect(m_previewButton, &QToolButton::toggled, this, &NoteEditor::setPreviewShown);
    for (QWidget* field :
        {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_preview)})
        field->installEventFilter(this);
}

void NoteEditor::applyChange(const std::function<void(Note&)>& edit)
{
    if (m_isShowing || !m_note)
        return;
    Note changed = *m_note;
    edit(changed);
    emit edited(changed);
}

void NoteEditor::show(const std::optional<Note>& note, const QString& target)
{
    const QScopedValueRollback<bool> showing(m_isShowing, true);
    m_note = note;
    setEnabled(note.has_value());
    m_target->setText(target.isEmpty() ? QString() : tr("Note on %1").arg(target));
    const Note shown = note.value_or(Note());
    if (const QString title = QString::fromStdString(shown.title); m_title->text() != title)
        m_title->setText(title);
    if (const QString text = QString::fromStdString(shown.text); m_text->toPlainText() != text)
        m_text->setPlainText(text);
    if (note) {
        m_colors->button(static_cast<int>(shown.color))->setChecked(true);
    } else {
        m_colors->setExclusive(false);
        for (QAbstractButton* button : m_colors->buttons())
            button->setChecked(false);
        m_colors->setExclusive(true);
    }
    refreshPreview();
}

void NoteEditor::refreshPreview()
{
    if (isPreviewShown())
        m_preview->document()->setMarkdown(m_text->toPlainText(),
            QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectCommonMark)
                | QTextDocument::MarkdownNoHTML);
}

void NoteEditor::setPreviewShown(bool shown)
{
    m_previewButton->setChecked(shown);
    m_stack->setCurrentWidget(shown ? static_cast<QWidget*>(m_preview) : m_text);
    refreshPreview();
}

bool NoteEditor::isPreviewShown() const
{
    return m_stack->currentWidget() == m_preview;
}

void NoteEditor::editTitle()
{
    m_title->setFocus(Qt::OtherFocusReason);
    m_title->selectAll();
}

bool NoteEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        emit typingEnded();
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    auto* const key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
        key->ignore(); // otherwise the fields would handle them
        return true;
    }
    if (key->key() != Qt::Key_Escape)
        return false;
    key->accept(); // keeps Esc from the window
    if (event->type() == QEvent::KeyPress)
        emit escaped();
    return true;
}

} // namespace highwater::gui
