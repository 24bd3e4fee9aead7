#pragma once

#include <functional>
#include <optional>

#include <QWidget>

#include "core/run/note.h"

class QButtonGroup;
class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace highwater::gui {

/// Title, colour and Markdown text of one note, with a preview. It changes nothing by itself: it says what
/// the user wants. Undo and redo are the window's, which take back whole stretches of typing.
class NoteEditor : public QWidget
{
    Q_OBJECT

public:
    explicit NoteEditor(QWidget* parent = nullptr);

    /// None: nothing can be edited. Where the fields show it already the cursor stays where it is.
    void show(const std::optional<Note>& note);
    /// Puts the keyboard into the title, all of it selected.
    void editTitle();
    void setPreviewShown(bool shown);
    bool isPreviewShown() const;

    QLineEdit& title() { return *m_title; }
    QPlainTextEdit& text() { return *m_text; }
    QTextBrowser& preview() { return *m_preview; }

signals:
    /// The note as the user wants it.
    void edited(const highwater::Note& note);
    /// The keyboard has left a field: what is typed next is something new.
    void typingEnded();
    void escaped();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    QWidget* makeColors();
    void connectParts();
    void change(const std::function<void(Note&)>& how);
    void refreshPreview();

    std::optional<Note> m_note;
    QLineEdit* m_title;
    QButtonGroup* m_colors;
    QToolButton* m_previewButton;
    QPlainTextEdit* m_text;
    QTextBrowser* m_preview;
    QStackedWidget* m_stack;
    bool m_showing = false; ///< the fields follow the note, they do not lead
};

} // namespace highwater::gui
