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

/// The effect that other allocator settings would have had: the recording is replayed with each of them, when
/// the panel is first visible.
class ReplayPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ReplayPanel(QWidget* parent = nullptr);

    /// Null shows no device. Nothing is computed until the panel is visible.
    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors) { m_model.setColors(colors); }
    bool isSettled() const { return !m_task.isBusy(); }
    QTableView& table() { return *m_table; }
    /// Copies PYTORCH_CUDA_ALLOC_CONF of the chosen row to the clipboard; without one, that of the best.
    void copyConfiguration();

signals:
    void settled();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void workOut();
    void accept(std::shared_ptr<const SettingsStudy> study);
    void showSentence(const QString& sentence);
    /// The advice of the chosen row, else the best; null if the row is no advice or there is none.
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
