#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include <QWidget>

#include "app/views/allocation_facts.h"
#include "app/workspace/paced.h"
#include "app/workspace/selection.h"
#include "app/workspace/theme_colors.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace highwater::gui {

class StackView;

/// What is known of the allocation that is pinned or under the mouse.
class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(Selection& selection, QWidget* parent = nullptr);

    void show(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);
    /// Everything shown, as text; empty when nothing is.
    QString text() const;

    QSize sizeHint() const override { return {330, 600}; }
    /// Not what the content asks for: that would lay out the window with every move of the mouse.
    QSize minimumSizeHint() const override { return {260, 200}; }

private:
    void build();
    QLabel* addHeading(const QString& text);
    void refresh();
    void setFact(QLabel& label, const Fact& fact) const;
    void fillGrid(QGridLayout* grid, const std::vector<Fact>& facts);
    void copyAll();

    Selection& m_selection;
    std::tuple<std::size_t, std::size_t, bool> m_shape{}; ///< which rows there are
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    ThemeColors m_colors;
    Paced m_pace; ///< it follows the mouse
    QLabel* m_title = nullptr;
    QLabel* m_state = nullptr;
    QWidget* m_body = nullptr;
    QGridLayout* m_what = nullptr;
    QLabel* m_stackTitle = nullptr;
    QLabel* m_withoutStack = nullptr;
    StackView* m_stack = nullptr;
    QLabel* m_sameTitle = nullptr;
    QGridLayout* m_same = nullptr;
    QPushButton* m_copy = nullptr;
};

} // namespace highwater::gui
