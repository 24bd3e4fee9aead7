#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// How the device on screen is analysed: which bytes are counted, how steps are found, and which rules assign
/// categories. A new analysis is computed off the GUI thread; the old one stays visible until it is ready.
/// Allocations have the same indices in every analysis.
class AnalysisSettings : public QObject
{
    Q_OBJECT

public:
    explicit AnalysisSettings(QObject* parent = nullptr);

    /// Sets another device, as analysed in its document; null for none. Settings are kept, except markers of
    /// steps, which are events of one device.
    void setDevice(std::shared_ptr<const DeviceAnalysis> original);
    /// Returns the analysis to show; null without a device.
    const std::shared_ptr<const DeviceAnalysis>& shown() const { return m_shown; }

    /// True if allocated bytes can be computed for this device.
    bool offersAllocated() const;
    void setAllocated(bool allocated);
    /// True if the user chose allocated bytes, even if they are still being computed or the device does not
    /// offer them.
    bool wantsAllocated() const { return m_wantsAllocated; }
    void setSteps(const StepRequest& request);
    const StepRequest& steps() const { return m_steps; }
    void setRules(const std::vector<CategoryRule>& rules);
    const std::vector<CategoryRule>& rules() const { return m_rules; }
    bool isBusy() const { return m_busy; }

signals:
    /// `shown` is another analysis of the same device.
    void shownChanged();
    /// `isBusy` or the chosen settings may have changed.
    void busyChanged();

private:
    AnalysisChoice wantedChoice() const;
    void applyWanted();
    void show(std::shared_ptr<const DeviceAnalysis> analysis);

    std::shared_ptr<const DeviceAnalysis> m_original;
    std::shared_ptr<const DeviceAnalysis> m_recomputed; ///< computed last for this device; may be null
    std::shared_ptr<const DeviceAnalysis> m_shown;
    bool m_wantsAllocated = false;
    StepRequest m_steps;
    std::vector<CategoryRule> m_rules;
    bool m_busy = false;
    LatestTask m_task;
};

/// Names the counted bytes: "requested bytes", "allocated bytes", or "allocated bytes (lower bound)" if some
/// are inferred.
QString quantityText(const DeviceAnalysis& analysis);
/// Returns "14.5 GiB"; "≥ 14.5 GiB" if it may be a lower bound.
QString totalText(const DeviceAnalysis& analysis, Bytes bytes);
/// Formats the peak of the run as `totalText` does, with "≥ 14.5 GiB" also if the recording may lack the
/// peak: it lacks its start, or the file may end early. Of a file of one moment, these are the bytes then.
QString runPeakText(const DeviceAnalysis& analysis, Bytes bytes);
/// Returns "14.5 GiB", "≥ 14.5 GiB allocated". Requested bytes, the usual ones, are not named: "requested" is
/// said of a failed request.
QString amountText(const DeviceAnalysis& analysis, Bytes bytes);

} // namespace highwater::gui
