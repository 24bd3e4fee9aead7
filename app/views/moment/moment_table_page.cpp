#include "app/views/moment/moment_table_page.h"

#include <algorithm>
#include <numeric>

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include "app/models/call_tree_model.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/composition/group_details.h"
#include "core/analysis/stacks/call_site.h"
#include "core/table/composition_tables.h"

namespace highwater::gui {

namespace {

constexpr int kLeastBar = 100; ///< names longer than kWholeName are cut for it
constexpr int kWholeName = 280;
constexpr int kLeastName = 100;
constexpr int kMeasuredNames = 100; ///< names of rows are made only for some

/// Gives the bars of the shares the width that the other columns of a table of figures leave. Long names, as
/// of allocations without a stack, are cut before bars and numbers.
class FigureColumns : public QObject
{
public:
    explicit FigureColumns(QTableView& table)
        : QObject(&table)
        , m_table(table)
    {
        table.viewport()->installEventFilter(this);
        table.horizontalHeader()->setResizeContentsPrecision(kMeasuredNames);
        connect(table.model(), &QAbstractItemModel::modelReset, this, [this] { fit(); });
        connect(table.model(), &QAbstractItemModel::layoutChanged, this, [this] { fit(); });
        connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
            if (column != NameColumn && column != ShareColumn)
                fit();
        });
    }

    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            fit();
        return false;
    }

private:
    void fit()
    {
        const int columns = m_table.model()->columnCount();
        if (columns <= ShareColumn)
            return;
        int room = m_table.viewport()->width();
        for (int column = 1; column < columns; ++column)
            room -= column == ShareColumn ? 0 : m_table.columnWidth(column);
        const QHeaderView& header = *m_table.horizontalHeader();
        const int names = std::max(static_cast<QAbstractItemView&>(m_table).sizeHintForColumn(NameColumn),
            header.sectionSizeHint(NameColumn));
        const int figure
            = m_table.fontMetrics().horizontalAdvance(QStringLiteral("<0.1%")) + 3 * kCellPadding;
        const int least = std::max(figure, header.sectionSizeHint(ShareColumn));
        const int name = std::min(
            names, std::max({room - least - kLeastBar, std::min(room - least, kWholeName), kLeastName}));
        m_table.setColumnWidth(NameColumn, name);
        m_table.setColumnWidth(ShareColumn, std::max(room - name, least));
    }

    QTableView& m_table;
};

/// Returns the largest allocation of the largest category of each group, whose colour the group has.
std::vector<AllocationIndex> examplesOf(const DeviceAnalysis& analysis, const LiveSet& set,
    const std::vector<std::uint32_t>& groupOf, const std::vector<GroupDetails>& details)
{
    std::vector<Category> largest;
    for (const GroupDetails& group : details)
        largest.push_back(
            static_cast<Category>(std::ranges::max_element(group.byCategory) - group.byCategory.begin()));
    std::vector<AllocationIndex> examples(details.size(), Selection::kNone);
    for (std::size_t i = 0; i < set.allocations.size(); ++i) {
        const AllocationIndex allocation = set.allocations[i];
        AllocationIndex& example = examples[groupOf[i]];
        const bool isOfLargest = analysis.categories.of(allocation) == largest[groupOf[i]];
        if (isOfLargest
            && (example == Selection::kNone
                || analysis.allocations.bytes(allocation) > analysis.allocations.bytes(example)))
            example = allocation;
    }
    return examples;
}

} // namespace

QTableView* makeFigureTable(TableModel& model, ShareDelegate& delegate, QWidget* parent)
{
    QTableView* table = makeSortedTable(model, {}, {}, parent);
    table->setItemDelegate(&delegate);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->sortByColumn(BytesColumn, Qt::DescendingOrder);
    const int width = table->fontMetrics().horizontalAdvance(QStringLiteral("Allocations ▾ mm"));
    for (int column = 1; column < model.columnCount(); ++column)
        table->setColumnWidth(column, width);
    new FigureColumns(*table);
    return table;
}

MomentTablePage::MomentTablePage(const BandView& bands, QWidget* parent)
    : MomentPage(parent)
    , m_bands(bands)
    , m_model(new TableModel(this))
    , m_delegate(new ShareDelegate(this))
{
    m_delegate->setColorOf([this](const QModelIndex& index) { return colorOf(index.row(), false); });
    m_delegate->setKeptOf([this](const QModelIndex& index) { return keptPartOf(index.row()); });
    acceptGroups({});
    m_table = makeFigureTable(*m_model, *m_delegate, this);
    named(m_table, "momentTable", tr("Allocations in groups"));
    layColumn(this, {m_table}, {{10, 0, 0, 0}, -1});
    setFocusProxy(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &MomentTablePage::chooseRows);
    connect(m_table, &QTableView::activated, this, &MomentTablePage::openRow);
    connect(&bands, &BandView::changed, m_table->viewport(), qOverload<>(&QWidget::update));
    addNoteAction();
}

/// True if the allocations of each row have one call site.
bool MomentTablePage::isOfOneSite() const
{
    return m_group == GroupKey::Site || m_group == GroupKey::Stack || m_group == GroupKey::Allocation;
}

/// Returns the colour of the row's band if the row is of one call site and the timeline colours categories or
/// call sites, else that of the row's largest category; of its kept part with `isKept`. Only one of the two
/// may be a guess.
std::optional<ThemedColor> MomentTablePage::colorOf(int row, bool isKept) const
{
    if (!shown() || idOf(row) >= m_examples.size())
        return std::nullopt;
    const std::shared_ptr<const DeviceAnalysis>& analysis = shown()->analysis;
    const AllocationIndex example = m_examples[idOf(row)];
    if (example == Selection::kNone) // a row of empty allocations
        return std::nullopt;
    const std::shared_ptr<const BandPalette> palette = m_bands.paletteFor(analysis);
    const BandMode mode = palette->groups()->mode;
    if (isOfOneSite() && (mode == BandMode::Category || mode == BandMode::Site))
        return palette->themedShade(example, isKept);
    const ThemedColor color = categoryColor(analysis->study.guessed, analysis->categories.of(example));
    return isKept ? keptColor(color) : color;
}

ShareDelegate::KeptPart MomentTablePage::keptPartOf(int row) const
{
    const FigureRow& figures = m_rows->rows[m_model->rowAt(row)];
    if (figures.keptBytes == 0)
        return {};
    return {static_cast<double>(figures.keptBytes) / static_cast<double>(figures.bytes),
        colorOf(row, true).value_or(ThemedColor())};
}

void MomentTablePage::addNoteAction()
{
    QAction* note = addContextAction(*m_table, tr("Add a note on this row"), [this] {
        if (const std::optional<Note> draft = noteHere())
            emit noteRequested(*draft);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, note,
        [this, note] { note->setEnabled(noteHere().has_value()); });
}

/// A note needs a place. Rows of one call site, stack or allocation have one; other groups contain several
/// call sites.
std::optional<Note> MomentTablePage::noteHere() const
{
    const int row = m_table->currentIndex().row();
    if (row < 0 || !m_groupOf || !shown() || !isOfOneSite())
        return std::nullopt;
    const AllocationIndex allocation = largestOf(membersOfRow(row));
    if (allocation == Selection::kNone)
        return std::nullopt;
    const DeviceAnalysis& analysis = *shown()->analysis;
    if (m_group == GroupKey::Allocation)
        return noteAt(notedAllocation(analysis.allocations, allocation));
    return noteAt(NotedSite{analysis.sites.site(analysis.sites.of(allocation)).key});
}

std::vector<bool> MomentTablePage::membersOfRow(int row) const
{
    const std::uint32_t group = idOf(row);
    std::vector<bool> members(m_groupOf->size());
    for (std::size_t i = 0; i < members.size(); ++i)
        members[i] = (*m_groupOf)[i] == group;
    return members;
}

void MomentTablePage::setColors(const ThemeColors& colors)
{
    m_delegate->setColors(colors);
    m_table->viewport()->update();
}

QString MomentTablePage::text(bool onlySelected) const
{
    return tableText(*m_table, onlySelected && m_table->selectionModel()->hasSelection());
}

void MomentTablePage::refresh()
{
    if (!wanted()) {
        acceptGroups({});
        return;
    }
    m_model->setFilter(options().search);
    showMatchCount();
    compute(groupsOf, [this](const Groups& groups) { acceptGroups(groups); });
}

/// Makes one row for each allocation, the largest first. Names are made only for rows on screen, because
/// there may be millions. O(n log n).
MomentTablePage::Groups MomentTablePage::allocationRows(
    const std::shared_ptr<const DeviceAnalysis>& analysis, const LiveSet& set)
{
    const std::int64_t event = keptAt(set);
    const AllocationTable& allocations = analysis->allocations;
    std::vector<std::uint32_t> order(set.allocations.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return allocations.bytes(set.allocations[a]) > allocations.bytes(set.allocations[b]);
    });
    auto table = std::make_shared<FigureTable>();
    table->whole = set.total.bytes;
    table->nameOf = [analysis, members = set.allocations](std::uint32_t id) {
        const AllocationIndex i = members[id];
        return allocationText(analysis->allocations, i) + " · "
            + analysis->sites.site(analysis->sites.of(i)).label;
    };
    table->rows.reserve(order.size());
    table->categoryOf = [analysis, members = set.allocations](std::uint32_t id) {
        const CategoryTable& categories = analysis->categories;
        return titleOf(categories.of(members[id]), categories.gradeOf(members[id]) == Grade::C);
    };
    for (const std::uint32_t position : order) {
        const AllocationIndex i = set.allocations[position];
        const Bytes bytes = allocations.bytes(i);
        const Bytes kept = analysis->keptBlocks->isKept(i, event) ? bytes : 0;
        table->rows.push_back({{}, bytes, 1, 0, {}, position, {}, kept});
    }
    auto groupOf = std::make_shared<std::vector<std::uint32_t>>(order.size());
    std::iota(groupOf->begin(), groupOf->end(), 0u);
    return {table, groupOf, set.allocations};
}

MomentTablePage::Groups MomentTablePage::groupsOf(const Moment& moment, const MomentOptions& options)
{
    if (options.group == GroupKey::Allocation)
        return allocationRows(moment.analysis, moment.set);
    const DeviceAnalysis& analysis = *moment.analysis;
    GroupedAllocations grouped = groupAllocations(*analysis.trace, analysis.allocations, analysis.sites,
        moment.set.allocations, options.group, &analysis.categories);
    auto table = std::make_shared<FigureTable>();
    table->whole = grouped.composition.bytes;
    table->rows.reserve(grouped.composition.groups.size());
    table->hasGrades = options.group == GroupKey::Category;
    auto details = std::make_shared<const std::vector<GroupDetails>>(
        groupDetails(analysis.categories, analysis.allocations, *analysis.keptBlocks, moment.set.allocations,
            grouped.groupOf, grouped.composition.groups.size(), keptAt(moment.set)));
    if (options.group != GroupKey::Category)
        table->categoryOf = [details, guessed = analysis.study.guessed](std::uint32_t id) {
            return categoriesText((*details)[id].byCategory, guessed);
        };
    for (CompositionGroup& group : grouped.composition.groups) {
        const std::optional<Grade> grade = shownGrade(group);
        // The folders of a call site are in its tool tip.
        std::string name = options.group == GroupKey::Site ? siteLabel(group.key) : group.key;
        std::string place = name == group.key ? std::string() : std::move(group.key);
        const auto id = static_cast<std::uint32_t>(table->rows.size());
        table->rows.push_back(
            {std::move(name), group.bytes, group.count, 0, std::move(place), id, grade, (*details)[id].kept});
        if (options.group == GroupKey::Size) // all of a row have the same size
            table->rows.back().order = group.bytes / group.count;
    }
    std::vector<AllocationIndex> examples = examplesOf(analysis, moment.set, grouped.groupOf, *details);
    return {table, std::make_shared<const std::vector<std::uint32_t>>(std::move(grouped.groupOf)),
        std::move(examples)};
}

void MomentTablePage::acceptGroups(const Groups& groups)
{
    m_groupOf = groups.groupOf;
    m_examples = groups.examples;
    m_group = options().group;
    m_rows = groups.table;
    m_model->setSource(figureSource(m_rows, std::string(groupTitle(options().group)), false));
    if (m_table)
        fitColumns(*m_table, m_model->column("count") + 1);
    showMatchCount();
}

void MomentTablePage::showMatchCount()
{
    Bytes matched = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        matched += m_rows->rows[m_model->rowAt(row)].bytes;
    setAnswer(options().search.isEmpty()
            ? QString()
            : tr("Found %1: %2").arg(countedText(m_model->rowCount(), "row", "rows"), bytesText(matched)));
}

std::vector<bool> MomentTablePage::selectedMembers() const
{
    std::vector<bool> result(static_cast<std::size_t>(m_groupOf->size()));
    std::vector<bool> groups;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        const std::uint32_t group = idOf(index.row());
        groups.resize(std::max<std::size_t>(groups.size(), group + 1));
        groups[group] = true;
    }
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = (*m_groupOf)[i] < groups.size() && groups[(*m_groupOf)[i]];
    return result;
}

void MomentTablePage::chooseRows()
{
    if (!m_groupOf || !shown())
        return;
    if (m_table->selectionModel()->hasSelection()) {
        highlight(selectedMembers(), nameOf(*m_table->selectionModel()));
        if (m_group == GroupKey::Allocation && m_table->selectionModel()->selectedRows().size() == 1)
            pinLargest(selectedMembers()); // the details then show its stack
    } else
        emit highlightRequested(nullptr);
}

void MomentTablePage::openRow(const QModelIndex& index)
{
    if (index.isValid() && m_groupOf && shown())
        pinLargest(membersOfRow(index.row()));
}

} // namespace highwater::gui
