#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

#include "app/views/parts/arrange.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

/// Tests of the helpers that lay out views.
class ArrangeTest : public QObject
{
    Q_OBJECT

private slots:
    void aRowHasItsPartsInOrderWithTheirShares()
    {
        QWidget row;
        auto* first = new QWidget(&row);
        auto* second = new QWidget(&row);
        const QHBoxLayout* layout
            = layRow(&row, {first, {second, 2}, Part::space(1), Part::gap(7)}, {{1, 2, 3, 4}, 5});
        QCOMPARE(layout->count(), 4);
        QCOMPARE(layout->itemAt(0)->widget(), first);
        QCOMPARE(layout->itemAt(1)->widget(), second);
        QCOMPARE(layout->stretch(0), 0);
        QCOMPARE(layout->stretch(1), 2);
        QCOMPARE(layout->stretch(2), 1);
        QCOMPARE(layout->itemAt(3)->spacerItem()->sizeHint().width(), 7);
        QCOMPARE(layout->contentsMargins(), QMargins(1, 2, 3, 4));
        QCOMPARE(layout->spacing(), 5);
    }

    void aColumnWithoutAWidgetGoesIntoAnotherLayout()
    {
        QWidget row;
        auto* label = new QLabel(&row);
        QVBoxLayout* column = layColumn(nullptr, {label});
        const QHBoxLayout* layout = layRow(&row, {{column, 1}});
        QCOMPARE(layout->itemAt(0)->layout(), column);
        QCOMPARE(layout->stretch(0), 1);
        QCOMPARE(column->itemAt(0)->widget(), label);
    }

    void aSplitterKeepsThePartWithoutAShareAsItIs()
    {
        QSplitter splitter(Qt::Horizontal);
        fillSplitter(&splitter, {{new QLabel, 1}, new QLabel}, {300, 100});
        splitter.resize(400 + splitter.handleWidth(), 50);
        splitter.show();
        splitter.resize(600 + splitter.handleWidth(), 50);
        QCOMPARE(splitter.sizes(), (QList<int>{500, 100}));
    }

    void buttonsCloseTheirDialog()
    {
        QDialog dialog;
        QDialogButtonBox buttons(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
        connectButtons(buttons, dialog);
        QSignalSpy finished(&dialog, &QDialog::finished);
        buttons.button(QDialogButtonBox::Ok)->click();
        buttons.button(QDialogButtonBox::Cancel)->click();
        QCOMPARE(finished.count(), 2);
        QCOMPARE(finished[0][0].toInt(), int(QDialog::Accepted));
        QCOMPARE(finished[1][0].toInt(), int(QDialog::Rejected));
    }
};

HIGHWATER_APP_TEST(ArrangeTest)

} // namespace highwater::gui::test

#include "arrange_test.moc"
