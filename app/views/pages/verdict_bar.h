#pragma once

#include <optional>

#include <QFrame>

#include "app/workspace/document/document.h"

class QHBoxLayout;
class QLabel;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

/// The figures that count, in words: the peak, what was reserved, how many allocations, and whether memory
/// ran out.
class VerdictBar : public QFrame
{
    Q_OBJECT

public:
    explicit VerdictBar(QWidget* parent = nullptr);

    /// `capacity`: what the device has, as far as that is known or chosen.
    void show(const Document& document, const DeviceAnalysis& analysis,
        const std::optional<DeviceCapacity>& capacity = std::nullopt);
    /// What is wrong with the run, as the report says it; null: it is not known yet.
    void showFindings(const RunStudy* run);
    /// All that it says, one figure a line.
    QString text() const;

    /// A window may be narrower than all figures side by side.
    QSize minimumSizeHint() const override { return {320, QFrame::minimumSizeHint().height()}; }

signals:
    void eventRequested(qint64 event);
    void remarksRequested();
    void findingsRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Figure
    {
        QLabel* value;
        QLabel* caption;
    };

    Figure addFigure(const QString& name);
    static QString peakPlace(const DeviceAnalysis& analysis);
    void showPeak(const DeviceAnalysis& analysis);
    void showCapacity(
        const DeviceFigures& figures, const std::optional<DeviceCapacity>& capacity, bool isReservedKnown);
    void makeRoom();
    void showOutOfMemory(const DeviceFigures& figures);

    QHBoxLayout* m_layout;
    Figure m_peak;
    Figure m_reserved;
    Figure m_capacity;
    Figure m_allocations;
    Figure m_outOfMemory;
    QLabel* m_sentence;
    QLabel* m_findings;
    QLabel* m_remarks;
};

} // namespace highwater::gui
