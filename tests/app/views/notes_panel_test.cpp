#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "app/views/notes/note_editor.h"
#include "app/views/notes/notes_panel.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

/// Tests of the panel with real keys and clicks.
class NotesPanelTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<NoteList> m_notes;
    NoteContext m_context;
    std::unique_ptr<NotesPanel> m_panel;

    NoteEditor& editor() { return m_panel->editor(); }
    QToolButton& button(const char* name) { return *m_panel->findChild<QToolButton*>(name); }
    void addNew(const char* title = "")
    {
        Note note;
        note.title = title;
        note.place = NotedMoment{3};
        m_notes->add(note);
        m_panel->editNew();
    }

private slots:
    void init()
    {
        m_notes = std::make_unique<NoteList>();
        m_panel = std::make_unique<NotesPanel>(*m_notes, m_context);
        m_panel->resize(330, 600);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void anEmptyListSaysWhatToDo()
    {
        const auto* empty = m_panel->findChild<QLabel*>("notesEmpty");
        QVERIFY(empty->isVisible());
        QVERIFY(empty->text().contains("press N"));
        QVERIFY(!m_panel->list().isVisible());
        QVERIFY(!editor().isEnabled());
        addNew();
        QVERIFY(!empty->isVisible());
        QVERIFY(m_panel->list().isVisible());
    }

    void nothingIsCutInTheNarrowestPanel()
    {
        addNew();
        m_panel->resize(260, 600);
        for (const QToolButton* shown : editor().findChildren<QToolButton*>()) {
            QVERIFY2(shown->width() >= shown->sizeHint().width(), qPrintable(shown->objectName()));
            QVERIFY(editor().rect().contains(QRect(shown->mapTo(&editor(), QPoint()), shown->size())));
        }
    }

    void whatIsTypedIntoANewNoteReplacesItsTitle()
    {
        addNew("old");
        QVERIFY(editor().title().hasFocus());
        QTest::keyClicks(&editor().title(), "peak");
        QCOMPARE(m_notes->notes()[0].title, std::string("peak"));
        QTest::keyClick(&editor().title(), Qt::Key_Tab);
        QVERIFY(editor().text().hasFocus());
        QTest::keyClicks(&editor().text(), "a");
        QTest::keyClick(&editor().text(), Qt::Key_Return);
        QTest::keyClicks(&editor().text(), "b");
        QCOMPARE(m_notes->notes()[0].text, std::string("a\nb"));
    }

    void pastingNothingLeavesTheTextAsItIs()
    {
        addNew();
        editor().text().setFocus();
        QTest::keyClicks(&editor().text(), "kept");
        QGuiApplication::clipboard()->setMimeData(new QMimeData); // as on a display where nothing was copied
        QTest::keySequence(&editor().text(), QKeySequence::Paste);
        QCOMPARE(m_notes->notes()[0].text, std::string("kept"));
    }

    void pastedTextIsTakenAsItWasWritten()
    {
        addNew();
        editor().text().setFocus();
        auto* const copied = new QMimeData;
        copied->setData("text/markdown", "**bold**");
        copied->setText("**bold**");
        QGuiApplication::clipboard()->setMimeData(copied);
        QTest::keySequence(&editor().text(), QKeySequence::Paste);
        QCOMPARE(m_notes->notes()[0].text, std::string("**bold**"));
    }

    void escapeTakesAnUntouchedNewNoteBack()
    {
        addNew();
        QSignalSpy dismissed(m_panel.get(), &NotesPanel::dismissed);
        QTest::keyClick(&editor().title(), Qt::Key_Escape);
        QVERIFY(m_notes->notes().empty());
        QVERIFY(!m_notes->undoStack().canRedo());
        QCOMPARE(dismissed.count(), 1);
    }

    void escapeLeavesANewNoteThatAFindingWrote()
    {
        addNew("from a finding");
        QTest::keyClick(&editor().title(), Qt::Key_Escape);
        QCOMPARE(m_notes->notes().size(), std::size_t{1});
        QCOMPARE(m_notes->notes()[0].title, std::string("from a finding"));
    }

    void escapeLeavesANoteThatWasTypedIn()
    {
        addNew();
        QTest::keyClicks(&editor().title(), "p");
        QTest::keyClick(&editor().title(), Qt::Key_Backspace);
        QTest::keyClick(&editor().title(), Qt::Key_Escape);
        QCOMPARE(m_notes->notes().size(), std::size_t{1});
    }

    void escapeLeavesANoteThatIsNotNew()
    {
        addNew();
        addNew();
        m_panel->choose(0);
        m_panel->choose(1);
        m_panel->editCurrent();
        QTest::keyClick(&editor().title(), Qt::Key_Escape);
        QCOMPARE(m_notes->notes().size(), std::size_t{2});
    }

    void aColourIsChosenWithItsButton()
    {
        addNew();
        QToolButton& blue = button("noteColor-blue");
        QCOMPARE(blue.toolTip(), QString("Blue"));
        QCOMPARE(blue.accessibleName(), QString("Colour of the note: Blue"));
        QTest::mouseClick(&blue, Qt::LeftButton);
        QCOMPARE(m_notes->notes()[0].color, NoteColor::Blue);
        m_notes->undoStack().undo();
        QVERIFY(button("noteColor-red").isChecked());
        QVERIFY(!blue.isChecked());
    }

    void theFieldsFollowUndo()
    {
        addNew();
        QTest::keyClicks(&editor().title(), "peak");
        m_notes->undoStack().undo();
        QCOMPARE(editor().title().text(), QString());
        m_notes->undoStack().redo();
        QCOMPARE(editor().title().text(), QString("peak"));
    }

    void typingThatTheKeyboardLeftIsUndoneByItself()
    {
        addNew();
        QTest::keyClicks(&editor().title(), "peak");
        QTest::keyClick(&editor().title(), Qt::Key_Tab);
        QTest::keyClicks(&editor().text(), "text");
        m_notes->undoStack().undo();
        QCOMPARE(editor().title().text(), QString("peak"));
        QCOMPARE(editor().text().toPlainText(), QString());
    }

    void enterInTheTitleEndsEditingAndKeepsTheNote()
    {
        addNew();
        QTest::keyClicks(&editor().title(), "peak");
        QSignalSpy dismissed(m_panel.get(), &NotesPanel::dismissed);
        QTest::keyClick(&editor().title(), Qt::Key_Return);
        QCOMPARE(dismissed.count(), 1);
        QCOMPARE(m_notes->notes().size(), std::size_t{1});
        QVERIFY(!editor().text().hasFocus());
    }

    void tabGoesFromTheTitleToTheText()
    {
        addNew();
        QTest::keyClick(&editor().title(), Qt::Key_Tab);
        QVERIFY(editor().text().hasFocus());
    }

    void theCursorStaysWhereItIsWhileTyping()
    {
        addNew();
        QTest::keyClicks(&editor().title(), "pk");
        QTest::keyClick(&editor().title(), Qt::Key_Left);
        QTest::keyClicks(&editor().title(), "ea");
        QCOMPARE(m_notes->notes()[0].title, std::string("peak"));
    }

    void thePreviewShowsMarkdownAndHtmlAsText()
    {
        addNew();
        editor().text().setPlainText("**bold** <script>alert(1)</script> ![x](http://example.com/x.png)");
        QTest::mouseClick(&button("notePreviewButton"), Qt::LeftButton);
        QVERIFY(editor().isPreviewShown());
        const QString text = editor().preview().toPlainText();
        QVERIFY2(text.contains("bold <script>alert(1)</script>"), qPrintable(text));
        QVERIFY(!text.contains("**"));
        QVERIFY(!editor()
                     .preview()
                     .document()
                     ->resource(QTextDocument::ImageResource, QUrl("http://example.com/x.png"))
                     .isValid());
    }

    void deeplyNestedMarkdownIsShownInTime()
    {
        addNew();
        editor().text().setPlainText(QString("> ").repeated(40'000));
        editor().setPreviewShown(true);
        QVERIFY(editor().isPreviewShown());
    }

    void buttonsMoveAndAKeyDeletes()
    {
        addNew("a");
        addNew("b");
        QVERIFY(!button("noteDown").isEnabled());
        QTest::mouseClick(&button("noteUp"), Qt::LeftButton);
        QCOMPARE(m_notes->notes()[0].title, std::string("b"));
        QCOMPARE(m_panel->current(), 0);
        QVERIFY(!button("noteUp").isEnabled());
        m_panel->list().setFocus();
        QTest::keyClick(&m_panel->list(), Qt::Key_Delete);
        QCOMPARE(m_notes->notes().size(), std::size_t{1});
        m_notes->undoStack().undo();
        QCOMPARE(m_panel->current(), 0);
        QCOMPARE(editor().title().text(), QString("b"));
    }

    void enterInTheListAsksToGoThere()
    {
        addNew("a");
        addNew("b");
        m_panel->list().setFocus();
        QSignalSpy asked(m_panel.get(), &NotesPanel::goRequested);
        QTest::keyClick(&m_panel->list(), Qt::Key_Up);
        QTest::keyClick(&m_panel->list(), Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.at(0).at(0).toInt(), 0);
        const QRect row = m_panel->list().visualRect(m_panel->list().model()->index(1, 0));
        QTest::mouseClick(m_panel->list().viewport(), Qt::LeftButton, {}, row.center());
        QTest::mouseDClick(m_panel->list().viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked.at(1).at(0).toInt(), 1);
    }

    void theDeleteKeyOfTheListDeletes()
    {
        addNew("a");
        m_panel->list().setFocus();
        QTest::keyClick(&m_panel->list(), Qt::Key_Delete);
        QVERIFY(m_notes->notes().empty());
        QVERIFY(!editor().isEnabled());
    }

    void whatIsTooLongIsCutWithASentence()
    {
        addNew();
        editor().text().setPlainText(QString(static_cast<int>(kMaxNoteTextBytes) + 10, 'x'));
        QCOMPARE(m_notes->notes()[0].text.size(), kMaxNoteTextBytes);
        QVERIFY(m_panel->findChild<QLabel*>("notesSentence")->text().contains("100,000"));
        QCOMPARE(editor().text().toPlainText().size(), static_cast<qsizetype>(kMaxNoteTextBytes));
    }
};

HIGHWATER_APP_TEST(NotesPanelTest)

} // namespace highwater::gui::test

#include "notes_panel_test.moc"
