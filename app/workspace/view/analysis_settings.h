#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// How the device on screen is analysed: which bytes are counted, how its steps are found, which rules
/// categorise its allocations. A new analysis is computed off the GUI thread; the old one stays visible until
/// it is ready. Allocations have the same indices in every analysis.
class AnalysisSettings : public QObject
{
    Q_OBJECT

public:
    explicit AnalysisSettings(QObject* parent = nullptr);

    /// Another device, as its document has it; null: none. What was asked for stays asked for, but markers of
    /// steps, which are events of one device.
    void setDevice(std::shared_ptr<const DeviceAnalysis> own);
    /// The analysis to show; null without a device.
    const std::shared_ptr<const DeviceAnalysis>& shown() const { return m_shown; }

    /// Whether the bytes that blocks occupy can be worked out for this device.
    bool offersAllocated() const;
    void setAllocated(bool allocated);
    /// What was asked for last, which may still be on its way; the device need not offer it.
    bool wantsAllocated() const { return m_wantsAllocated; }
    void setSteps(const StepRequest& request);
    const StepRequest& steps() const { return m_steps; }
    void setRules(const std::vector<CategoryRule>& rules);
    const std::vector<CategoryRule>& rules() const { return m_rules; }
    bool isBusy() const { return m_busy; }

signals:
    /// `shown` is another analysis of the same device.
    void shownChanged();
    /// `isBusy` or what is asked for may have changed.
    void busyChanged();

private:
    AnalysisChoice wanted() const;
    void follow();
    void show(std::shared_ptr<const DeviceAnalysis> analysis);

    std::shared_ptr<const DeviceAnalysis> m_own;
    std::shared_ptr<const DeviceAnalysis> m_other; ///< the last one worked out for this device; may be null
    std::shared_ptr<const DeviceAnalysis> m_shown;
    bool m_wantsAllocated = false;
    StepRequest m_steps;
    std::vector<CategoryRule> m_rules;
    bool m_busy = false;
    LatestTask m_task;
};

/// Which bytes an analysis counts: "requested bytes", "allocated bytes", or "allocated bytes (lower bound)"
/// if some are inferred.
QString quantityText(const DeviceAnalysis& analysis);
/// "14.50 GiB"; "≥ 14.50 GiB" where it can be a lower bound.
QString lowerBoundText(const DeviceAnalysis& analysis, Bytes bytes);
/// "14.50 GiB requested", "≥ 14.50 GiB allocated".
QString amountText(const DeviceAnalysis& analysis, Bytes bytes);

} // namespace highwater::gui
