#pragma once

#include <memory>
#include <vector>

#include <QDialog>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"

class QDialogButtonBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace highwater::gui {

/// The user's rules for categories, as JSON text like in rule files. While the user types, the dialog shows
/// what is wrong, or how many bytes the rules match at the peak.
class RulesDialog : public QDialog
{
    Q_OBJECT

public:
    RulesDialog(std::shared_ptr<const DeviceAnalysis> analysis, const std::vector<CategoryRule>& rules,
        QWidget* parent = nullptr);

    /// Returns the rules in the text; the last valid ones if the text is invalid.
    const std::vector<CategoryRule>& rules() const { return m_rules; }

private:
    void layOut();
    QDialogButtonBox* makeButtons();
    void check();
    void countAtPeak();
    void load();
    void save();
    void showAnswer(const QString& text, bool isValid);

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::vector<CategoryRule> m_rules;
    LatestTask m_countTask;
    QPlainTextEdit* m_text;
    QLabel* m_answer;
    QPushButton* m_applyButton = nullptr;
};

} // namespace highwater::gui
