#include <memory>

#include <QTest>

#include "app/views/compare/color_key.h"
#include "core/base/units.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

/// Tests of the key of two runs' colours, with two entries after the hatching.
class ColorKeyTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ColorKey> m_key;

private slots:
    void init()
    {
        m_key = std::make_unique<ColorKey>();
        m_key->setEntries({{{}, QStringLiteral("kept"), 0}, {QStringLiteral("#112233"), "parameters", kMiB},
                              {QStringLiteral("#445566"), "activations", kGiB}},
            QStringLiteral("Guessed."));
        m_key->resize(600, 20);
    }

    void withRoomEveryColorIsNamed()
    {
        for (const char* name : {"kept", "parameters", "activations"})
            QVERIFY(m_key->text().contains(QLatin1String(name)));
        QCOMPARE(m_key->toolTip(), QStringLiteral("Guessed."));
    }

    void withoutRoomTheColorWithTheFewestBytesIsLeftOut()
    {
        const QString wanted = QStringLiteral("▨ kept   ■ activations   1 more");
        const int margins = m_key->width() - m_key->contentsRect().width();
        m_key->resize(m_key->fontMetrics().horizontalAdvance(wanted) + margins + 1, 20);
        QVERIFY(!m_key->text().contains(QStringLiteral("parameters")));
        QVERIFY(m_key->text().contains(QStringLiteral("activations")));
        QVERIFY(m_key->text().endsWith(QStringLiteral("1 more")));
        QVERIFY(m_key->toolTip().startsWith(QStringLiteral("parameters")));
    }

    void theHatchingIsTheLastToBeLeftOut()
    {
        m_key->resize(10, 20);
        QVERIFY(m_key->text().contains(QStringLiteral("kept")));
        QVERIFY(m_key->text().endsWith(QStringLiteral("2 more")));
    }

    void theLineOfReservedMemoryStaysWhereBandsAreLeftOut()
    {
        m_key->setEntries({{QStringLiteral("#112233"), "parameters", kMiB},
                              {QStringLiteral("#445566"), "reserved", 0, true}},
            {});
        m_key->resize(10, 20);
        QVERIFY(m_key->text().contains(QStringLiteral("reserved")));
        QVERIFY(!m_key->text().contains(QStringLiteral("parameters")));
    }

    void aKeyWithoutEntriesIsHidden()
    {
        m_key->setEntries({}, {});
        QVERIFY(m_key->isHidden());
    }
};

HIGHWATER_APP_TEST(ColorKeyTest)

} // namespace highwater::gui::test

#include "color_key_test.moc"
