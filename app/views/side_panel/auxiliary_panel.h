#pragma once

#include <vector>

#include <QWidget>

#include "app/workspace/document/auxiliary_sources.h"
#include "app/workspace/view/selection.h"

class QCheckBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QScrollArea;

namespace highwater::gui {

/// Settings for the other files of the run whose lines the timeline shows: which lines are shown, and how far
/// the clocks of the files are shifted. A sentence compares the memory levels at the cursor. Files that
/// cannot be placed on the device's clock have no settings. Hidden if no file has settings. `sources` and
/// `selection` must outlive the panel.
class AuxiliaryPanel : public QWidget
{
    Q_OBJECT

public:
    AuxiliaryPanel(AuxiliarySources& sources, Selection& selection, QWidget* parent = nullptr);

    /// Returns a sentence on the memory levels at the cursor; empty without a cursor or without lines.
    QString levelsText() const;

private:
    void rebuild();
    void addSource(std::size_t source, int& row);
    void addLine(std::size_t line, int row);
    void showLevels();
    void showOffsets();

    AuxiliarySources& m_sources;
    Selection& m_selection;
    QScrollArea* m_scroll;
    QWidget* m_rows;
    QGridLayout* m_grid = nullptr;
    QLabel* m_levels;
    std::vector<QDoubleSpinBox*> m_offsets; ///< by source; null without settings
    std::vector<QCheckBox*> m_checks; ///< by line
};

} // namespace highwater::gui
