#pragma once

#include <optional>

#include <QFrame>

#include "app/workspace/document/document.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/study/gpu_answer.h"
#include "core/study/outcome/key_moment.h"

class QToolButton;

namespace highwater {
struct Diagnosis;
class RunStudy;
}

namespace highwater::gui {

class Headline;
class MemoryGauge;
struct GaugeFigures;

/// Returns the figures of how much of its GPU a run used at a moment, for the verdict bar and for a
/// comparison. If the run was rehearsed on a simulated GPU, the texts say so. The capacity of that GPU is
/// shown if no other is `given`, unless the memory is the host's or the run reserved more.
GaugeFigures gaugeFigures(const Document& document, const DeviceAnalysis& analysis,
    const std::optional<DeviceCapacity>& given, const KeyMoment& moment);

/// The bar above the timeline: the diagnosis of the run in the words of the report, how much of the GPU it
/// used, whether it fits the GPU that the user chose, the findings, and limits and messages of the import.
/// Its height does not depend on the content; the gauge gives room to a long headline.
class VerdictBar : public QFrame
{
    Q_OBJECT

public:
    explicit VerdictBar(QWidget* parent = nullptr);

    /// Shows the figures of a device; `showFindings` adds the diagnosis. `capacity` is the memory of the GPU,
    /// if known or set by the user.
    void show(const Document& document, const DeviceAnalysis& analysis,
        const std::optional<DeviceCapacity>& capacity = std::nullopt);
    /// Shows the figures of a log, which has no device: the memory in use when memory ran out, else the
    /// highest values of its series. The gauge is hidden if the log has neither.
    void showLog(const Document& document, const Diagnosis& diagnosis);
    /// Shows the diagnosis, what could be saved or else the number of faults, and whether the run fits the
    /// chosen GPU. `run` is null while its findings are not known.
    void showFindings(const RunStudy* run);
    void setColors(const ThemeColors& colors);
    const Headline& headline() const { return *m_headline; }

    /// The window may be narrower than the sum of the parts.
    QSize minimumSizeHint() const override { return {320, QFrame::minimumSizeHint().height()}; }

signals:
    void eventRequested(qint64 event);
    /// The user clicked the gauge of a log. `line` is that of the first failure, or that of the highest value
    /// of the first series with known lines; 0 if unknown.
    void lineRequested(quint64 line);
    void remarksRequested();
    void findingsRequested();
    /// The user clicked the answer for the chosen GPU, to choose another one.
    void capacityRequested();
    /// The user points at the headline. `finding` explains the headline and saves memory; it is an index in
    /// the findings of the run. Nullopt if there is no such finding, and when the mouse leaves.
    void fixPointedAt(std::optional<std::size_t> finding);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRemarks(const Document& document);
    void showAnswer(const std::optional<GpuAnswer>& answer);
    void shareRoom();

    Headline* m_headline;
    QToolButton* m_answer; ///< whether the run fits the chosen GPU
    MemoryGauge* m_gauge;
    QToolButton* m_findings;
    QToolButton* m_limits; ///< limits of the recording
    QToolButton* m_remarks; ///< messages of the import
    bool m_hasFigures = true; ///< the gauge has something to show
    qint64 m_gaugeEvent = -1; ///< the moment of the gauge's figures
    std::optional<quint64> m_logLine; ///< opened by a click on the gauge of a log
    std::optional<std::size_t> m_fix; ///< finding that explains the headline and saves memory
};

} // namespace highwater::gui
