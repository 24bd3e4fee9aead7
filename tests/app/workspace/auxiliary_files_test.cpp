#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QTest>

#include "app/timeline/auxiliary_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/views/side_panel/auxiliary_panel.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "core/trace/trace_builder.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

constexpr Bytes kDriverBytes = Bytes{3} << 30;

/// Returns a process that takes 3 GiB from the driver in the middle of the device's events.
std::shared_ptr<const Trace> driver(const DeviceAnalysis& analysis, Clock clock = Clock::Unix)
{
    const EventScale& times = analysis.scale(AxisKind::Time);
    TraceBuilder builder;
    builder.metadata().clock = clock;
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.deviceRow(device).quantity = Quantity::DeviceUsed;
    builder.deviceRow(device).hasFinalSegments = false;
    MemoryEvent event;
    event.action = Action::Alloc;
    event.address = 0x1000;
    event.size = kDriverBytes;
    event.time = times.origin() + static_cast<Nanoseconds>(times.positionOf(times.eventCount() / 2));
    builder.addEvent(event);
    builder.assignEvents(device, {{0, 1}});
    return builder.finish();
}

} // namespace

/// Tests of the run's auxiliary files in the timeline.
class AuxiliarysTest : public QObject
{
    Q_OBJECT

private:
    DocumentLoader m_loader;
    RunSession m_session{m_loader};
    std::unique_ptr<DocumentPage> m_page;

    AuxiliarySources& sources() { return m_page->auxiliarySources(); }
    std::int64_t middle() { return m_page->analysis()->scale(AxisKind::Event).eventCount() / 2; }
    void open(Clock clock = Clock::Unix)
    {
        m_page->show(loadSample(QStringLiteral("training-6-steps-annotated")));
        m_page->resize(1000, 700);
        m_page->QWidget::show();
        sources().setSources({{QStringLiteral("/x/run.sqlite"), driver(*m_page->analysis(), clock)}});
        QTRY_COMPARE(sources().lines().size(), std::size_t{1});
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(m_page->isSettled());
    }

private slots:
    void init() { m_page = std::make_unique<DocumentPage>(m_session); }
    void cleanup() { m_page.reset(); }

    void aDriversLineIsShownAtOnce()
    {
        open();
        QVERIFY(sources().lines().front().shown);
        QCOMPARE(sources().highestShown(), kDriverBytes);
    }

    void theViewOfEverythingReachesUpToIt()
    {
        open();
        QVERIFY(m_page->range().y().highest >= static_cast<double>(kDriverBytes));
    }

    void thePanelIsThereOnlyWithOtherFiles()
    {
        m_page->show(loadSample(QStringLiteral("training-6-steps-annotated")));
        QVERIFY(m_page->auxiliaryPanel().isHidden());
        open();
        QVERIFY(!m_page->auxiliaryPanel().isHidden());
    }

    void aFileWithoutTimesHasNothingToSet()
    {
        open();
        TraceBuilder builder;
        sources().setSources({{QStringLiteral("/x/job.err"), builder.finish()}});
        QVERIFY(!sources().sources().front().suggested);
        QTRY_VERIFY(m_page->auxiliaryPanel().isHidden());
    }

    void theLevelsAtTheCursorNameWhatIsOutsideOfTheAllocator()
    {
        open();
        m_page->selection().setCursor(middle());
        const QString text = m_page->auxiliaryPanel().levelsText();
        QVERIFY2(text.contains(QStringLiteral("3 GiB device used (run.sqlite)")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("outside the allocator")), qPrintable(text));
        const MemoryLevels levels = sources().levelsAt(middle());
        QCOMPARE(*levels.outside(), kDriverBytes - *m_page->analysis()->curve.reservedAt(middle()));
    }

    void uncheckingALineHidesIt()
    {
        open();
        auto* check = m_page->auxiliaryPanel().findChild<QCheckBox*>();
        QVERIFY(check);
        QTest::mouseClick(check, Qt::LeftButton, Qt::NoModifier, QPoint(8, check->height() / 2));
        QVERIFY(!sources().lines().front().shown);
        QCOMPARE(sources().highestShown(), Bytes{0});
    }

    void anOffsetMovesTheLine()
    {
        open();
        const Nanoseconds before = sources().lines().front().line.points.back().time;
        auto* offset = m_page->auxiliaryPanel().findChild<QDoubleSpinBox*>();
        QVERIFY(offset);
        offset->setValue(1.5);
        QTRY_COMPARE(sources().lines().front().line.points.back().time, before + 1'500'000'000);
    }

    void anOffsetIsKeptWhenTheFilesAreSetAgain()
    {
        open();
        const auto trace = sources().sources().front().trace.trace;
        sources().setOffset(0, 42);
        sources().setSources({});
        QVERIFY(m_page->auxiliaryPanel().isHidden());
        sources().setSources({{QStringLiteral("/x/run.sqlite"), trace}});
        QCOMPARE(sources().sources().front().trace.offset, Nanoseconds{42});
    }

    void filesWithoutACommonClockBeginTogether()
    {
        open(Clock::Own);
        const EventScale& times = m_page->analysis()->scale(AxisKind::Time);
        QCOMPARE(sources().lines().front().line.points.back().time, times.origin());
        QVERIFY(sources().sources().front().reason.contains(QStringLiteral("share no clock")));
    }

    void draggingWithAltMovesTheLineAndNotTheView()
    {
        open(Clock::Own);
        m_page->setAxis(AxisKind::Time);
        QTRY_VERIFY(m_page->isSettled());
        TimelinePlot& plot = m_page->timeline();
        const QRectF rect = plot.area().rect;
        const QPoint from = rect.center().toPoint();
        const double view = m_page->range().x().begin;
        const double perPixel = m_page->range().x().width() / rect.width();
        QTest::mousePress(&plot, Qt::LeftButton, Qt::AltModifier, from);
        QTest::mouseMove(&plot, from + QPoint(30, 0));
        QTest::mouseMove(&plot, from + QPoint(60, 0));
        QTest::mouseRelease(&plot, Qt::LeftButton, Qt::AltModifier, from + QPoint(60, 0));
        const Nanoseconds moved
            = sources().sources().front().trace.offset - *sources().sources().front().suggested;
        QVERIFY2(std::abs(static_cast<double>(moved) - 60 * perPixel) <= perPixel,
            qPrintable(QString::number(moved)));
        QCOMPARE(m_page->range().x().begin, view);
    }

    void aLineCoversThePixelsBehindItsFirstPoint()
    {
        open();
        AuxiliaryMarkers markers(&m_page->timeline().canvas(), sources());
        markers.setAnalysis(m_page->analysis(), m_page->axis());
        const PlotArea area = m_page->timeline().area();
        markers.setArea(area);
        const QVector<QLineF> levels = markers.strokes(sources().lines().front().line).levels;
        QVERIFY(!levels.isEmpty());
        QCOMPARE(levels.back().x2(), area.rect.right());
        const double top = area.toY(static_cast<double>(kDriverBytes));
        QVERIFY(std::abs(levels.back().y1() - top) < 0.5);
        QVERIFY(std::abs(levels.back().x1() - area.toX(static_cast<double>(middle()))) < 3);
    }
};

HIGHWATER_APP_TEST(AuxiliarysTest)

} // namespace highwater::gui::test

#include "auxiliary_files_test.moc"
