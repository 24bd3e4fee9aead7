#include <QImage>
#include <QListView>
#include <QPainter>
#include <QStyleOptionHeader>
#include <QTest>

#include "app/window/theme/plain_style.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

class HeaderArrowTest : public QObject
{
    Q_OBJECT

private slots:
    void theArrowOfAnAscendingOrderPointsUp()
    {
        const PlainStyle style(ThemeColors::light());
        QImage image(20, 20, QImage::Format_RGB32);
        image.fill(Qt::white);
        QStyleOptionHeader option;
        option.rect = image.rect();
        option.sortIndicator = QStyleOptionHeader::SortDown; // so Qt calls ascending
        {
            QPainter painter(&image);
            style.drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &option, &painter, nullptr);
        }
        const auto widthOfInk = [&](int y) {
            int count = 0;
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y).lightness() < 250 ? 1 : 0;
            return count;
        };
        const auto middleInk
            = [&](int y) { return image.pixelColor(image.rect().center().x(), y).lightness(); };
        int top = 0;
        while (top < image.height() && widthOfInk(top) == 0)
            ++top;
        QVERIFY(top < image.height());
        QVERIFY(middleInk(top) < 250 || middleInk(top + 1) < 250); // the tip is in the middle, above
        int bottom = image.height() - 1;
        while (widthOfInk(bottom) == 0)
            --bottom;
        QVERIFY(middleInk(bottom) > 250);
    }

    void aCellHasAFocusFrameOnlyWhereTheKeyboardMovedTheFocus()
    {
        const PlainStyle style(ThemeColors::light());
        QListView view;
        const auto isFramed = [&](bool isByKeyboard) {
            view.setAttribute(Qt::WA_KeyboardFocusChange, isByKeyboard);
            QImage image(20, 20, QImage::Format_RGB32);
            image.fill(Qt::white);
            QStyleOptionFocusRect option;
            option.rect = image.rect();
            QPainter painter(&image);
            style.drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, &view);
            painter.end();
            return image.pixelColor(10, 0) != QColor(Qt::white);
        };
        QVERIFY(!isFramed(false));
        QVERIFY(isFramed(true));
    }
};

HIGHWATER_APP_TEST(HeaderArrowTest)

} // namespace highwater::gui::test

#include "header_arrow_test.moc"
