#include "app/window/commands/preferences_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "app/views/parts/arrange.h"
#include "app/workspace/source/editor_command.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/budget/gpu_fit.h"

namespace highwater::gui {

namespace {

constexpr int kTextStep = 10;
constexpr int kWidestChoice = 40; ///< characters; the list has the full names

} // namespace

PreferencesDialog::PreferencesDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent)
    , m_capacity(preferences.capacity)
    , m_themes(named(new QComboBox(this), "preferredTheme", tr("Theme")))
    , m_textSize(named(new QSpinBox(this), "preferredTextSize", tr("Text size in percent"),
          tr("Size of all texts, from the next start")))
    , m_capacities(named(new QComboBox(this), "preferredCapacity", tr("GPU capacity"),
          tr("For every file; overrides per-file choices")))
    , m_peakSoFar(named(new QCheckBox(tr("&Peak so far in the timeline"), this), "preferredPeakSoFar", {},
          tr("Show a line at the peak up to each moment")))
    , m_keepsLarge(named(new QCheckBox(tr("Cache &large files"), this), "preferredCache", {},
          tr("Keep files of 32 MiB and more in a compact form in your cache folder (at most 2 GiB)")))
    , m_editor(named(new QLineEdit(preferences.editor, this), "preferredEditor", tr("Editor command"),
          tr("Opens the source line of a frame. {file} and {line} are replaced; no shell is used. If empty, "
             "the detected editor is used.")))
    , m_clearCache(makeClearButton(
          "clearCache", tr("Clear cac&he"), tr("Delete the cached copies now; the original files stay")))
    , m_clearRecent(makeClearButton("clearRecent", tr("Clear &recent files"), tr("Empty the list now")))
{
    setObjectName(QStringLiteral("preferencesDialog"));
    setWindowTitle(tr("Preferences"));
    fillThemes(preferences.theme);
    fillCapacities();
    m_textSize->setRange(kLeastTextPercent, kMaxTextPercent);
    m_textSize->setSingleStep(kTextStep);
    m_textSize->setSuffix(tr("%"));
    m_textSize->setValue(preferences.textPercent);
    m_peakSoFar->setChecked(preferences.peakSoFar);
    m_keepsLarge->setChecked(preferences.keepsLarge);
    const QString detected = detectedEditor();
    m_editor->setPlaceholderText(detected.isEmpty() ? tr("for example code -g {file}:{line}") : detected);
    connect(m_clearCache, &QPushButton::clicked, this, &PreferencesDialog::cacheCleared);
    connect(m_clearRecent, &QPushButton::clicked, this, &PreferencesDialog::recentCleared);
    layOut();
}

void PreferencesDialog::fillThemes(ThemeChoice chosen)
{
    for (const auto& [choice, title] :
        {std::pair(ThemeChoice::System, tr("Match system")), std::pair(ThemeChoice::Light, tr("Light")),
            std::pair(ThemeChoice::Dark, tr("Dark")), std::pair(ThemeChoice::Contrast, tr("High contrast"))})
        m_themes->addItem(title, themeName(choice));
    m_themes->setCurrentIndex(m_themes->findData(themeName(chosen)));
}

/// Lists the common GPUs, and the current choice if it is none of them.
void PreferencesDialog::fillCapacities()
{
    m_capacities->addItem(tr("As recorded in each file"), -1);
    const std::vector<GpuModel>& gpus = commonGpus();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        m_capacities->addItem(
            QStringLiteral("%1 · %2").arg(toQString(gpus[i].name), bytesText(gpus[i].leastReported)),
            static_cast<int>(i));
        if (m_capacity == chosenCapacity(gpus[i]))
            m_capacities->setCurrentIndex(m_capacities->count() - 1);
    }
    if (m_capacity && m_capacities->currentIndex() == 0) {
        m_capacities->insertItem(1, bytesText(m_capacity->bytes), static_cast<int>(gpus.size()));
        m_capacities->setCurrentIndex(1);
    }
    m_capacities->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_capacities->setMinimumContentsLength(kWidestChoice);
}

QPushButton* PreferencesDialog::makeClearButton(const char* name, const QString& text, const QString& tip)
{
    auto* button = named(new QPushButton(text, this), name, {}, tip);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, button, [button] { button->setEnabled(false); });
    return button;
}

void PreferencesDialog::layOut()
{
    auto* form = new QFormLayout;
    form->addRow(tr("&Theme"), m_themes);
    form->addRow(tr("Text &size, from the next start"), m_textSize);
    form->addRow(tr("GPU &capacity"), m_capacities);
    form->addRow(tr("&Editor command"), m_editor);
    form->addRow({}, m_peakSoFar);
    form->addRow({}, m_keepsLarge);
    auto* clear = layRow(nullptr, {m_clearCache, m_clearRecent, Part::space(1)}, {{}, 8});
    form->addRow({}, clear);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connectButtons(*buttons, *this);
    layColumn(this, {{form, 1}, buttons}, {kStyleMargins, 8});
}

Preferences PreferencesDialog::preferences() const
{
    Preferences chosen;
    chosen.theme = themeFromName(m_themes->currentData().toString());
    chosen.textPercent = m_textSize->value();
    chosen.peakSoFar = m_peakSoFar->isChecked();
    chosen.keepsLarge = m_keepsLarge->isChecked();
    chosen.editor = m_editor->text().trimmed();
    const int gpu = m_capacities->currentData().toInt();
    const std::vector<GpuModel>& gpus = commonGpus();
    if (gpu >= static_cast<int>(gpus.size()))
        chosen.capacity = m_capacity;
    else if (gpu >= 0)
        chosen.capacity = chosenCapacity(gpus[static_cast<std::size_t>(gpu)]);
    return chosen;
}

} // namespace highwater::gui
