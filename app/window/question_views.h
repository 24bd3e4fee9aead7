#pragma once

namespace highwater::gui {

class AnalysisView;
class BandView;
class QuestionTabs;
class Selection;

/// The views that every page has, in the order of their tabs.
void addQuestionViews(QuestionTabs& tabs, Selection& selection, BandView& bandView, AnalysisView& reading);

} // namespace highwater::gui
