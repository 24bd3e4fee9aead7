#include "app/window/commands/rules_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QLabel>
#include <QPushButton>

#include "app/loading/files/rules_file.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_text_edit.h"
#include "app/workspace/saved/saved_file.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/categories/category_rule_matcher.h"
#include "core/analysis/usage/range_figures.h"

namespace highwater::gui {

namespace {

const char* const kExample = R"([
  {"category": "kv_cache", "frames": "allocate_kv_cache", "min_bytes": 1048576},
  {"category": "activation", "frames": "my_model\\.py", "phase": "forward"}
])";

} // namespace

RulesDialog::RulesDialog(
    std::shared_ptr<const DeviceAnalysis> analysis, const std::vector<CategoryRule>& rules, QWidget* parent)
    : QDialog(parent)
    , m_analysis(std::move(analysis))
    , m_rules(rules)
    , m_text(new PlainTextEdit(this))
    , m_answer(new QLabel(this))
{
    setObjectName(QStringLiteral("rulesDialog"));
    setWindowTitle(tr("Category rules"));
    layOut();
    if (!rules.empty())
        m_text->setPlainText(toQString(toJsonText(rules)));
    connect(m_text, &QPlainTextEdit::textChanged, this, &RulesDialog::check);
    check();
}

void RulesDialog::layOut()
{
    auto* explanation
        = new QLabel(tr("Rules override inferred categories; the first rule that matches wins. \"frames\" is "
                        "a regular expression, matched anywhere in each \"function file:line\" of a stack; "
                        "\"min_bytes\", \"max_bytes\" and \"phase\" narrow it down."),
            this);
    explanation->setProperty("quiet", true);
    explanation->setWordWrap(true);
    named(m_text, "rulesText", tr("Rules as JSON"));
    m_text->setPlaceholderText(QString::fromLatin1(kExample));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_text->setMinimumSize(640, 14 * fontMetrics().lineSpacing());
    named(m_answer, "rulesAnswer", tr("Effect of the rules"));
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setWordWrap(true);
    m_answer->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_answer->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layColumn(this, {explanation, {m_text, 1}, m_answer, makeButtons()}, {kStyleMargins, 8});
}

QDialogButtonBox* RulesDialog::makeButtons()
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_applyButton = buttons->addButton(tr("&Apply"), QDialogButtonBox::AcceptRole);
    QPushButton* const open = buttons->addButton(tr("&Load…"), QDialogButtonBox::ActionRole);
    QPushButton* const keep = buttons->addButton(tr("&Save as…"), QDialogButtonBox::ActionRole);
    connect(open, &QPushButton::clicked, this, &RulesDialog::load);
    connect(keep, &QPushButton::clicked, this, &RulesDialog::save);
    connectButtons(*buttons, *this);
    return buttons;
}

void RulesDialog::showAnswer(const QString& text, bool isValid)
{
    m_answer->setText(text);
    m_applyButton->setEnabled(isValid);
}

void RulesDialog::check()
{
    m_countTask.drop();
    const QString text = m_text->toPlainText().trimmed();
    if (text.isEmpty()) {
        m_rules.clear();
        showAnswer(tr("No rules: all categories are inferred."), true);
        return;
    }
    const Result<std::vector<CategoryRule>> rules = parseCategoryRules(text.toStdString());
    if (!rules) {
        showAnswer(tr("Invalid: %1").arg(toQString(toText(rules.error()))), false);
        return;
    }
    m_rules = *rules;
    showAnswer(tr("Checking the peak…"), true);
    countAtPeak();
}

/// Counts the bytes at the peak that the rules match, by category, off the GUI thread.
void RulesDialog::countAtPeak()
{
    m_countTask.run([this, analysis = m_analysis, rules = m_rules]() -> LatestTask::Delivery {
        const CategoryRuleMatcher matcher(*analysis->trace, analysis->allocations, analysis->phases, rules);
        CategoryBytes bytes{};
        CountedBytes matched;
        std::vector<AllocationIndex> live;
        analysis->live.liveAt(analysis->figures.peakEvent, live);
        for (const AllocationIndex i : live)
            if (const std::optional<Category> category = matcher.match(i)) {
                bytes[static_cast<std::size_t>(*category)] += analysis->allocations.bytes(i);
                matched.add(analysis->allocations.bytes(i));
            }
        return [this, analysis, bytes, matched] {
            QStringList parts;
            for (std::size_t i = 0; i < kCategoryCount; ++i)
                if (bytes[i] > 0)
                    parts << QStringLiteral("%1 %2").arg(
                        toQString(titleOf(static_cast<Category>(i))), bytesText(bytes[i]));
            showAnswer(tr("At the peak the rules match %1 of %2, in %3%4")
                           .arg(bytesText(matched.bytes), amountText(*analysis, analysis->figures.peakBytes),
                               countedText(matched.count, "allocation", "allocations"),
                               parts.isEmpty() ? QString() : QStringLiteral(": ") + parts.join(tr(", "))),
                true);
        };
    });
}

void RulesDialog::load()
{
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Load rules"), {}, tr("Rules (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    if (const Result<std::vector<CategoryRule>> rules = loadCategoryRules(systemPath(path)))
        m_text->setPlainText(toQString(toJsonText(*rules)));
    else
        showAnswer(
            QStringLiteral("%1: %2").arg(path, toQString(toText(rules.error()))), m_applyButton->isEnabled());
}

void RulesDialog::save()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save rules"), QStringLiteral("rules.json"), tr("Rules (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    if (const Result<void> saved = saveBytes(path, m_text->toPlainText().toUtf8()); !saved)
        showAnswer(
            QStringLiteral("%1: %2").arg(path, toQString(toText(saved.error()))), m_applyButton->isEnabled());
}

} // namespace highwater::gui
