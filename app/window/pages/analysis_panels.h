#pragma once

#include <span>

#include <QStringList>

class QSettings;
class QWidget;

namespace highwater::gui {

class AnalysisPanel;
class AnalysisSettings;
class BandView;
class PanelTabs;
class RunLoader;
class RunState;
class Selection;

/// What views are made from; all of it outlives them.
struct PanelParts
{
    RunState& run;
    RunLoader& files;
    Selection& selection;
    BandView& bandView;
    AnalysisSettings& reading;
};

/// A view of the window.
struct ViewKind
{
    const char* name; ///< what `--view` and settings call it
    const char* title = ""; ///< of its tab, in English
    const char* tip = "";
    AnalysisPanel* (*make)(const PanelParts& parts) = nullptr; ///< null: it is no tab below the timeline
};

/// The one list of views: tabs in this order, `--view` and the manual's test read it. To add a view, give it
/// a row here.
std::span<const ViewKind> viewKinds();
QStringList viewNames();

/// Adds a tab for each view that is one.
void addAnalysisPanels(PanelTabs& tabs, const PanelParts& parts);

/// Which view is open and how much room it has; and the places of all splitters below a widget.
void saveQuestionLayout(QSettings& settings, const PanelTabs& tabs, const QWidget& page);
void restoreQuestionLayout(const QSettings& settings, PanelTabs& tabs, const QWidget& page);

} // namespace highwater::gui
