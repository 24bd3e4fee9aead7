#pragma once

#include <QComboBox>
#include <QTest>

#include "app/views/moment/composition_view.h"

namespace highwater::gui::test {

/// A visible view of the allocations of a device, with everything it needs.
struct CompositionScene
{
    explicit CompositionScene(std::shared_ptr<const DeviceAnalysis> of)
        : analysis(std::move(of))
        , view(selection, bands)
    {
        bands.setAnalysis(analysis);
        view.setColors(ThemeColors::light());
        view.resize(1000, 400);
        view.show();
        view.showDevice(analysis);
        settle();
    }

    void settle()
    {
        QVERIFY(QTest::qWaitFor([&] { return view.isSettled() && !view.heading().isEmpty(); }));
    }
    template <typename Page>
    Page& show(CompositionView::Way way)
    {
        view.findChild<QComboBox*>(QStringLiteral("momentWay"))->setCurrentIndex(static_cast<int>(way));
        settle();
        return static_cast<Page&>(view.page(way));
    }
    void choose(MomentChoice choice)
    {
        view.findChild<QComboBox*>(QStringLiteral("momentChoice"))->setCurrentIndex(static_cast<int>(choice));
        settle();
    }
    /// Returns the bytes of the allocations that are highlighted in the timeline.
    Bytes highlightedBytes() const
    {
        Bytes bytes = 0;
        const auto highlighted = bands.highlighted();
        for (AllocationIndex i = 0; highlighted && i < highlighted->size(); ++i)
            if ((*highlighted)[i])
                bytes += analysis->allocations.bytes(i);
        return bytes;
    }

    std::shared_ptr<const DeviceAnalysis> analysis;
    Selection selection;
    BandView bands;
    CompositionView view;
};

} // namespace highwater::gui::test
