#include <QSignalSpy>
#include <QTest>

#include "app/workspace/view/view_history.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

namespace {

constexpr std::chrono::hours kForever{1};
constexpr std::chrono::milliseconds kAtOnce{1};

/// A range with its history, connected as in a page.
struct Page
{
    VisibleRange range;
    ViewHistory history;
    AxisKind axis = AxisKind::Event;
    DeviceIndex device = 0;

    explicit Page(std::chrono::milliseconds stay)
        : history(range, nullptr, stay)
    {
        range.setLimits(0, 1000, 1, 1000);
        history.restart(axis, device);
        QObject::connect(&history, &ViewHistory::restore, &range, [this](const View& view) { show(view); });
    }

    void show(const View& view)
    {
        if (view.axis != axis || view.device != device)
            setSubject(view.axis, view.device);
        range.setX(view.xBegin, view.xEnd);
    }

    void setSubject(AxisKind newAxis, DeviceIndex newDevice)
    {
        axis = newAxis;
        device = newDevice;
        history.setSubject(axis, device);
        range.setLimits(0, axis == AxisKind::Time ? 5000 : 1000, 1, 10);
    }

    void jump(double begin, double end)
    {
        history.beginJump();
        range.setX(begin, end);
    }

    std::pair<double, double> view() const { return {range.x().begin, range.x().end}; }
};

using Interval = std::pair<double, double>;

} // namespace

class ViewHistoryTest : public QObject
{
    Q_OBJECT

private slots:
    void withoutAChangeThereIsNowhereToGo()
    {
        Page page(kForever);
        QVERIFY(!page.history.canGoBack());
        QVERIFY(!page.history.canGoForward());
        QSignalSpy restored(&page.history, &ViewHistory::restore);
        page.history.back();
        page.history.forward();
        QCOMPARE(restored.count(), 0);
    }

    void aViewThatStaysEnters()
    {
        Page page(kAtOnce);
        page.range.setX(100, 200);
        QTRY_COMPARE(page.history.count(), std::size_t{2});
        page.range.setX(300, 400);
        QTRY_COMPARE(page.history.count(), std::size_t{3});
        page.history.back();
        QCOMPARE(page.view(), Interval(100, 200));
        page.history.back();
        QCOMPARE(page.view(), Interval(0, 1000));
        QVERIFY(!page.history.canGoBack());
    }

    void aBurstIsOneEntry()
    {
        Page page(kForever);
        for (int i = 0; i < 20; ++i)
            page.range.zoomX(620, 0.8);
        const Interval zoomed = page.view();
        QCOMPARE(page.history.count(), std::size_t{1});
        page.history.back();
        QCOMPARE(page.view(), Interval(0, 1000));
        QCOMPARE(page.history.count(), std::size_t{2});
        page.history.forward();
        QCOMPARE(page.view(), zoomed);
        QVERIFY(!page.history.canGoForward());
    }

    void aJumpKeepsTheViewThatHadNotStayed()
    {
        Page page(kForever);
        page.range.setX(100, 200);
        page.jump(700, 800);
        page.jump(300, 400);
        page.history.back();
        QCOMPARE(page.view(), Interval(700, 800));
        page.history.back();
        QCOMPARE(page.view(), Interval(100, 200));
    }

    void goingElsewhereForgetsTheWayForward()
    {
        Page page(kForever);
        page.jump(100, 200);
        page.jump(300, 400);
        page.history.back();
        QVERIFY(page.history.canGoForward());
        page.range.setX(600, 700);
        QVERIFY(!page.history.canGoForward());
        page.history.back();
        QCOMPARE(page.view(), Interval(100, 200));
        page.history.forward();
        QCOMPARE(page.view(), Interval(600, 700));
    }

    void comingBackByHandIsNoEntry()
    {
        Page page(kForever);
        page.range.setX(100, 200);
        QVERIFY(page.history.canGoBack());
        page.range.fit();
        QVERIFY(!page.history.canGoBack());
        QCOMPARE(page.history.count(), std::size_t{1});
    }

    void goingBackRestoresAxisAndDevice()
    {
        Page page(kForever);
        page.range.setX(100, 200);
        page.setSubject(AxisKind::Time, 0);
        page.range.setX(2000, 3000);
        page.setSubject(AxisKind::Time, 1);
        page.history.back();
        QCOMPARE(page.device, DeviceIndex{0});
        QCOMPARE(page.view(), Interval(2000, 3000));
        page.history.back();
        QVERIFY(page.axis == AxisKind::Event);
        QCOMPARE(page.view(), Interval(100, 200));
        page.history.forward();
        QVERIFY(page.axis == AxisKind::Time);
        QCOMPARE(page.view(), Interval(2000, 3000));
        page.history.forward();
        QCOMPARE(page.device, DeviceIndex{1});
        QCOMPARE(page.view(), Interval(0, 5000));
    }

    void anEntryHoldsBothAxesOfTheView()
    {
        Page page(kForever);
        page.range.zoomY(200, 0.5);
        page.history.beginJump();
        page.range.fit();
        QSignalSpy restored(&page.history, &ViewHistory::restore);
        page.history.back();
        QCOMPARE(restored.count(), 1);
        const View view = restored.first().first().value<View>();
        QCOMPARE(view.yBottom, 100.0);
        QCOMPARE(view.yTop, 600.0);
        QCOMPARE(view.xEnd, 1000.0);
    }

    void changesAreAnnounced()
    {
        Page page(kForever);
        QSignalSpy changed(&page.history, &ViewHistory::changed);
        page.range.setX(100, 200);
        QCOMPARE(changed.count(), 1);
        page.range.setX(110, 210);
        QCOMPARE(changed.count(), 1);
        page.history.back();
        QVERIFY(changed.count() >= 2);
    }

    void anotherDocumentBeginsAnew()
    {
        Page page(kForever);
        page.jump(100, 200);
        page.jump(300, 400);
        page.range.setLimits(0, 50, 1, 10);
        page.history.restart(AxisKind::Event, 0);
        QVERIFY(!page.history.canGoBack());
        QVERIFY(!page.history.canGoForward());
        QCOMPARE(page.history.count(), std::size_t{1});
    }

    void theOldestEntriesGo()
    {
        Page page(kForever);
        for (int i = 0; i < 300; ++i)
            page.jump(i, i + 10);
        page.history.beginJump();
        QCOMPARE(page.history.count(), ViewHistory::kMaxEntries);
        page.history.back();
        QCOMPARE(page.view(), Interval(298, 308));
    }
};

HIGHWATER_APP_TEST(ViewHistoryTest)

} // namespace highwater::gui::test

#include "view_history_test.moc"
