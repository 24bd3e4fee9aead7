#include "tests/app/window_fixture.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QSettings>
#include <QTest>

#include "app/timeline/lane_strip.h"
#include "app/window/pages/compare_page.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

void moveMouse(QWidget& widget, const QPointF& at, Qt::MouseButtons buttons, Qt::KeyboardModifiers keys)
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, keys);
    QCoreApplication::sendEvent(&widget, &event);
}

bool chooseInMenu(QWidget& of, const QPoint& at, const char* name, const QString& begin)
{
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, of.mapToGlobal(at));
    QCoreApplication::sendEvent(&of, &event);
    const std::unique_ptr<QMenu> menu(of.findChild<QMenu*>(name));
    const QList<QAction*> actions = menu ? menu->actions() : QList<QAction*>();
    for (QAction* action : actions)
        if (action->text().remove(QLatin1Char('&')).startsWith(begin)) {
            action->trigger();
            return true;
        }
    return false;
}

ComparePage& WindowFixture::comparison()
{
    return m_window->pages().compare;
}

void WindowFixture::openPath(const QString& path)
{
    m_window->openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(page().document() && isOn(page()) && page().isSettled(), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(page().run().study() && page().lanes().lanes(), 60'000);
    timeline().setFocus();
}

void WindowFixture::openSample(const QString& name)
{
    openPath(samplePath(name));
    QCOMPARE(QString::fromStdString(page().document()->path), samplePath(name));
}

void WindowFixture::openPair(const QString& before, const QString& after)
{
    m_window->compareFiles(samplePath(before), samplePath(after));
    QTRY_VERIFY(isOn(comparison()) && comparison().isSettled());
}

QPoint WindowFixture::onBand(double share)
{
    const QRectF rect = timeline().area().rect;
    return {qRound(rect.left() + share * rect.width()), qRound(rect.bottom()) - 3};
}

QPoint WindowFixture::inLane(std::size_t step)
{
    const Step& shown = page().analysis()->steps.steps[step];
    const double middle = static_cast<double>(shown.begin + shown.end) / 2;
    return {qRound(timeline().area().toX(middle)), page().lanes().rowRect(0).center().y()};
}

void WindowFixture::clickStep(std::size_t step, Qt::KeyboardModifiers keys)
{
    QTest::mouseClick(&page().lanes(), Qt::LeftButton, keys, inLane(step));
}

void WindowFixture::initTestCase()
{
    useScratchSettings();
}

void WindowFixture::init()
{
    QSettings().clear();
    m_window = std::make_unique<MainWindow>(false);
    m_window->resize(m_size);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

} // namespace highwater::gui::test
