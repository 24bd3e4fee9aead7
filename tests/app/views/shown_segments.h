#pragma once

#include <QSignalSpy>
#include <QTest>

#include "app/views/segments/address_map_view.h"
#include "app/views/segments/segments_view.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// A visible view of a sample, complete.
struct ShownSegments
{
    explicit ShownSegments(const QString& sample)
        : analysis(mainAnalysis(sample))
        , view(selection, bands)
    {
        bands.setAnalysis(analysis);
        view.resize(1200, 400);
        view.show();
        view.showDevice(analysis);
        settle();
    }
    void settle()
    {
        if (view.isSettled())
            return;
        QSignalSpy settled(&view, &AnalysisPanel::settled);
        QVERIFY(settled.wait());
    }
    void moveTo(std::int64_t event)
    {
        selection.setCursor(event);
        QTRY_VERIFY(view.isSettled() && view.moment()->state.event == event);
    }
    /// Returns a point in the allocation's block on the map; (−1, −1) if the block is not visible.
    QPoint pointOf(AllocationIndex allocation)
    {
        const auto& blocks = view.moment()->state.blocks;
        const QRect room = view.map().viewport()->rect();
        for (int y = 0; y < room.height(); ++y)
            for (int x = 0; x < room.width(); ++x)
                if (const auto block = view.map().blockAt({x, y});
                    block && blocks[*block].allocation == allocation)
                    return {x, y};
        return {-1, -1};
    }

    Selection selection;
    BandView bands;
    std::shared_ptr<const DeviceAnalysis> analysis;
    SegmentsView view;
};

} // namespace highwater::gui::test
