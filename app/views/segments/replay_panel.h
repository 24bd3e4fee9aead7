#pragma once

#include <functional>
#include <memory>

#include <QWidget>

#include "app/models/table_model.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/analysis/allocator/settings_advice.h"

class QLabel;
class QPushButton;
class QTableView;

namespace highwater::gui {

/// The effect that other allocator settings would have had. The first time that the panel is visible with a
/// device, the recording is replayed with each setting, off the GUI thread.
class ReplayPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ReplayPanel(QWidget* parent = nullptr);

    /// Shows a device; null for none. Nothing is computed until the panel is visible.
    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors) { m_model.setColors(colors); }
    bool isSettled() const { return !m_task.isBusy(); }
    QTableView& table() { return *m_table; }
    /// Returns the sentences that say why there is no advice; empty if there is advice, or before this is
    /// known.
    QString noAdviceText() const;
    /// Copies PYTORCH_CUDA_ALLOC_CONF of the chosen row to the clipboard; at first this is the row of the
    /// best settings. Does nothing if the row has no advice.
    void copyConfiguration();

signals:
    /// `isSettled` may have become true.
    void settled();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void replay();
    void acceptStudy(std::shared_ptr<const SettingsStudy> study);
    void showSentence(const QString& sentence);
    /// Returns the advice of the chosen row; null if it has none.
    const SettingsAdvice* chosen() const;

    TableModel m_model;
    QLabel* m_sentence;
    QTableView* m_table;
    QPushButton* m_copy;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const SettingsStudy> m_study;
    bool m_isStale = false;
    LatestTask m_task;
};

} // namespace highwater::gui
