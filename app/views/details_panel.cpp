#include "app/views/details_panel.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/views/stack_view.h"

namespace highwater::gui {

DetailsPanel::DetailsPanel(Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_colors(ThemeColors::light())
    , m_pace([this] { refresh(); })
{
    setObjectName(QStringLiteral("details"));
    setAccessibleName(tr("Details of an allocation"));
    setAttribute(Qt::WA_StyledBackground);
    build();
    connect(&m_selection, &Selection::shownChanged, &m_pace, &Paced::request);
    // What is alive "now" changes with the cursor, also while it stays on one band.
    connect(&m_selection, &Selection::cursorChanged, &m_pace, &Paced::request);
    refresh();
}

void DetailsPanel::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(4);
    m_title = new QLabel(this);
    m_title->setObjectName(QStringLiteral("detailsTitle"));
    m_title->setWordWrap(true);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("detailsState"));
    m_state->setProperty("quiet", true);
    m_state->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_state);

    m_body = new QWidget(this);
    layout->addWidget(m_body, 1);
    layout->addStretch(0);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 8, 0, 0);
    body->setSpacing(4);
    m_what = new QGridLayout;
    body->addLayout(m_what);
    m_sameTitle = addHeading(tr("Same stack"));
    m_same = new QGridLayout;
    body->addLayout(m_same);
    m_stackTitle = addHeading({});
    m_withoutStack = new QLabel(m_body);
    m_withoutStack->setWordWrap(true);
    body->addWidget(m_withoutStack);
    m_stack = new StackView(m_body);
    body->addWidget(m_stack, 1);
    m_copy = new QPushButton(tr("Copy all"), m_body);
    m_copy->setObjectName(QStringLiteral("copyDetails"));
    m_copy->setToolTip(tr("Copy these details and the whole stack as text"));
    m_copy->setAccessibleName(tr("Copy details"));
    connect(m_copy, &QPushButton::clicked, this, &DetailsPanel::copyAll);
    body->addSpacing(6);
    body->addWidget(m_copy, 0, Qt::AlignLeft);
    for (QGridLayout* grid : {m_what, m_same}) {
        grid->setColumnStretch(1, 1);
        grid->setHorizontalSpacing(12);
        grid->setVerticalSpacing(3);
    }
}

QLabel* DetailsPanel::addHeading(const QString& text)
{
    auto* heading = new QLabel(text, m_body);
    heading->setProperty("heading", true);
    heading->setWordWrap(true);
    heading->setIndent(0);
    m_body->layout()->addWidget(heading);
    return heading;
}

void DetailsPanel::show(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_analysis = std::move(analysis);
    refresh();
}

void DetailsPanel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_stack->setColors(colors);
    refresh();
}

void DetailsPanel::setFact(QLabel& label, const Fact& fact) const
{
    // Marked-up text is several times slower to lay out, and the panel follows the mouse.
    label.setTextFormat(fact.aside.isEmpty() ? Qt::PlainText : Qt::RichText);
    label.setTextInteractionFlags(fact.aside.isEmpty() ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
    label.setText(fact.aside.isEmpty()
            ? fact.value
            : QStringLiteral("%1 <span style='color:%2'>%3</span>")
                  .arg(fact.value.toHtmlEscaped(), m_colors.quietText.name(), fact.aside.toHtmlEscaped()));
}

void DetailsPanel::fillGrid(QGridLayout* grid, const std::vector<Fact>& facts)
{
    // Rows are reused: the panel follows the mouse, and making widgets anew would flicker.
    const auto label = [&](int row, int column) {
        if (QLayoutItem* item = grid->itemAtPosition(row, column))
            return static_cast<QLabel*>(item->widget());
        auto* made = new QLabel(m_body);
        made->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        made->setProperty("quiet", column == 0);
        if (column == 1) {
            made->setWordWrap(true);
        }
        grid->addWidget(made, row, column);
        return made;
    };
    const int shown = static_cast<int>(facts.size());
    for (int row = 0; row < shown; ++row) {
        const Fact& fact = facts[static_cast<std::size_t>(row)];
        label(row, 0)->setText(fact.name);
        setFact(*label(row, 1), fact);
    }
    for (int row = 0; row < grid->rowCount(); ++row)
        for (const int column : {0, 1})
            if (QLayoutItem* item = grid->itemAtPosition(row, column))
                item->widget()->setVisible(row < shown);
}

void DetailsPanel::refresh()
{
    const AllocationIndex allocation = m_selection.shown();
    const bool any = m_analysis && allocation != Selection::kNone;
    if (!any) {
        m_body->hide();
        m_title->setText(tr("No allocation selected"));
        m_state->setText(
            tr("Point at a band to see what it is and who allocated it. Click to keep it here."));
        return;
    }
    const AllocationFacts facts = allocationFacts(*m_analysis, allocation, m_selection.moment());
    // Rows that come or go one by one would each lay out the whole window.
    const auto shape = std::tuple(facts.what.size(), facts.sameStack.size(), facts.withoutStack.isEmpty());
    if (std::exchange(m_shape, shape) != shape)
        m_body->hide();
    m_title->setText(facts.title);
    m_state->setText(
        m_selection.isPinned() ? tr("pinned · Esc to release") : tr("under the mouse · click to pin"));
    fillGrid(m_what, facts.what);
    const bool hasStack = facts.withoutStack.isEmpty();
    m_stackTitle->setText(facts.stackTitle);
    m_withoutStack->setText(facts.withoutStack);
    m_withoutStack->setVisible(!hasStack);
    m_stack->setVisible(hasStack);
    m_sameTitle->setVisible(hasStack);
    m_stack->setStack(foldedStack(*m_analysis->trace, facts.stack));
    fillGrid(m_same, facts.sameStack);
    m_body->show();
}

QString DetailsPanel::text() const
{
    if (!m_analysis || m_selection.shown() == Selection::kNone)
        return {};
    return plainText(*m_analysis, allocationFacts(*m_analysis, m_selection.shown(), m_selection.moment()));
}

void DetailsPanel::copyAll()
{
    QGuiApplication::clipboard()->setText(text());
}

} // namespace highwater::gui
