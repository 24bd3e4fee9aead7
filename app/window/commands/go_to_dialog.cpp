#include "app/window/commands/go_to_dialog.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

GoToDialog::GoToDialog(
    std::shared_ptr<const DeviceAnalysis> analysis, std::optional<std::int64_t> cursor, QWidget* parent)
    : QDialog(parent)
    , m_analysis(std::move(analysis))
    , m_cursor(cursor)
    , m_field(new QLineEdit(this))
    , m_preview(new QLabel(this))
    , m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("goToDialog"));
    setWindowTitle(tr("Go to"));
    layOut();
    connect(m_field, &QLineEdit::textChanged, this, &GoToDialog::refresh);
    connect(m_list, &QListWidget::currentRowChanged, this, &GoToDialog::showPreview);
    connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
    refresh();
}

void GoToDialog::layOut()
{
    named(m_field, "goToField", tr("Go to"));
    m_field->setMinimumWidth(500);
    m_field->installEventFilter(this);
    auto* examples
        = new QLabel(tr("An event (5701), a step (step 6, or its name), a time since the first event "
                        "(12.5ms), an address (0x7f3a00001400), peak or oom"),
            this);
    examples->setProperty("quiet", true);
    examples->setWordWrap(true);
    named(m_preview, "goToPreview", tr("Place"));
    m_preview->setTextFormat(Qt::PlainText);
    m_preview->setWordWrap(true);
    m_preview->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_preview->setMinimumHeight(
        2 * fontMetrics().lineSpacing()); // keeps the height of the dialog while typing
    named(m_list, "goToList", tr("Allocations at this address"));
    m_list->setMaximumHeight(8 * fontMetrics().height());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_goButton = buttons->button(QDialogButtonBox::Ok);
    m_goButton->setText(tr("Go"));
    connectButtons(*buttons, *this);
    layColumn(this, {m_field, examples, m_preview, m_list, Part::space(1), buttons}, {kStyleMargins, 8});
}

void GoToDialog::refresh()
{
    Result<std::vector<GoToTarget>> targets = parseGoTo(m_field->text().toStdString(), *m_analysis, m_cursor);
    m_problem
        = targets || m_field->text().trimmed().isEmpty() ? QString() : toQString(toText(targets.error()));
    m_targets = targets ? std::move(*targets) : std::vector<GoToTarget>();
    m_goButton->setEnabled(!m_targets.empty());
    showList();
    showPreview();
}

void GoToDialog::showList()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    const std::size_t listed = std::min(m_targets.size(), kMaxListed);
    for (std::size_t i = 0; i < listed; ++i)
        m_list->addItem(toQString(describe(m_targets[i], *m_analysis)));
    m_list->setCurrentRow(m_targets.empty() ? -1 : 0);
    m_list->setVisible(listed > 1);
}

/// Up and Down move through the list while the keyboard focus stays in the field.
bool GoToDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            return QCoreApplication::sendEvent(m_list, event);
    }
    return QDialog::eventFilter(watched, event);
}

std::optional<GoToTarget> GoToDialog::target() const
{
    if (m_targets.empty())
        return std::nullopt;
    return m_targets[static_cast<std::size_t>(std::max(m_list->currentRow(), 0))];
}

void GoToDialog::showPreview()
{
    QString text = m_problem.left(1).toUpper() + m_problem.mid(1);
    if (const std::optional<GoToTarget> chosen = target()) {
        text = toQString(describe(*chosen, *m_analysis));
        const auto count = static_cast<std::int64_t>(m_targets.size());
        if (m_targets.size() > kMaxListed)
            text += tr(" · first %1 of %2 listed").arg(countText(kMaxListed), countText(count));
        else if (count > 1)
            text += tr(" · one of %1").arg(countText(count));
    }
    m_preview->setText(text);
}

} // namespace highwater::gui
