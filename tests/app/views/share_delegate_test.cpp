#include "app/views/parts/share_delegate.h"

#include <algorithm>

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTest>

#include "app/models/call_tree_model.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

/// Tests of the bars in tables of shares.
class ShareDelegateTest : public QObject
{
    Q_OBJECT

private slots:
    void theBarOfAShareStaysOffItsFigure()
    {
        QStandardItemModel model(1, ShareColumn + 1);
        const QModelIndex index = model.index(0, ShareColumn);
        model.setData(index, 1.0, ShareRole);
        QImage image(120, 24, QImage::Format_RGB32);
        image.fill(Qt::black);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.state = QStyle::State_Enabled;
        ShareDelegate delegate;
        QPainter painter(&image);
        delegate.paint(&painter, option, index);
        painter.end();
        const QRgb bar = ThemeColors::light().reservedEdge.rgb();
        const int figure = option.fontMetrics.horizontalAdvance(QStringLiteral("100%"));
        QCOMPARE(image.pixel(kCellPadding + 1, 12), bar);
        for (int x = image.width() - kCellPadding - figure; x < image.width(); ++x)
            QVERIFY2(image.pixel(x, 12) != bar, qPrintable(QString::number(x)));
    }

    void aShareHasRoomForItsBarInAnyColumn()
    {
        QStandardItemModel model(1, 1);
        const QModelIndex index = model.index(0, 0);
        const ShareDelegate delegate;
        const QStyleOptionViewItem option;
        const int text = delegate.sizeHint(option, index).width();
        model.setData(index, 0.5, ShareRole);
        QVERIFY(delegate.sizeHint(option, index).width() > text);
    }

    void barsOfTablesThatShareAScaleAreAsLongInAWiderColumn()
    {
        QStandardItemModel model(1, ShareColumn + 1);
        const QModelIndex index = model.index(0, ShareColumn);
        model.setData(index, 1.0, ShareRole);
        ShareDelegate delegate;
        delegate.setColumnWidth([] { return 120; });
        const auto barLength = [&](int width) {
            QImage image(width, 24, QImage::Format_RGB32);
            image.fill(Qt::black);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.state = QStyle::State_Enabled;
            QPainter painter(&image);
            delegate.paint(&painter, option, index);
            painter.end();
            int length = 0;
            for (int x = 0; x < width; ++x)
                length += image.pixel(x, 12) == ThemeColors::light().reservedEdge.rgb();
            return length;
        };
        QVERIFY(barLength(120) > 0);
        QCOMPARE(barLength(300), barLength(120));
    }

    void thePartOfABarThatIsKeptIsDarker()
    {
        QStandardItemModel model(1, ShareColumn + 1);
        const QModelIndex index = model.index(0, ShareColumn);
        model.setData(index, 1.0, ShareRole);
        ShareDelegate delegate;
        delegate.setColorOf([](const QModelIndex&) { return themedCategoryColor(Category::Parameter); });
        delegate.setKeptOf([](const QModelIndex&) {
            return ShareDelegate::KeptPart{0.5, keptColor(themedCategoryColor(Category::Parameter))};
        });
        QImage image(220, 24, QImage::Format_RGB32);
        image.fill(Qt::white);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.state = QStyle::State_Enabled;
        QPainter painter(&image);
        delegate.paint(&painter, option, index);
        painter.end();
        const int figure = option.fontMetrics.horizontalAdvance(QStringLiteral("<0.1%")) + 2 * kCellPadding;
        const int end = image.width() - figure - 2; // of the bar
        const QRgb plain = image.pixel(end, 12);
        QCOMPARE(plain, QColor::fromRgb(themedCategoryColor(Category::Parameter).light).rgb());
        int darkest = 255;
        for (int x = kCellPadding + 2; x < kCellPadding + 12; ++x)
            darkest = std::min(darkest, qGray(image.pixel(x, 12)));
        QVERIFY(darkest < qGray(plain) - 20);
    }

    void theBarHasTheColorOfItsCategoryAlsoIfSelected()
    {
        QStandardItemModel model(1, ShareColumn + 1);
        const QModelIndex index = model.index(0, ShareColumn);
        model.setData(index, 1.0, ShareRole);
        ShareDelegate delegate;
        delegate.setColorOf([](const QModelIndex&) { return themedCategoryColor(Category::Parameter); });
        for (const QStyle::State more : {QStyle::State(), QStyle::State(QStyle::State_Selected)}) {
            QImage image(120, 24, QImage::Format_RGB32);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.state = QStyle::State_Enabled | more;
            QPainter painter(&image);
            delegate.paint(&painter, option, index);
            painter.end();
            QCOMPARE(image.pixelColor(kCellPadding + 1, 12),
                QColor::fromRgb(
                    colorOn(themedCategoryColor(Category::Parameter), ThemeColors::light().ground())));
        }
    }
};

HIGHWATER_APP_TEST(ShareDelegateTest)

} // namespace highwater::gui::test

#include "share_delegate_test.moc"
