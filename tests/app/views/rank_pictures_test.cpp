#include <algorithm>
#include <memory>

#include <QLabel>
#include <QScrollArea>
#include <QTest>

#include "app/views/ranks/rank_heat_view.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/views/ranks/ranks_view.h"
#include "app/workspace/document/run_session.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/shown_texts.h"

namespace highwater::gui::test {

/// Tests of the map, the totals and the sentences of ranks at sizes where texts must give way.
class RankPicturesTest : public QObject
{
    Q_OBJECT

private:
    DocumentLoader m_loader;
    RunSession m_session{m_loader};

private slots:
    void initTestCase()
    {
        useScratchSettings();
        m_session.open({QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks")});
        QTRY_VERIFY(m_session.run().ranks() && !m_session.run().isLoading());
    }

    void aShortMapLeavesOutItsScale()
    {
        RankHeatView view;
        view.resize(400, 300);
        view.show();
        view.setRanks(m_session.run().ranks());
        const double below = view.height() - view.plotRect().bottom();
        view.resize(400, 100);
        QVERIFY(view.height() - view.plotRect().bottom() < below);
    }

    void theKeyOfANarrowMapIsNotCut()
    {
        RankHeatView view;
        view.resize(250, 260);
        view.show();
        view.setRanks(m_session.run().ranks());
        for (const DrawnText& text : shownTexts(view))
            QVERIFY2(text.ink.left() >= 0 && text.ink.right() <= view.width(), qPrintable(text.text));
    }

    void everyStepOfAWideMapIsNamed()
    {
        RankHeatView view;
        view.resize(600, 260);
        view.show();
        view.setRanks(m_session.run().ranks());
        QStringList texts;
        for (const DrawnText& text : shownTexts(view))
            texts << text.text;
        for (const char* step : {"step 0", "1", "2"})
            QVERIFY2(texts.contains(QLatin1String(step)), step);
    }

    void aNarrowAxisOfTotalsHasNoTextAtItsStart()
    {
        RankOverlay overlay;
        overlay.resize(600, 200);
        QCOMPARE(overlay.axisTexts().first, QStringLiteral("first event"));
        overlay.resize(160, 200);
        QVERIFY(overlay.axisTexts().first.isEmpty());
        QCOMPARE(overlay.axisTexts().second, QStringLiteral("last event"));
    }

    void aShortViewNamesEveryRankOfFour()
    {
        RanksView view(m_session.run());
        view.setFixedSize(698, 130);
        view.show();
        QTRY_VERIFY(view.heat().plotRect().height() >= 4 * view.heat().fontMetrics().height());
        QStringList names;
        for (const DrawnText& text : shownTexts(view.heat()))
            names << text.text;
        for (const char* rank : {"rank 0", "rank 1", "rank 2", "rank 3"})
            QVERIFY2(names.contains(QLatin1String(rank)), rank);
    }

    void theTimeAxisBeginsShortlyBeforeTheFirstChangeAfterAnIdleStart()
    {
        auto figures = std::make_shared<RankFile>();
        RankDevice& device = figures->devices.emplace_back();
        device.peakBytes = 100 * kMiB;
        device.outline.byTime.assign(100, 10 * kMiB);
        std::fill(device.outline.byTime.begin() + 80, device.outline.byTime.end(), 100 * kMiB);
        device.outline.end = 10'000'000'000;
        RankOverlay overlay;
        overlay.resize(600, 200);
        overlay.setAxis(AxisKind::Time);
        overlay.setLines({{0, QStringLiteral("rank 0"), figures, false}});
        QVERIFY2(overlay.axisTexts().first.startsWith(QStringLiteral("+7.9")),
            qPrintable(overlay.axisTexts().first));
        QVERIFY(overlay.axisTexts().second.startsWith(QStringLiteral("+10")));
        QVERIFY(overlay.pointOf(0, 0.5)->y() < overlay.pointOf(0, 0)->y());
    }

    void aShortViewHasWholeSentences()
    {
        DocumentLoader loader;
        RunSession session(loader);
        RanksView view(session.run());
        view.setFixedSize(520, 190);
        view.show();
        QStringList paths{QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks")};
        for (const char* name : {"empty", "memo-unset", "setitems-odd", "protocol-7"})
            paths << brokenPath(QStringLiteral("%1.pickle").arg(QLatin1String(name)));
        session.open(paths);
        const auto& sentences = *view.findChild<QLabel*>(QStringLiteral("ranksSentences"));
        QTRY_VERIFY(session.run().ranks() && !session.run().isLoading());
        QTRY_VERIFY(sentences.text().contains(QStringLiteral(".pickle: ")));
        QVERIFY(sentences.text().endsWith(QLatin1Char('.')));
        QVERIFY(sentences.text().size() < view.text().size());
        const auto* answer = view.findChild<QScrollArea*>(QStringLiteral("ranksAnswer"));
        QTRY_VERIFY(sentences.heightForWidth(answer->viewport()->width()) <= answer->height());
    }
};

HIGHWATER_APP_TEST(RankPicturesTest)

} // namespace highwater::gui::test

#include "rank_pictures_test.moc"
