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

/// The row for searching allocations: the text, where to search, the number and size of the matches, and
/// buttons for the next and previous match. These start from the pinned allocation, else from the last match.
/// Both references must outlive the bar.
class SearchBar : public QFrame
{
    Q_OBJECT

public:
    SearchBar(AllocationSearch& search, const Selection& selection, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Focuses the field and selects its text. Esc will return the focus to the widget that has it now.
    void focusField();

public slots:
    /// Goes to the next match, or does so once the search is finished.
    void goToNext();
    void goToPrevious();
    /// Ends the search and returns the keyboard focus.
    void dismiss();

signals:
    /// Requests to show and pin this allocation.
    void goTo(highwater::AllocationIndex allocation);
    /// The user ended the search in this bar.
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
    Step m_awaitedStep = Step::None; ///< step to take once the search is finished
    AllocationIndex m_lastMatch = AllocationSearch::kNone; ///< match of the last step
};

} // namespace highwater::gui
