#pragma once

#include <QFrame>
#include <QPointer>

#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/allocation_search.h"
#include "app/workspace/view/selection.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace highwater::gui {

enum class LineIcon;

/// One row to search with: what, where, how many answer to it and how large they are, and the way from match
/// to match, which starts at the pinned allocation.
class SearchBar : public QFrame
{
    Q_OBJECT

public:
    SearchBar(AllocationSearch& search, const Selection& selection, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Focuses the field and selects its content; Esc returns the focus to the widget that has it now.
    void focusField();

public slots:
    /// Go to a match, as soon as the search has an answer.
    void goToNext();
    void goToPrevious();
    /// Ends the search and gives the keyboard back.
    void dismiss();

signals:
    /// Whoever answers is to show and pin the allocation.
    void goTo(highwater::AllocationIndex allocation);
    /// The search has been ended from here.
    void dismissed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Step
    {
        None,
        Next,
        Previous
    };

    void makeField();
    void makeWindows();
    QToolButton* makeButton(
        const QString& name, LineIcon icon, const QString& tip, void (SearchBar::*slot)());
    void layOut();
    bool isEscape(QEvent* event);
    bool isEnter(QEvent* event);
    void refresh();
    void showAnswer();
    void step(Step step);

    AllocationSearch& m_search;
    const Selection& m_selection;
    ThemeColors m_colors;
    QLineEdit* m_field;
    QComboBox* m_windows;
    QLabel* m_answer;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_clear;
    QPointer<QWidget> m_focusBefore;
    Step m_awaited = Step::None; ///< what to do when the answer comes
    AllocationIndex m_last = AllocationSearch::kNone; ///< where the last step led to
};

} // namespace highwater::gui
