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

/// The objects that the views are made from; all of them must outlive the views.
struct PanelParts
{
    RunState& run;
    RunLoader& files;
    Selection& selection;
    BandView& bandView;
    AnalysisSettings& analysisSettings;
};

/// A view of the window.
struct ViewKind
{
    const char* name; ///< its name in `--view` and in settings
    const char* title = ""; ///< title of its tab, in English
    const char* tip = "";
    AnalysisPanel* (*make)(const PanelParts& parts) = nullptr; ///< null if it is not a tab below the timeline
};

/// Returns the only list of views, in the order of the tabs.
std::span<const ViewKind> viewKinds();
/// Returns `ViewKind::name` of all views.
QStringList viewNames();

/// Adds a tab for each view that has one.
void addAnalysisPanels(PanelTabs& tabs, const PanelParts& parts);

/// Save and restore the open view, and the positions of all splitters inside `page` that have a name.
void savePanelLayout(QSettings& settings, const PanelTabs& tabs, const QWidget& page);
void restorePanelLayout(const QSettings& settings, PanelTabs& tabs, const QWidget& page);

} // namespace highwater::gui
