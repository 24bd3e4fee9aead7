#include "app/workspace/tasks/jobs.h"

#include <pthread.h>

#include <QTest>

#include "tests/app/app_test_main.h"

namespace highwater::gui {

namespace {

/// Prevents the creation of threads during its lifetime: each would need a stack larger than the address
/// space.
class NoThreads
{
public:
    NoThreads()
    {
        pthread_attr_init(&m_before);
        pthread_getattr_default_np(&m_before);
        pthread_attr_t huge;
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t{1} << 47);
        pthread_setattr_default_np(&huge);
        pthread_attr_destroy(&huge);
    }
    ~NoThreads()
    {
        pthread_setattr_default_np(&m_before);
        pthread_attr_destroy(&m_before);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t m_before;
};

} // namespace

class JobsTest : public QObject
{
    Q_OBJECT

private slots:
    void worksOnAnotherThread()
    {
        Jobs jobs(1);
        QThread* worker = nullptr;
        jobs.start([&](const Job& job) { job.post([&, at = QThread::currentThread()] { worker = at; }); });
        QTRY_VERIFY(worker);
        QVERIFY(worker != QThread::currentThread());
    }

    void worksOnTheOwnersThreadWhereNoOtherCanBeMade()
    {
        const NoThreads none;
        Jobs jobs(2);
        QThread* worker = nullptr;
        jobs.start([&](const Job& job) { job.post([&, at = QThread::currentThread()] { worker = at; }); });
        QTRY_COMPARE(worker, QThread::currentThread());
    }

    void keepsTheThreadsThatItHas()
    {
        Jobs jobs(1);
        int done = 0;
        jobs.start([&](const Job& job) { job.post([&] { ++done; }); });
        QTRY_COMPARE(done, 1);
        const NoThreads none;
        QThread* worker = nullptr;
        jobs.start([&](const Job& job) { job.post([&, at = QThread::currentThread()] { worker = at; }); });
        QTRY_VERIFY(worker);
        QVERIFY(worker != QThread::currentThread());
    }

    void anAnswerThatWasDroppedIsNotPosted()
    {
        const NoThreads none;
        Jobs jobs(1);
        bool posted = false;
        jobs.start([&](const Job& job) { job.post([&] { posted = true; }); });
        jobs.drop();
        int done = 0;
        jobs.start([&](const Job& job) { job.post([&] { ++done; }); });
        QTRY_COMPARE(done, 1);
        QVERIFY(!posted);
    }
};

HIGHWATER_APP_TEST(JobsTest)

} // namespace highwater::gui

#include "jobs_test.moc"
