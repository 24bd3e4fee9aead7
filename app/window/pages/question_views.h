#pragma once

class QSettings;
class QWidget;

namespace highwater::gui {

class AnalysisView;
class BandView;
class QuestionTabs;
class Selection;

/// The views that every page has, in the order of their tabs.
void addQuestionViews(QuestionTabs& tabs, Selection& selection, BandView& bandView, AnalysisView& reading);

/// Which view is open and how much room it has; and the places of all splitters below a widget.
void saveQuestionLayout(QSettings& settings, const QuestionTabs& tabs, const QWidget& page);
void restoreQuestionLayout(const QSettings& settings, QuestionTabs& tabs, const QWidget& page);

} // namespace highwater::gui
