#include "app/timeline/parts/veil.h"

#include <QTest>

#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

/// Tests of what greys out old content.
class VeilTest : public QObject
{
    Q_OBJECT

private slots:
    void itComesOnlyIfTheNewContentTakesLong()
    {
        QWidget host;
        host.resize(200, 100);
        Veil veil(host);
        host.show();
        veil.setStale(true);
        QVERIFY(!veil.isVisible());
        QTRY_VERIFY(veil.isVisible());
        QCOMPARE(veil.geometry(), host.rect());
        veil.setStale(false);
        QVERIFY(!veil.isVisible());
    }

    void quickContentIsNeverGreyedOut()
    {
        QWidget host;
        Veil veil(host);
        host.show();
        veil.setStale(true);
        veil.setStale(false);
        QTest::qWait(300);
        QVERIFY(!veil.isVisible());
    }
};

HIGHWATER_APP_TEST(VeilTest)

} // namespace highwater::gui::test

#include "veil_test.moc"
