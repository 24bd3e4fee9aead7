#include <algorithm>
#include <array>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>

#include "app/views/compare/compare_header.h"
#include "app/views/compare/compare_pictures.h"
#include "app/views/compare/diff_table.h"
#include "app/views/compare/row_stack.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"
#include "app/views/parts/scrolling.h"
#include "app/views/parts/tool_bar.h"
#include "app/window/pages/compare_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/table/composition_tables.h"

// Commands, tool bar and heights of the page.

namespace highwater::gui {

namespace {

constexpr std::array kAxes{RunAxis::Step, RunAxis::EqualStep, RunAxis::Phase, RunAxis::Time, RunAxis::Event};
constexpr std::array kGroups{GroupKey::Site, GroupKey::Stack, GroupKey::Function, GroupKey::File,
    GroupKey::Module, GroupKey::Category, GroupKey::Size};

constexpr int kBarIcon = 16;
constexpr int kLeastPictures = 400; ///< least width of timelines and pictures, in pixels
constexpr double kTimelinesShare = 0.68; ///< of the height of a large window

QString axisTitle(RunAxis axis)
{
    switch (axis) {
    case RunAxis::Step: return ComparePage::tr("Steps");
    case RunAxis::EqualStep: return ComparePage::tr("Equal steps");
    case RunAxis::Phase: return ComparePage::tr("Phases");
    case RunAxis::Time: return ComparePage::tr("Time");
    case RunAxis::Event: return ComparePage::tr("Events");
    }
    return {};
}

QString axisTip(RunAxis axis)
{
    switch (axis) {
    case RunAxis::Step: return ComparePage::tr("Paired steps start at the same place");
    case RunAxis::EqualStep:
        return ComparePage::tr("Paired steps, all equally wide, so that a short failed step is visible");
    case RunAxis::Phase:
        return ComparePage::tr(
            "Paired phases also start at the same place, if both runs have the same phases");
    case RunAxis::Time: return ComparePage::tr("Time since the first event of each run");
    case RunAxis::Event: return ComparePage::tr("Events by number, from the first");
    }
    return {};
}

} // namespace

void ComparePage::makeActions()
{
    const auto make = [this](const QString& text, const QString& tip, bool checkable) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        action->setCheckable(checkable);
        addAction(action);
        return action;
    };
    m_swap = make(tr("S&wap"), tr("Swap the two sides (X)"), false);
    m_swap->setShortcut(Qt::Key_X);
    m_swap->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_axes = new QActionGroup(this);
    for (const RunAxis axis : kAxes) {
        QAction* action = make(axisTitle(axis), tr("Align the runs: %1").arg(axisTip(axis)), true);
        action->setData(static_cast<int>(axis));
        m_axes->addAction(action);
    }
    auto* moments = new QActionGroup(this);
    m_peaks = make(tr("Peaks"), tr("Compare the peaks of both runs (P)"), true);
    m_cursor = make(tr("Cursor"),
        tr("Compare both runs at one place of the axis (C). Click in a timeline to choose another; "
           "Ctrl+click "
           "chooses it for that run only"),
        true);
    m_cursor->setShortcut(Qt::Key_C);
    m_cursor->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_step = make(tr("Steps"), tr("Compare the peaks of two steps; [ and ] select other steps"), true);
    for (QAction* action : {m_peaks, m_cursor, m_step})
        moments->addAction(action);
    m_sameScale = make(tr("Same scale"), tr("Same bytes per pixel in both timelines"), true);
    m_sameScale->setChecked(true);
    m_close = make(tr("Close"), tr("Close the comparison and return to the single run"), false);
    m_close->setIcon(lineIcon(LineIcon::Close));
}

void ComparePage::makeToolBar()
{
    m_bar->setObjectName(QStringLiteral("compareToolBar"));
    m_bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_bar->setIconSize({kBarIcon, kBarIcon});
    for (const GroupKey key : kGroups)
        m_group->addItem(toQString(groupTitle(key)), static_cast<int>(key));
    named(m_group, "diffGroup", tr("Group rows by"), tr("Group rows by"));
    m_group->setMinimumHeight(fontMetrics().height() + 12);
    QList<QAction*> titles;
    const auto addTitle = [&](const QString& title) {
        m_bar->addSeparator();
        titles << m_bar->addWidget(new QLabel(title, m_bar));
    };
    QAction* swapButton = m_bar->addWidget(makeButtons({m_swap}));
    addTitle(tr("Align by"));
    QAction* axisButtons = m_bar->addWidget(makeButtons(m_axes->actions()));
    QAction* axisMenu = m_bar->addWidget(makeAxisMenu());
    addTitle(tr("Compare"));
    QAction* momentButtons = m_bar->addWidget(makeButtons({m_peaks, m_cursor, m_step}));
    addTitle(tr("Rows by"));
    m_bar->addWidget(m_group);
    m_bar->addSeparator();
    QAction* scaleButton = m_bar->addWidget(makeButtons({m_sameScale}));
    QToolButton* more = m_bar->makeMenuButton(
        "compareMoreButton", tr("More choices"), {m_swap, m_peaks, m_cursor, m_step, m_sameScale});
    more->setText(QStringLiteral("»"));
    more->setProperty("menu", false); // the text says enough
    QAction* moreButton = m_bar->addWidget(more);
    auto* room = new QWidget(m_bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_bar->addWidget(room);
    m_bar->addAction(m_close);
    const auto saveTexts = [this](bool saves) {
        m_bar->setToolButtonStyle(saves ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    };
    const auto saveTitles = [titles](bool saves) {
        for (QAction* title : titles)
            title->setVisible(!saves);
    };
    const auto saveAxes = [axisButtons, axisMenu](bool saves) {
        axisButtons->setVisible(!saves);
        axisMenu->setVisible(saves);
    };
    const auto saveChoices
        = [others = QList<QAction*>{swapButton, momentButtons, scaleButton}, moreButton](bool saves) {
              for (QAction* button : others)
                  button->setVisible(!saves);
              moreButton->setVisible(saves);
          };
    m_bar->setSavings({saveTexts, saveTitles, saveAxes, saveChoices});
}

/// Makes a button for each action in one widget, which the bar can hide without the action.
QWidget* ComparePage::makeButtons(const QList<QAction*>& actions)
{
    auto* buttons = new QWidget(m_bar);
    QHBoxLayout* row = layRow(buttons, {});
    for (QAction* action : actions) {
        auto* button = new QToolButton(buttons);
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoRaise(true);
        button->setProperty("segment", action->actionGroup() != nullptr);
        const auto follow = [button, action] { button->setVisible(action->isVisible()); };
        connect(action, &QAction::changed, button, follow);
        follow();
        row->addWidget(button);
    }
    return buttons;
}

/// Makes the menu that replaces the buttons of the axes in a narrow bar.
QToolButton* ComparePage::makeAxisMenu()
{
    QToolButton* button
        = m_bar->makeMenuButton("compareAxisMenu", tr("Align the runs by"), m_axes->actions());
    for (const QAction* axis : m_axes->actions())
        connect(axis, &QAction::toggled, button, [button, axis](bool isChosen) {
            if (isChosen)
                button->setText(tr("By %1").arg(axis->text().toLower()));
        });
    return button;
}

void ComparePage::addCommands(QAction* open, const QList<QAction*>& others)
{
    m_bar->insertAction(m_bar->actions().constFirst(), open);
    for (QAction* command : others)
        m_bar->insertAction(m_close, command);
}

void ComparePage::layOut()
{
    makeToolBar();
    m_facts->setObjectName(QStringLiteral("diffFacts"));
    makeSelectable(*m_facts, Qt::RichText, {10, 6, 10, 6});
    m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_factsArea = makeScrollArea(m_facts, this, tr("Facts of the comparison"));
    m_right = fillSplitter(
        new QSplitter(Qt::Vertical, this), {{m_rows, 1}, m_factsArea, m_rowStack}, {420, 110, 150});
    m_right->setChildrenCollapsible(false);

    m_down->setMinimumWidth(kLeastPictures); // the pictures share less than all of them want
    m_down->setChildrenCollapsible(false);
    fillSplitter(named(m_down, "compareDown"), {{m_timelines, 1}, m_pictures}, {480, 240});
    connect(m_down, &QSplitter::splitterMoved, this, [this] { m_ownHeights = true; });
    m_down->installEventFilter(this);
    m_across->setChildrenCollapsible(false);
    fillSplitter(named(m_across, "compareAcross"), {{m_down, 17}, {m_right, 8}}, {980, 460});

    m_waiting->setObjectName(QStringLiteral("compareWaiting"));
    m_waiting->setAlignment(Qt::AlignCenter);
    m_waiting->setTextFormat(Qt::PlainText);
    m_waiting->setWordWrap(true);
    layColumn(this, {m_bar, m_header, {m_across, 1}, {m_waiting, 1}});
    showWaiting();
}

/// Makes the table a tab of the pictures while the page is too narrow for both.
void ComparePage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    const int least = std::max(m_right->minimumSizeHint().width(), m_rows->minimumSizeHint().width());
    const bool isAtRight = width() >= kLeastPictures + least;
    const int tab = m_pictures->indexOf(m_rows);
    if (isAtRight && tab >= 0) {
        m_pictures->removeTab(tab);
        m_right->insertWidget(0, m_rows);
        m_rows->show(); // a tab behind another one is hidden
    } else if (!isAtRight && tab < 0) {
        m_pictures->setTabToolTip(m_pictures->addTab(m_rows, tr("Table")),
            tr("What changed, as a table; click a row to select it"));
    }
    m_right->setVisible(isAtRight);
}

bool ComparePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_down && event->type() == QEvent::Resize)
        shareHeight();
    return Page::eventFilter(watched, event);
}

/// Gives the timelines the height that they want, and more in a large window; the pictures below shrink
/// first.
void ComparePage::shareHeight()
{
    if (m_ownHeights)
        return;
    const int height = m_down->height() - m_down->handleWidth();
    const int wanted = std::max(m_timelines->wantedHeight(), static_cast<int>(height * kTimelinesShare));
    const int timelines = std::min(wanted, height - m_pictures->minimumSizeHint().height());
    if (timelines > 0)
        m_down->setSizes({timelines, height - timelines});
}

void ComparePage::saveLayout(QSettings& settings) const
{
    settings.setValue(QStringLiteral("compareAcross"), m_across->saveState());
    settings.setValue(QStringLiteral("compareHeights"), m_ownHeights ? m_down->saveState() : QByteArray());
}

void ComparePage::restoreLayout(const QSettings& settings)
{
    m_across->restoreState(settings.value(QStringLiteral("compareAcross")).toByteArray());
    m_ownHeights = m_down->restoreState(settings.value(QStringLiteral("compareHeights")).toByteArray());
}

} // namespace highwater::gui
