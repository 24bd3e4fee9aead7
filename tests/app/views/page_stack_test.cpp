#include <memory>

#include <QSignalSpy>
#include <QTest>

#include "app/views/pages/page_stack.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

/// A page that offers everything and is settled only when the test says so.
class PlainPage : public Page
{
public:
    using Page::Page;

    PageOffers offers() const override
    {
        return {.view = true,
            .search = true,
            .times = true,
            .outOfMemory = true,
            .another = true,
            .swap = true,
            .close = true,
            .toolBar = true,
            .sidePanel = true};
    }
    bool isSettled() const override { return isDone; }

    bool isDone = true;
};

} // namespace

class PageStackTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<PageStack> m_stack;
    PlainPage* m_first = nullptr;
    PlainPage* m_second = nullptr;
    PlainPage* m_cover = nullptr;

private slots:
    void init()
    {
        m_stack = std::make_unique<PageStack>();
        for (PlainPage** page : {&m_first, &m_second, &m_cover}) {
            *page = new PlainPage(m_stack.get());
            m_stack->add(**page);
        }
        m_stack->setVisible(true);
        QVERIFY(QTest::qWaitForWindowExposed(m_stack.get()));
    }

    void theFirstPageIsTheCurrentOne()
    {
        QVERIFY(m_stack->isCurrent(*m_first));
        QVERIFY(m_first->isVisible());
    }

    void anotherPageIsShownInItsPlaceAndHasTheKeyboard()
    {
        const QSignalSpy changed(m_stack.get(), &PageStack::changed);
        m_stack->show(*m_second);
        QVERIFY(m_stack->isCurrent(*m_second));
        QVERIFY(m_second->isVisible() && !m_first->isVisible());
        QCOMPARE(m_stack->focusWidget(), m_second);
        QCOMPARE(changed.size(), 1);
    }

    void aCoveredPageStaysTheCurrentOne()
    {
        m_stack->cover(*m_cover);
        QVERIFY(m_cover->isVisible() && !m_first->isVisible());
        QVERIFY(m_stack->isCurrent(*m_first));
        QVERIFY(m_stack->isCoveredBy(*m_cover));
        m_stack->uncover();
        QVERIFY(m_first->isVisible() && !m_cover->isVisible());
        QVERIFY(!m_stack->isCoveredBy(*m_cover));
    }

    void whatCoversAPageStaysInFrontOfThatPageAlone()
    {
        m_stack->cover(*m_cover);
        m_stack->show(*m_first);
        QVERIFY(m_cover->isVisible());
        m_stack->show(*m_second);
        QVERIFY(m_second->isVisible());
        QVERIFY(!m_stack->isCoveredBy(*m_cover));
    }

    void aCoveredPageOffersWhatNeedNotBeSeen()
    {
        QVERIFY(m_stack->offers().view && m_stack->offers().toolBar && m_stack->offers().sidePanel);
        m_stack->cover(*m_cover);
        const PageOffers offers = m_stack->offers();
        QVERIFY(!offers.view && !offers.search && !offers.times && !offers.outOfMemory);
        QVERIFY(!offers.toolBar && !offers.sidePanel);
        QVERIFY(offers.another && offers.swap && offers.close);
    }

    void itIsSettledWhenThePageAndItsCoverAre()
    {
        m_second->isDone = false;
        QVERIFY(m_stack->isSettled()); // it is not on screen
        m_cover->isDone = false;
        m_stack->cover(*m_cover);
        QVERIFY(!m_stack->isSettled());
        m_cover->isDone = true;
        QVERIFY(m_stack->isSettled());
        m_first->isDone = false;
        QVERIFY(!m_stack->isSettled());
    }

    void onlyPagesOnScreenAreHeard()
    {
        m_stack->cover(*m_cover);
        const QSignalSpy changed(m_stack.get(), &PageStack::changed);
        const QSignalSpy settled(m_stack.get(), &PageStack::settled);
        const QSignalSpy status(m_stack.get(), &PageStack::statusChanged);
        for (PlainPage* page : {m_first, m_second, m_cover}) {
            emit page->changed();
            emit page->settled();
            emit page->statusChanged();
        }
        QCOMPARE(changed.size(), 2);
        QCOMPARE(settled.size(), 2);
        QCOMPARE(status.size(), 2);
    }
};

HIGHWATER_APP_TEST(PageStackTest)

} // namespace highwater::gui::test

#include "page_stack_test.moc"
