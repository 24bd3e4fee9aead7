#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>

#include "app/views/charts/frame_detail_titles.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/table/composition_tables.h"

// The controls above the pages.

namespace highwater::gui {

namespace {

constexpr int kLeastCharacters = 8; ///< of the lists, in a narrow window
constexpr int kLeastSearch = 12; ///< characters of the search, for which the lists give way

struct Entry
{
    const char* title;
    const char* tip;
};

constexpr std::array<Entry, 6> kChoiceEntries = {{
    {QT_TRANSLATE_NOOP("CompositionView", "Cursor"),
        QT_TRANSLATE_NOOP("CompositionView",
            "In use at the cursor: a click on the axis, P, O or a step sets it. Without a cursor, when "
            "memory "
            "ran out, else at the peak")},
    {QT_TRANSLATE_NOOP("CompositionView", "Peak"),
        QT_TRANSLATE_NOOP("CompositionView", "In use at the peak of the run")},
    {QT_TRANSLATE_NOOP("CompositionView", "Step's peak"),
        QT_TRANSLATE_NOOP("CompositionView", "In use at the peak of the step that the cursor is in")},
    {QT_TRANSLATE_NOOP("CompositionView", "Allocated in range"),
        QT_TRANSLATE_NOOP("CompositionView",
            "Allocated in the marked range (Shift+drag in the timeline), else in the events in view now; "
            "zooming keeps them")},
    {QT_TRANSLATE_NOOP("CompositionView", "Freed in range"),
        QT_TRANSLATE_NOOP("CompositionView",
            "Freed in the marked range, else in the events in view now, whenever it was allocated")},
    {QT_TRANSLATE_NOOP("CompositionView", "Survived range"),
        QT_TRANSLATE_NOOP("CompositionView",
            "Allocated in the marked range, else in the events in view now, and still in use after it")},
}};

constexpr std::array<Entry, CompositionView::kWayCount> kWayEntries = {{
    {QT_TRANSLATE_NOOP("CompositionView", "Table"),
        QT_TRANSLATE_NOOP("CompositionView", "In groups, largest first")},
    {QT_TRANSLATE_NOOP("CompositionView", "Top-down"),
        QT_TRANSLATE_NOOP("CompositionView", "From the outermost function to its callees")},
    {QT_TRANSLATE_NOOP("CompositionView", "Bottom-up"),
        QT_TRANSLATE_NOOP("CompositionView", "From the allocating functions to their callers")},
    {QT_TRANSLATE_NOOP("CompositionView", "Callers"),
        QT_TRANSLATE_NOOP("CompositionView", "Callers and callees of one function")},
    {QT_TRANSLATE_NOOP("CompositionView", "Flame"), QT_TRANSLATE_NOOP("CompositionView", "Flame graph")},
    {QT_TRANSLATE_NOOP("CompositionView", "Treemap"),
        QT_TRANSLATE_NOOP("CompositionView", "Every allocation as a rectangle, coloured as in the timeline")},
    {QT_TRANSLATE_NOOP("CompositionView", "Sizes"),
        QT_TRANSLATE_NOOP("CompositionView", "Histogram of sizes")},
    {QT_TRANSLATE_NOOP("CompositionView", "Lifetimes"),
        QT_TRANSLATE_NOOP("CompositionView", "Histogram of lifetimes, in events")},
    {QT_TRANSLATE_NOOP("CompositionView", "Modules"),
        QT_TRANSLATE_NOOP(
            "CompositionView", "Allocations of each module and layer of the model, by category")},
}};

/// Makes a drop-down list from the entries, each with its tool tip. `titleFormat` is the format of the
/// titles, such as "At: %1".
template <std::size_t Count>
QComboBox* makeChooser(const char* name, const QString& tip, const std::array<Entry, Count>& entries,
    const QString& titleFormat, QWidget* parent)
{
    auto* chooser = named(new QComboBox(parent), name, tip, tip);
    for (std::size_t i = 0; i < Count; ++i) {
        chooser->addItem(titleFormat.arg(CompositionView::tr(entries[i].title)));
        chooser->setItemData(static_cast<int>(i), CompositionView::tr(entries[i].tip), Qt::ToolTipRole);
    }
    return chooser;
}

} // namespace

/// Makes the row above the views: which allocations, how they are shown and grouped, and the search.
QWidget* CompositionView::makeRow()
{
    auto* row = new QWidget(this);
    m_choices
        = makeChooser("momentChoice", tr("Which allocations are shown"), kChoiceEntries, tr("At: %1"), row);
    m_ways = makeChooser("momentWay", tr("How the allocations are shown"), kWayEntries, tr("As: %1"), row);
    named(m_category, "momentCategory", tr("Category of the allocations"),
        tr("Show only the allocations of one category, in every form"));
    connect(m_category, &QComboBox::currentIndexChanged, this, &CompositionView::takeCategory);
    named(m_search, "momentSearch", tr("Search in this view"),
        tr("Search these allocations: rows with this text in function, file or name; Esc ends the search"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(kLeastSearch * fontMetrics().averageCharWidth());
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &CompositionView::takeOptions);
    auto* copyAll = named(new QToolButton(row), "momentCopy", {},
        tr("Copy everything shown as text; Ctrl+C copies the selection"));
    copyAll->setText(tr("Copy"));
    connect(copyAll, &QToolButton::clicked, this, [this] { copy(false); });
    // The lists of all forms come first and do not grow, so that no form moves them.
    layRow(row,
        {m_choices, m_ways, m_category, m_group, m_detail, m_weight, Part::gap(8), {m_search, 1},
            Part::space(0), copyAll},
        {{12, 3, 12, 0}, 4});
    for (QComboBox* list : row->findChildren<QComboBox*>()) {
        list->setMinimumContentsLength(kLeastCharacters);
        list->setSizeAdjustPolicy(QComboBox::AdjustToContents); // the first entry names the moment
        list->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        const auto sayWhole
            = [list, tip = list->toolTip()](const QString& text) { list->setToolTip(text + '\n' + tip); };
        sayWhole(list->currentText());
        connect(list, &QComboBox::currentTextChanged, list, sayWhole);
    }
    return row;
}

/// Makes the line of the heading, with what the search found at its right.
QWidget* CompositionView::makeTitle()
{
    auto* line = new QWidget(this);
    named(m_heading, "momentHeading");
    makeBold(*m_heading);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    named(m_answer, "momentAnswer");
    m_answer->setProperty("quiet", true);
    layRow(line, {{m_heading, 1}, m_answer}, {{14, 1, 14, 2}, 12});
    return line;
}

template <typename Value>
QComboBox* CompositionView::makeChoice(const char* name, const QString& tip,
    const std::vector<std::pair<QString, Value>>& values, void (CompositionView::*slot)())
{
    auto* choice = new QComboBox(this);
    named(choice, name, tip, tip);
    for (const auto& [title, value] : values)
        choice->addItem(title, static_cast<int>(value));
    connect(choice, &QComboBox::currentIndexChanged, this, slot);
    return choice;
}

void CompositionView::makeOptions()
{
    std::vector<std::pair<QString, GroupKey>> groups;
    for (const GroupKey key :
        {GroupKey::Site, GroupKey::Stack, GroupKey::Function, GroupKey::File, GroupKey::Module,
            GroupKey::Category, GroupKey::Size, GroupKey::Stream, GroupKey::Pool, GroupKey::Allocation})
        groups.emplace_back(tr("By %1").arg(toQString(groupTitle(key)).toLower()), key);
    m_group = makeChoice("momentGroup", tr("Grouping of the rows"), groups, &CompositionView::takeOptions);
    connect(m_group, &QComboBox::activated, this, [this] {
        const bool isByModule = m_group->currentData().toInt() == static_cast<int>(GroupKey::Module);
        setWay(isByModule ? Way::Modules : Way::Table);
    });
    m_detail = makeChoice(
        "momentDetail", tr("Which frames are shown"), frameDetailTitles(), &CompositionView::takeOptions);
    m_weight = makeChoice<FlameWeight>("momentWeight", tr("Meaning of the widths"),
        {{tr("Bytes"), FlameWeight::Size}, {tr("Bytes × lifetime"), FlameWeight::ByteEvents}},
        &CompositionView::takeOptions);
}

/// Lists the categories that the device has; the chosen one stays if it is among them.
void CompositionView::offerCategories(const DeviceAnalysis& analysis)
{
    const QVariant chosen = m_category->currentData();
    {
        const QSignalBlocker blocker(m_category);
        m_category->clear();
        m_category->addItem(tr("All categories"));
        for (const BandGroup& group : analysis.categoryGroups->groups)
            m_category->addItem(tr("Only %1").arg(toQString(group.label)), static_cast<int>(*group.category));
        m_category->setCurrentIndex(chosen.isValid() ? std::max(0, m_category->findData(chosen)) : 0);
    }
    m_category->setVisible(m_category->count() > 2);
    takeCategory();
}

void CompositionView::takeCategory()
{
    const QVariant chosen = m_category->currentData();
    m_subject.setCategory(
        chosen.isValid() ? std::optional(static_cast<Category>(chosen.toInt())) : std::nullopt);
}

/// Says which moment is shown while there is no cursor. If that is the peak, its own entry is left out.
void CompositionView::nameCursor()
{
    constexpr int peak = static_cast<int>(MomentChoice::Peak);
    m_choices->setItemText(0, m_subject.cursorName());
    const bool isTwice = m_subject.isPeakWithoutCursor() && m_choices->currentIndex() != peak;
    static_cast<QListView*>(m_choices->view())->setRowHidden(peak, isTwice);
    static_cast<QStandardItemModel*>(m_choices->model())
        ->item(peak)
        ->setEnabled(!isTwice); // keys must not choose it either
}

} // namespace highwater::gui
