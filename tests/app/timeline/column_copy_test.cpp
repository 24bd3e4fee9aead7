#include <algorithm>
#include <random>

#include <QTest>

#include "app/timeline/bands/column_copy.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

constexpr QRgb kUnder = 0xff010203;

/// Simulates `width` columns drawn `stretch` times as wide, from the column `first` on.
std::vector<int> columnsOf(int count, int width, double stretch, int first)
{
    std::vector<int> columns;
    for (int x = 0; x < count; ++x)
        columns.push_back(std::clamp(first + static_cast<int>(x / stretch), 0, width - 1));
    return columns;
}

/// A third of the row is empty.
std::vector<QRgb> rowOf(int width, std::mt19937& random)
{
    std::vector<QRgb> row;
    for (int x = 0; x < width; ++x)
        row.push_back(random() % 3 == 0 ? 0u : 0xff000000u | static_cast<QRgb>(random()));
    return row;
}

std::vector<QRgb> copied(const std::vector<QRgb>& row, const std::vector<int>& columns, bool usesAvx2)
{
    std::vector<QRgb> to(columns.size(), kUnder);
    ColumnCopy(columns, static_cast<int>(row.size()), usesAvx2).copyRow(row.data(), row.data(), to.data());
    return to;
}

} // namespace

class ColumnCopyTest : public QObject
{
    Q_OBJECT

private slots:
    void pixelsAreThoseOfTheirColumnsAndEmptyOnesLeaveWhatIsThere()
    {
        std::mt19937 random(1);
        for (const int width : {1, 7, 8, 9, 300})
            for (const int count : {0, 1, 7, 8, 15, 64, 301})
                for (const double stretch : {0.05, 0.42, 0.8, 1.0, 1.25, 2.0, 80.0}) {
                    const std::vector<QRgb> row = rowOf(width, random);
                    const std::vector<int> columns = columnsOf(count, width, stretch, width / 5);
                    std::vector<QRgb> expected;
                    for (const int column : columns) {
                        const QRgb color = row[static_cast<std::size_t>(column)];
                        expected.push_back(color != 0 ? color : kUnder);
                    }
                    QCOMPARE(copied(row, columns, true), expected);
                    QCOMPARE(copied(row, columns, false), expected);
                }
    }
};

HIGHWATER_APP_TEST(ColumnCopyTest)

} // namespace highwater::gui::test

#include "column_copy_test.moc"
