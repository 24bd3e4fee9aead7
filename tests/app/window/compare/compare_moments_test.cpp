#include <QAction>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "app/views/compare/compare_header.h"
#include "app/views/compare/compare_pictures.h"
#include "app/views/compare/diff_table.h"
#include "app/views/parts/figure_view.h"
#include "app/window/pages/compare_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the comparison of two steps of one run: every caption has the names of the steps.
class CompareMomentsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ComparePage> m_page;

    QString captionOf(const char* name) const
    {
        return m_page->timelines().findChild<QLabel*>(QLatin1String(name))->text();
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        const std::shared_ptr<const Document> document = loadSample(QStringLiteral("r1-grpo-before"));
        const RunChoice run{document, *document->mainDevice, {}};
        const std::vector<Step>& steps = document->devices[*document->mainDevice]->steps.steps;
        m_page = std::make_unique<ComparePage>();
        m_page->resize(1400, 900);
        m_page->show();
        m_page->compare(run, run);
        m_page->state().compareEvents(steps[1].peakEvent, steps[4].peakEvent);
        QTRY_VERIFY(m_page->isSettled());
    }
    void cleanup() { m_page.reset(); }

    void captionsOfTheTimelinesAreTheSteps()
    {
        QVERIFY2(captionOf("beforeCaption").contains(QStringLiteral("step 1")),
            qPrintable(captionOf("beforeCaption")));
        QVERIFY(captionOf("afterCaption").contains(QStringLiteral("step 4")));
    }

    void captionsOfTwoStepsGiveTheirPeaks()
    {
        const Comparison& comparison = *m_page->state().comparison();
        const std::vector<Step>& steps = comparison.before.analysis->steps.steps;
        QVERIFY2(captionOf("beforeCaption").contains("step 1, peak " + bytesText(steps[1].peakBytes)),
            qPrintable(captionOf("beforeCaption")));
        QVERIFY(captionOf("afterCaption").contains("step 4, peak " + bytesText(steps[4].peakBytes)));
    }

    void noTextOnThePageSaysBeforeOrAfter()
    {
        m_page->state().selectRows({0});
        QTRY_VERIFY(m_page->isSettled());
        static const QRegularExpression words(
            QStringLiteral("\\b(before|after)\\b"), QRegularExpression::CaseInsensitiveOption);
        for (const QLabel* label : m_page->findChildren<QLabel*>())
            if (label->isVisible())
                QVERIFY2(!label->text().remove(QStringLiteral("r1-grpo-before")).contains(words),
                    qPrintable(label->text()));
        for (const QAction* action : m_page->findChildren<QAction*>())
            QVERIFY2(!action->toolTip().contains(words), qPrintable(action->toolTip()));
    }

    void escapeReturnsToTheRun()
    {
        QSignalSpy closed(m_page.get(), &Page::closeRequested);
        m_page->release();
        QCOMPARE(closed.size(), 1);
    }

    void aNoteOnNothingIsOnTheLaterStepOfTheRun()
    {
        const Note note = m_page->noteHere();
        QCOMPARE(note.run, NoteRun::After);
        QCOMPARE(note.place, NotePlace(NotedStep{4}));
        QCOMPARE(m_page->subjects().size(), std::size_t{1});
    }

    void aNoteOnARowOfTheRunIsOnItsCallSite()
    {
        m_page->rows().table().setCurrentIndex(m_page->rows().table().model()->index(0, 0));
        QVERIFY(std::holds_alternative<NotedSite>(m_page->rows().noteHere()->place));
    }

    void swappedStepsStayCompared()
    {
        const ComparedMoments given = m_page->state().moments();
        m_page->swap();
        QTRY_COMPARE(m_page->state().moments().beforeEvent, given.afterEvent);
        QCOMPARE(m_page->state().moments().afterEvent, given.beforeEvent);
    }

    void eventsOfRunsThatWereReplacedAreForgotten()
    {
        const RunChoice run = m_page->state().before();
        m_page->compare(run, run);
        m_page->state().compareEvents(0, 1); // waits for the runs to be compared
        m_page->compare(run, run);
        QTRY_VERIFY(m_page->isSettled());
        QCOMPARE(m_page->state().moments().kind, ComparedMoments::Kind::Peaks);
    }

    void theTimelinesShowTheTwoStepsAloneFromTheirStarts()
    {
        const RunAlignment& alignment = *m_page->state().alignment();
        const Comparison& compared = *m_page->state().comparison();
        const std::vector<Step>& steps = compared.before.analysis->steps.steps;
        QCOMPARE(alignment.before.positionOf(steps[1].begin), 0.0);
        QCOMPARE(alignment.after.positionOf(steps[4].begin), 0.0);
        const AxisWindow& x = m_page->timelines().range().x();
        QCOMPARE(x.begin, 0.0);
        QCOMPARE(x.end,
            static_cast<double>(std::max(steps[1].end - steps[1].begin, steps[4].end - steps[4].begin)));
        m_page->timelines().fit();
        QCOMPARE(x.begin, 0.0);
    }

    void theStepsAreLitAndNotTheCursor()
    {
        const auto actionOf = [this](const QString& text) -> QAction* {
            for (QAction* action : m_page->findChildren<QAction*>())
                if (action->text() == text)
                    return action;
            return nullptr;
        };
        QAction* const steps = actionOf(QStringLiteral("step 1 ↔ step 4"));
        QAction* const cursor = actionOf(QStringLiteral("Cursor"));
        QVERIFY(steps && steps->isVisible() && steps->isChecked());
        QVERIFY(!cursor->isChecked());
        cursor->trigger();
        QTRY_VERIFY(cursor->isChecked() && !steps->isChecked());
        m_page->state().compareGivenEvents();
        QTRY_VERIFY(steps->isChecked());
    }

    void headingsOfTheTableAreTheSteps()
    {
        const QAbstractItemModel& model = *m_page->rows().table().model();
        QStringList headings;
        for (int column = 0; column < model.columnCount(); ++column)
            headings << model.headerData(column, Qt::Horizontal).toString();
        QVERIFY2(headings.contains(QStringLiteral("Step 1")) && headings.contains(QStringLiteral("Step 4")),
            qPrintable(headings.join(QLatin1Char('|'))));
    }

    void totalsOfTheWaterfallAreTheSteps()
    {
        QStringList texts;
        for (const FigureShape& shape : m_page->pictures().waterfall().figure().shapes)
            if (const auto* text = std::get_if<FigureText>(&shape))
                texts << QString::fromStdString(text->text);
        QVERIFY(texts.contains(QStringLiteral("step 1")) && texts.contains(QStringLiteral("step 4")));
        QVERIFY(!texts.contains(QStringLiteral("before")) && !texts.contains(QStringLiteral("after")));
    }

    void reportComparesTheMoments()
    {
        const std::optional<ComparedEvents> compared = m_page->comparedMoments();
        QVERIFY(compared);
        QCOMPARE(compared->before, m_page->state().moments().beforeEvent);
        QCOMPARE(compared->after, m_page->state().moments().afterEvent);
    }

    void picturesOfWhatARunSharesWithItselfAreNotOffered()
    {
        ComparePictures& pictures = m_page->pictures();
        QVERIFY(!pictures.isTabVisible(pictures.indexOf(&pictures.curves())));
        QVERIFY(!pictures.isTabVisible(pictures.indexOf(&pictures.steps())));
        QVERIFY(pictures.isTabVisible(pictures.indexOf(&pictures.waterfall())));
    }
};

HIGHWATER_APP_TEST(CompareMomentsTest)

} // namespace highwater::gui::test

#include "compare_moments_test.moc"
