#include "app/window/commands/capacity_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/base/text_format.h"
#include "core/run/gpu_models.h"

namespace highwater::gui {

namespace {

/// Returns a text such as "79.15 GiB reported · sold as 80 GB".
QString reportedText(const GpuModel& gpu)
{
    return CapacityDialog::tr("%1 reported · sold as %2 GB")
        .arg(bytesText(gpu.leastReported))
        .arg(gpu.nominalGigabytes);
}

} // namespace

CapacityDialog::CapacityDialog(
    const std::optional<DeviceCapacity>& inFile, const std::optional<DeviceCapacity>& chosen, QWidget* parent)
    : QDialog(parent)
    , m_fileCapacity(inFile)
    , m_list(new QListWidget(this))
    , m_field(new QLineEdit(this))
    , m_preview(new QLabel(this))
    , m_forAll(new QCheckBox(tr("For &all files"), this))
{
    setObjectName(QStringLiteral("capacityDialog"));
    setWindowTitle(tr("GPU capacity"));
    layOut();
    fillList();
    // Follows the selection and not the current row: a list that gets the focus makes its first row current,
    // although the user has chosen nothing.
    connect(m_list, &QListWidget::itemSelectionChanged, this, &CapacityDialog::takeFromList);
    connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
    connect(m_field, &QLineEdit::textEdited, this, &CapacityDialog::takeFromField);
    m_list->setCurrentRow(0);
    if (chosen)
        select(*chosen);
    m_field->selectAll();
    m_field->setFocus();
}

void CapacityDialog::layOut()
{
    auto* explanation
        = new QLabel(tr("A snapshot does not record the capacity of the GPU. PyTorch prints it when "
                        "memory runs out: \"has a total capacity of …\"."),
            this);
    explanation->setProperty("quiet", true);
    explanation->setWordWrap(true);
    named(m_list, "capacityGpus", tr("GPUs"));
    m_list->setMinimumSize(460, 12 * fontMetrics().lineSpacing());
    named(m_field, "capacityField", tr("Size or GPU"));
    m_field->setPlaceholderText(tr("A size or a GPU, such as 24 GB, 24 GiB or RTX 3070"));
    named(m_preview, "capacityPreview", tr("Selected capacity"));
    m_preview->setTextFormat(Qt::PlainText);
    m_preview->setWordWrap(true);
    named(m_forAll, "capacityForAll", {}, tr("Includes files opened later; overrides per-file choices"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_okButton = buttons->button(QDialogButtonBox::Ok);
    connectButtons(*buttons, *this);
    layColumn(this, {explanation, m_field, {m_list, 1}, m_preview, m_forAll, buttons}, {kStyleMargins, 8});
}

void CapacityDialog::fillList()
{
    m_list->addItem(m_fileCapacity ? tr("As recorded: %1").arg(toQString(toText(*m_fileCapacity)))
                                   : tr("As recorded: unknown, no capacity line"));
    for (const GpuModel& gpu : commonGpus()) {
        auto* item = new QListWidgetItem(
            QStringLiteral("%1 · %2").arg(toQString(gpu.name), reportedText(gpu)), m_list);
        item->setToolTip(tr("Source: %1").arg(toQString(gpu.source)));
    }
}

/// Selects the current choice.
void CapacityDialog::select(const DeviceCapacity& chosen)
{
    const std::vector<GpuModel>& gpus = commonGpus();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (chosenCapacity(gpus[i]) == chosen) {
            m_list->setCurrentRow(static_cast<int>(i) + 1);
            return;
        }
    }
    const bool isWholeMiB = chosen.bytes % kMiB == 0;
    m_field->setText(!chosen.gpu.empty() ? toQString(chosen.gpu)
            : isWholeMiB                 ? QStringLiteral("%1 MiB").arg(chosen.bytes / kMiB)
                                         : QString::number(chosen.bytes));
    takeFromField();
}

void CapacityDialog::takeFromList()
{
    const QList<QListWidgetItem*> selected = m_list->selectedItems();
    if (selected.isEmpty())
        return;
    const int row = m_list->row(selected.front());
    m_field->clear();
    m_choice.reset();
    if (row > 0)
        m_choice = chosenCapacity(commonGpus()[static_cast<std::size_t>(row) - 1]);
    showPreview(m_choice ? toQString(toText(*m_choice)) : tr("No capacity chosen"), true);
}

void CapacityDialog::takeFromField()
{
    const QString text = m_field->text().trimmed();
    if (text.isEmpty()) {
        m_list->setCurrentRow(0);
        takeFromList();
        return;
    }
    const QSignalBlocker blocker(m_list);
    m_list->clearSelection();
    m_choice.reset();
    if (const Result<DeviceCapacity> typed = capacityFromText(text.toStdString()))
        m_choice = *typed;
    showPreview(m_choice
            ? toQString(toText(*m_choice))
            : tr("Not a size or one GPU: type 24, 24 GB or 24 GiB, or a whole name such as A100 80"),
        m_choice.has_value());
}

void CapacityDialog::showPreview(const QString& text, bool isValid)
{
    m_preview->setText(text);
    m_okButton->setEnabled(isValid);
}

bool CapacityDialog::isForAllFiles() const
{
    return m_forAll->isChecked();
}

} // namespace highwater::gui
