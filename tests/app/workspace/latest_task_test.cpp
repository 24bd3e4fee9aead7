#include "app/workspace/tasks/latest_task.h"

#include <memory>
#include <new>

#include <QSignalSpy>
#include <QTest>

#include "core/base/interruption.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui {

class LatestTaskTest : public QObject
{
    Q_OBJECT

private slots:
    void deliversWhatWasWorkedOut()
    {
        LatestTask task;
        int delivered = 0;
        task.run([&]() -> LatestTask::Delivery { return [&] { delivered = 7; }; });
        QTRY_COMPARE(delivered, 7);
    }

    void stopsWorkThatIsDropped()
    {
        LatestTask task;
        bool delivered = false;
        task.run([&]() -> LatestTask::Delivery {
            for (;;)
                interruptionPoint();
            return [&] { delivered = true; };
        });
        task.drop();
        QTRY_VERIFY(!task.isBusy());
        QVERIFY(!delivered);
    }

    void doesNotWaitForWorkThatNobodyWants()
    {
        auto task = std::make_unique<LatestTask>();
        task->run([]() -> LatestTask::Delivery {
            for (;;)
                interruptionPoint();
            return {};
        });
        task.reset(); // must return although the task would never end by itself
    }

    void goesOnAfterAStop()
    {
        LatestTask task;
        int delivered = 0;
        task.run([]() -> LatestTask::Delivery {
            for (;;)
                interruptionPoint();
            return {};
        });
        task.drop();
        task.run([&]() -> LatestTask::Delivery { return [&] { ++delivered; }; });
        QTRY_COMPARE(delivered, 1);
    }

    void tellsThatMemoryWasShort()
    {
        LatestTask task;
        const QSignalSpy spy(&WorkFailures::instance(), &WorkFailures::outOfMemory);
        task.run([]() -> LatestTask::Delivery { throw std::bad_alloc(); });
        QTRY_COMPARE(spy.count(), 1);
        QVERIFY(spy[0][0].toString().contains(QStringLiteral("memory")));
        QVERIFY(!task.isBusy());
    }
};

HIGHWATER_APP_TEST(LatestTaskTest)

} // namespace highwater::gui

#include "latest_task_test.moc"
