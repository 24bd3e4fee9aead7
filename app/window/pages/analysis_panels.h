#pragma once

class QSettings;
class QWidget;

namespace highwater::gui {

class AnalysisSettings;
class BandView;
class PanelTabs;
class RunState;
class Selection;

/// The views that every page has, in the order of their tabs.
void addAnalysisPanels(
    PanelTabs& tabs, RunState& run, Selection& selection, BandView& bandView, AnalysisSettings& reading);

/// Which view is open and how much room it has; and the places of all splitters below a widget.
void saveQuestionLayout(QSettings& settings, const PanelTabs& tabs, const QWidget& page);
void restoreQuestionLayout(const QSettings& settings, PanelTabs& tabs, const QWidget& page);

} // namespace highwater::gui
