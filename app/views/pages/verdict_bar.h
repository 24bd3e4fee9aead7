#pragma once

#include <optional>

#include <QFrame>

#include "app/workspace/document/document.h"
#include "app/workspace/theme/theme_colors.h"

class QToolButton;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class Headline;
class MemoryGauge;
struct GaugeFigures;

/// How much of the device a run used: of its bar, and of those of a comparison. It says so where the device
/// is a rehearsal's.
GaugeFigures gaugeFigures(const Document& document, const DeviceAnalysis& analysis,
    const std::optional<DeviceCapacity>& capacity = std::nullopt);

/// What is wrong with the run in the words of the report, how much of the device it used, and how many
/// findings there are. It keeps its height whatever it says.
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
    void setColors(const ThemeColors& colors);
    const Headline& headline() const { return *m_headline; }

    /// A window may be narrower than all of it side by side.
    QSize minimumSizeHint() const override { return {320, QFrame::minimumSizeHint().height()}; }

signals:
    void eventRequested(qint64 event);
    void remarksRequested();
    void findingsRequested();

private:
    Headline* m_headline;
    MemoryGauge* m_gauge;
    QToolButton* m_findings;
    QToolButton* m_limits; ///< of the recording
    QToolButton* m_remarks;
    qint64 m_peakEvent = -1;
};

} // namespace highwater::gui
