#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/views/side_panel/range_panel.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

void showRange(RangePanel& panel, const std::shared_ptr<const DeviceAnalysis>& analysis, std::int64_t first,
    std::int64_t last)
{
    QSignalSpy changed(&panel, &RangePanel::figuresChanged);
    panel.show(analysis, first, last);
    QVERIFY(changed.wait());
}

QString textOf(const RangePanel& panel, const char* name)
{
    return panel.findChild<QLabel*>(name)->text();
}

} // namespace

class RangePanelTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_training = mainAnalysis("training-6-steps-annotated"); }

    void theFiguresOfAStepAreThoseOfTheFile()
    {
        RangePanel panel;
        showRange(panel, m_training, 651, 1210);
        QCOMPARE(textOf(panel, "rangeHeading"), QStringLiteral("Events 651 – 1,209 · 7.19 ms"));
        QStringList labels;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            labels << label->text().trimmed();
        const QString text = labels.join(QLatin1Char('\n'));
        QVERIFY(text.contains("at start\n208\n81.21 MiB"));
        QVERIFY(text.contains("+ allocated\n186\n576.61 MiB"));
        QVERIFY(text.contains("freed\n186\n576.61 MiB"));
        QVERIFY(text.contains("of these new\n134\n556.3 MiB"));
        QVERIFY(text.contains("of these new\n52\n20.3 MiB"));
        QVERIFY(text.contains("at end\n208\n81.21 MiB"));
        QVERIFY(textOf(panel, "rangePeak").startsWith("Peak in the range: 384.91 MiB at "));
    }

    void aRangeIsHeadedByItsName()
    {
        RangePanel panel;
        QSignalSpy changed(&panel, &RangePanel::figuresChanged);
        panel.show(m_training, 651, 1210, QStringLiteral("forward"));
        QVERIFY(changed.wait());
        QCOMPARE(textOf(panel, "rangeHeading"), QStringLiteral("forward, events 651 – 1,209 · 7.19 ms"));
    }

    void whatAStepLeftBehindIsToldFromWhatIsNewAtItsEnd()
    {
        RangePanel panel;
        const auto analysis = mainAnalysis("r1-grpo-before");
        const Step& step = analysis->steps.steps[3];
        showRange(panel, analysis, step.begin, step.end);
        QCOMPARE(textOf(panel, "rangeLeftBehind"),
            QStringLiteral("Left behind: %1 of the %2 new at its end are still in use at the end of step 4")
                .arg(bytesText(*step.leftBehindBytes), bytesText(panel.figures()->surviving.bytes)));
        showRange(panel, analysis, step.begin, step.end - 1);
        QVERIFY(panel.findChild<QLabel*>("rangeLeftBehind")->isHidden());
    }

    void theSumIsStatedAndHoldsInBytes()
    {
        RangePanel panel;
        showRange(panel, mainAnalysis("tiny-hand-checked"), 4, 11);
        for (const char* term : {"4,195,304", "+ 19,181,568", "− 307,200", "= 23,069,672"})
            QVERIFY2(textOf(panel, "rangeSum").contains(QString::fromUtf8(term)), term);
        const RangeFigures& figures = panel.figures().value();
        QCOMPARE(figures.atBegin.bytes + figures.born.bytes - figures.freed.bytes, figures.atEnd.bytes);
    }

    void nothingIsCutInTheNarrowestDetails()
    {
        RangePanel panel;
        showRange(panel, mainAnalysis("r1-grpo-before"), 1000, 9000);
        panel.resize(260, 400);
        panel.layout()->activate();
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (!label->wordWrap())
                QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
    }

    void thePeakIsALinkAndTheButtonsAsk()
    {
        RangePanel panel;
        showRange(panel, m_training, 651, 1210);
        QSignalSpy goes(&panel, &RangePanel::eventRequested);
        QSignalSpy zooms(&panel, &RangePanel::zoomRequested);
        QSignalSpy cleared(&panel, &RangePanel::cleared);
        emit panel.findChild<QLabel*>("rangePeak")->linkActivated("820");
        QVERIFY(textOf(panel, "rangePeak").contains("href='820'>event 820</a>"));
        panel.setColors(ThemeColors::darkColors());
        QVERIFY(textOf(panel, "rangePeak").contains(ThemeColors::darkColors().accent.name()));
        QCOMPARE(goes.takeFirst().front().toLongLong(), 820);
        QTest::mouseClick(panel.findChild<QPushButton*>("rangeZoom"), Qt::LeftButton);
        QCOMPARE(zooms.takeFirst(), (QList<QVariant>{651, 1210}));
        QTest::mouseClick(panel.findChild<QPushButton*>("rangeClear"), Qt::LeftButton);
        QCOMPARE(cleared.count(), 1);
        QVERIFY(panel.isHidden() && !panel.figures());
    }

    void aRangeIsCutToTheEventsThatThereAre()
    {
        RangePanel panel;
        showRange(panel, m_training, -20, 99999);
        QCOMPARE(panel.figures()->first, 0);
        QCOMPARE(panel.figures()->last, 3442);
        panel.show(m_training, 100, 100); // an empty range
        QVERIFY(panel.isHidden() && !panel.figures());
    }

    void whatIsClearedDoesNotComeBack()
    {
        RangePanel panel;
        QSignalSpy changed(&panel, &RangePanel::figuresChanged);
        panel.show(m_training, 0, 100);
        panel.clear();
        panel.show(m_training, 651, 1210);
        QVERIFY(changed.wait());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(panel.figures()->first, 651);
    }

    void rangesOfEventsAreSaidAsPeopleCount()
    {
        QCOMPARE(eventRangeText(1200, 3400), QStringLiteral("events 1,200 – 3,399"));
        QCOMPARE(eventRangeText(7, 8), QStringLiteral("event 7"));
        QCOMPARE(eventRangeText(7, 7), QStringLiteral("no events"));
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_training;
};

HIGHWATER_APP_TEST(RangePanelTest)

} // namespace highwater::gui::test

#include "range_panel_test.moc"
