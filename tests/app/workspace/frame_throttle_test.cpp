#include <QTest>

#include "app/workspace/tasks/frame_throttle.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

class FrameThrottleTest : public QObject
{
    Q_OBJECT

private slots:
    void theFirstRequestIsAnsweredAtOnce()
    {
        int done = 0;
        FrameThrottle paced([&done] { ++done; });
        paced.request();
        QCOMPARE(done, 1);
    }

    void requestsThatFollowAtOnceAreAnsweredTogetherLater()
    {
        int done = 0;
        FrameThrottle paced([&done] { ++done; });
        for (int i = 0; i < 50; ++i)
            paced.request();
        QCOMPARE(done, 1);
        QTRY_COMPARE(done, 2);
    }

    void flushDoesWhatWaitsAndNothingElse()
    {
        int done = 0;
        FrameThrottle paced([&done] { ++done; });
        paced.flush();
        QCOMPARE(done, 0);
        paced.request();
        paced.request();
        paced.flush();
        QCOMPARE(done, 2);
        paced.flush();
        QCOMPARE(done, 2);
    }
};

HIGHWATER_APP_TEST(FrameThrottleTest)

} // namespace highwater::gui::test

#include "frame_throttle_test.moc"
