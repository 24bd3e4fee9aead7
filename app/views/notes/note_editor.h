#pragma once

#include <functional>
#include <optional>

#include <QWidget>

#include "core/run/note.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace highwater::gui {

/// Edits title, colour and Markdown text of one note, with a preview. It has a copy of the note and emits the
/// changed copy; the owner stores the copy and shows it again. The window handles undo and redo, which take
/// back whole stretches of typing.
class NoteEditor : public QWidget
{
    Q_OBJECT

public:
    explicit NoteEditor(QWidget* parent = nullptr);

    /// Shows a note, and in words what it is on; nullopt disables the fields. A field that already shows the
    /// text keeps its cursor.
    void show(const std::optional<Note>& note, const QString& target = {});
    /// Moves the keyboard focus to the title and selects all of it.
    void editTitle();
    void setPreviewShown(bool shown);
    bool isPreviewShown() const;

    QLineEdit& title() { return *m_title; }
    QPlainTextEdit& text() { return *m_text; }
    QTextBrowser& preview() { return *m_preview; }

signals:
    /// The user changed the note; `note` has the new content.
    void edited(const highwater::Note& note);
    /// The keyboard focus left a field, so that the next change is a new step of undo.
    void typingEnded();
    /// Esc was pressed in a field.
    void escaped();
    /// Enter was pressed in the title.
    void finished();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    QWidget* makeColors();
    void connectParts();
    void applyChange(const std::function<void(Note&)>& edit);
    void refreshPreview();

    std::optional<Note> m_note;
    QLabel* m_target;
    QLineEdit* m_title;
    QButtonGroup* m_colors;
    QToolButton* m_previewButton;
    QPlainTextEdit* m_text;
    QTextBrowser* m_preview;
    QStackedWidget* m_stack;
    bool m_isShowing = false; ///< the fields are being set from the note, not by the user
};

} // namespace highwater::gui
