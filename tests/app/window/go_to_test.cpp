#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include "app/window/commands/go_to_dialog.h"
#include "app/workspace/view/go_to_target.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {
constexpr AllocationIndex kNone = AllocationTable::kNoAllocation;
}

class GoToTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_tiny = mainAnalysis("tiny-hand-checked");
        m_training = mainAnalysis("training-6-steps-annotated");
    }

    void eventsAndTimesAreUnderstoodHoweverTheyAreWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("event");
        for (const char* text : {"2001", "2,001", "event 2001", "Event 2,001", "e2001", " e 2001 "})
            QTest::newRow(text) << QString::fromUtf8(text) << qint64{2001};
        for (const char* text :
            {"12.5ms", "+12.5 ms", "12500us", "12,500 µs", "0.0125s", "12500000 ns", "12.5 MS"})
            QTest::newRow(text) << QString::fromUtf8(text) << qint64{771};
        QTest::newRow("800us") << QStringLiteral("800us") << qint64{36};
        QTest::newRow("0 s") << QStringLiteral("0 s") << qint64{0};
        QTest::newRow("0") << QStringLiteral("0") << qint64{0};
        QTest::newRow("last") << QStringLiteral("3441") << qint64{3441};
        QTest::newRow("peak") << QStringLiteral("Peak") << qint64{820};
    }
    void eventsAndTimesAreUnderstoodHoweverTheyAreWritten()
    {
        QFETCH(QString, text);
        QFETCH(qint64, event);
        const auto targets = parseGoTo(text.toStdString(), *m_training, std::nullopt);
        QVERIFY(targets.has_value());
        QCOMPARE(targets->size(), 1);
        QCOMPARE(targets->front(), (GoToTarget{event, kNone}));
    }

    void aStepIsFoundByItsNumberAndByItsName()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const StepTable& table = analysis->steps;
        for (const char* text : {"step 6", "Step 6", " step 6 ", "step6"}) {
            const auto targets = parseGoTo(text, *analysis, std::nullopt);
            QVERIFY2(targets.has_value(), text);
            QCOMPARE(targets->front(), (GoToTarget{table.steps[6].peakEvent, kNone, 6}));
        }
        const auto named = parseGoTo(table.steps[3].name, *analysis, std::nullopt);
        QCOMPARE(named->front().event, table.steps[3].peakEvent);
        const auto beyond = parseGoTo("step 99", *analysis, std::nullopt);
        QVERIFY(beyond.error().message.ends_with("15 steps"));
    }

    void whatIsNotUnderstoodGivesASentence_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        for (const char* text :
            {"here", "12.5", "5,70", "57,01", "-3", "12 parsecs", "e12ms", "+5701", "5701x", "event"})
            QTest::newRow(text) << QString::fromUtf8(text)
                                << QStringLiteral("\"%1\" is not").arg(QString::fromUtf8(text));
        QTest::newRow("empty") << QStringLiteral("  ")
                               << QStringLiteral("an event, a step, a time, an address");
        QTest::newRow("beyond") << QStringLiteral("3442") << QStringLiteral("event 3,441");
        QTest::newRow("huge") << QStringLiteral("99999999999999999999999") << QStringLiteral("event 3,441");
        QTest::newRow("late") << QStringLiteral("2s") << QStringLiteral("51.2 ms");
        QTest::newRow("oom") << QStringLiteral("oom") << QStringLiteral("did not run out");
        QTest::newRow("address") << QStringLiteral("0x10") << QStringLiteral("contains 0x10");
        QTest::newRow("hex") << QStringLiteral("0xZZ") << QStringLiteral("\"0xzz\" is not an address");
        QTest::newRow("long hex") << QStringLiteral("0x11112222333344445")
                                  << QStringLiteral("\"0x11112222333344445\" is not an address");
    }
    void whatIsNotUnderstoodGivesASentence()
    {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto targets = parseGoTo(text.toStdString(), *m_training, std::nullopt);
        QVERIFY(!targets.has_value());
        QCOMPARE(targets.error().code, ErrorCode::BadRequest);
        const QString message = QString::fromStdString(targets.error().message);
        QVERIFY2(message.contains(sentence), qPrintable(message));
    }

    void anAddressGivesAllThatHeldItAndTheLiveOneFirst()
    {
        using Targets = std::vector<GoToTarget>;
        const std::string address = "0x7f3a00400000";
        QCOMPARE(parseGoTo(address, *m_tiny, std::nullopt).value(), (Targets{{4, 2}, {15, 6}}));
        QCOMPARE(parseGoTo(address, *m_tiny, 5).value(), (Targets{{4, 2}, {15, 6}}));
        QCOMPARE(parseGoTo(address, *m_tiny, 16).value(), (Targets{{15, 6}, {4, 2}}));
        // Within the second allocation, after the end of the first.
        QCOMPARE(parseGoTo("0x7f3a00600000", *m_tiny, 16).value(), (Targets{{15, 6}, {6, 4}}));
        QCOMPARE(parseGoTo("0X7F3A00800000", *m_tiny, std::nullopt).value().size(), 2);
    }

    void targetsAreDescribed()
    {
        QCOMPARE(describe({820, kNone}, *m_training), std::string("event 820 of 3,442 · +13.8 ms"));
        QCOMPARE(describe({-1, kNone}, *m_training), std::string("the start of the trace"));
        QCOMPARE(describe({4, 2}, *m_tiny),
            std::string("2 MiB requested at 0x7f3a00400000 · allocated at event 4, freed at event 12"));
        QVERIFY(describe({15, 6}, *m_tiny).ends_with("event 15, never freed"));
    }

    void whereMemoryRanOutIsFound()
    {
        const auto analysis = mainAnalysis("oom-fragmentation");
        QCOMPARE(parseGoTo("OOM", *analysis, std::nullopt).value().front().event, 139);
    }

    void theDialogSaysWhereItGoesAndOnlyThenLetsGo()
    {
        GoToDialog dialog(m_training, std::nullopt);
        dialog.show();
        auto* field = dialog.findChild<QLineEdit*>("goToField");
        const auto* go = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!go->isEnabled() && dialog.findChild<QLabel*>("goToPreview")->text().isEmpty()
            && !dialog.target());
        QTest::keyClicks(field, "2,0x");
        QVERIFY(!go->isEnabled()
            && dialog.findChild<QLabel*>("goToPreview")->text().startsWith("\"2,0x\" is not"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(dialog.result(), 0);
        QVERIFY(dialog.isVisible());
        field->clear();
        QTest::keyClicks(field, "820");
        QCOMPARE(dialog.findChild<QLabel*>("goToPreview")->text(),
            QStringLiteral("event 820 of 3,442 · +13.8 ms"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog.target().value(), (GoToTarget{820, kNone}));
    }

    void severalAllocationsAreListedToChooseFrom()
    {
        GoToDialog dialog(m_tiny, 16);
        dialog.show();
        auto* field = dialog.findChild<QLineEdit*>("goToField");
        const auto* list = dialog.findChild<QListWidget*>("goToList");
        QVERIFY(!list->isVisible());
        QTest::keyClicks(field, "0x7f3a00400000");
        QVERIFY(list->isVisible());
        QCOMPARE(list->count(), 2);
        QCOMPARE(dialog.target()->allocation, 6u);
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(dialog.target()->allocation, 2u);
        QVERIFY(dialog.findChild<QLabel*>("goToPreview")->text().endsWith("one of 2"));
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_tiny;
    std::shared_ptr<const DeviceAnalysis> m_training;
};

HIGHWATER_APP_TEST(GoToTest)

} // namespace highwater::gui::test

#include "go_to_test.moc"
