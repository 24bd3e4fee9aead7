#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTest>
#include <QTimer>

#include "app/window/commands/rules_command.h"
#include "app/window/commands/rules_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "core/analysis/composition/composition.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class RulesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }

    void open()
    {
        m_window = std::make_unique<MainWindow>(true);
        m_window->show();
        m_window->openFile(samplePath("training-6-steps-bare"));
        QTRY_VERIFY(page().document());
        QTRY_VERIFY(page().isSettled());
    }

    /// Returns the bytes of a category at the peak of the displayed device.
    Bytes atPeak(Category category)
    {
        const DeviceAnalysis& shown = *page().analysis();
        return categoriesAt(shown.allocations, shown.categories, {shown.figures.peakEvent})
            .front()[static_cast<std::size_t>(category)];
    }

    /// Types rules into the dialog that the command opens.
    void apply(const QString& text, const std::function<void(RulesDialog&)>& look)
    {
        QTimer::singleShot(0, this, [&] {
            auto* dialog = m_window->findChild<RulesDialog*>();
            QVERIFY(dialog);
            dialog->findChild<QPlainTextEdit*>("rulesText")->setPlainText(text);
            look(*dialog);
            dialog->accept();
        });
        m_window->rulesCommand().edit->trigger();
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        open();
    }
    void cleanup() { m_window.reset(); }

    void aRuleOverridesWhatIsInferredAndIsRemembered()
    {
        const Bytes activations = atPeak(Category::Activation);
        QVERIFY(activations > 0);
        const Bytes inputs = atPeak(Category::Input);
        apply(R"([{"category": "input", "phase": "forward", "min_bytes": 1}])", [](RulesDialog& dialog) {
            QTRY_VERIFY(
                dialog.findChild<QLabel*>("rulesAnswer")->text().startsWith("At the peak the rules match"));
            QVERIFY(dialog.findChild<QLabel*>("rulesAnswer")->text().contains("inputs"));
        });
        QTRY_VERIFY(atPeak(Category::Input) > inputs);
        QCOMPARE(page().analysis()->choice.rules.size(), std::size_t{1});
        const Bytes ruled = atPeak(Category::Input);
        open();
        QTRY_COMPARE(atPeak(Category::Input), ruled);
    }

    void wrongRulesAreSaidAndChangeNothing()
    {
        const auto before = page().analysis();
        apply(R"([{"category": "no such thing"}])", [](RulesDialog& dialog) {
            QVERIFY2(dialog.findChild<QLabel*>("rulesAnswer")->text().contains("no such thing"),
                qPrintable(dialog.findChild<QLabel*>("rulesAnswer")->text()));
        });
        QVERIFY(page().analysisSettings().rules().empty());
        QCOMPARE(page().analysis(), before);
    }

    void withoutRulesEverythingIsAsInferred()
    {
        const auto before = page().analysis();
        apply(R"([{"category": "input", "phase": "forward"}])", [](RulesDialog&) {});
        QTRY_VERIFY(page().analysis() != before);
        apply(QString(), [](RulesDialog&) {});
        QTRY_COMPARE(page().analysis(), before);
    }

    void stepsCanBeToldInAnotherWay()
    {
        QCOMPARE(page().analysis()->steps.steps.size(), std::size_t{6});
        page().analysisSettings().setSteps({StepSource::Manual, {}, {100, 500}});
        QTRY_COMPARE(page().analysis()->steps.steps.size(), std::size_t{3});
        QCOMPARE(page().analysis()->steps.steps[1].begin, 100);
        page().analysisSettings().setSteps({});
        QTRY_COMPARE(page().analysis()->steps.steps.size(), std::size_t{6});
    }
};

HIGHWATER_APP_TEST(RulesTest)

} // namespace highwater::gui::test

#include "rules_test.moc"
