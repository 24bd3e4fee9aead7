#include "app/views/segments/replay_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/base/text/sentence_text.h"
#include "core/table/replay_table.h"
#include "core/table/table.h"

namespace highwater::gui {

namespace {

constexpr int kEssentialColumns = 4; ///< all but the reserved bytes, which are left out first

/// Replays the recording with other settings. Fails if it cannot be replayed.
Result<SettingsStudy> studySettings(const DeviceAnalysis& analysis)
{
    const SegmentHistory history(*analysis.trace, analysis.allocations, analysis.live);
    const Result<AllocationScript> script = allocationScript(
        history, analysis.curve, knownCapacity(analysis.info(), analysis.figures.ooms, analysis.curve));
    if (!script)
        return tl::unexpected(script.error());
    return settingsAdvice(*script);
}

} // namespace

ReplayPanel::ReplayPanel(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_table(makePlainTable(m_model, QStringLiteral("replays"), tr("Replays with other settings"), this))
    , m_copy(new QPushButton(tr("Copy PYTORCH_CUDA_ALLOC_CONF"), this))
{
    makeSelectable(*m_sentence, Qt::PlainText, {8, 6, 8, 2});
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_copy->setToolTip(tr("Copy the settings of the selected row"));
    layColumn(this, {m_sentence, {m_table, 1}, {m_copy, 0, Qt::AlignLeft}}, {{0, 0, 0, 6}, 4});
    connect(m_copy, &QPushButton::clicked, this, &ReplayPanel::copyConfiguration);
    leaveOutColumns(*m_table, kEssentialColumns);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this] { m_copy->setEnabled(chosen() != nullptr); });
}

void ReplayPanel::showDevice(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_task.drop();
    m_analysis = std::move(analysis);
    m_study.reset();
    m_isStale = true;
    m_table->hide();
    m_copy->hide();
    showSentence({});
    if (isVisible())
        replay();
}

void ReplayPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        replay();
}

void ReplayPanel::replay()
{
    m_isStale = false;
    if (!m_analysis)
        return;
    showSentence(tr("Replaying the run with other allocator settings…"));
    m_task.run([this, analysis = m_analysis]() -> LatestTask::Delivery {
        Result<SettingsStudy> study = studySettings(*analysis);
        if (!study)
            return [this, why = study.error().message] { showSentence(toQString(upperFirst(why))); };
        return [this, result = std::make_shared<const SettingsStudy>(*std::move(study))] {
            acceptStudy(result);
        };
    });
}

void ReplayPanel::showSentence(const QString& sentence)
{
    m_sentence->setText(sentence);
    m_sentence->setHidden(sentence.isEmpty());
    emit settled();
}

void ReplayPanel::acceptStudy(std::shared_ptr<const SettingsStudy> study)
{
    m_study = std::move(study);
    QStringList sentences;
    if (const std::string why = reasonForNoAdvice(*m_study); !why.empty())
        sentences << toQString(upperFirst(why)) + QLatin1Char('.');
    if (!m_study->fidelity.isExact())
        sentences
            << tr("The replay with the recorded settings %1.").arg(toQString(sentenceOf(m_study->fidelity)));
    m_model.setTable(withoutEmptyColumns(replayTable(*m_study)));
    fitColumns(*m_table);
    m_table->setVisible(!m_study->advice.empty());
    m_copy->setVisible(!m_study->advice.empty());
    if (!m_study->advice.empty()) // the best, so that the button copies a row that is seen to be selected
        m_table->setCurrentIndex(m_model.index(m_model.shownRow(adviceRow(0)), 0));
    showSentence(sentences.join(QLatin1Char(' ')));
}

QString ReplayPanel::noAdviceText() const
{
    return m_study && m_study->advice.empty() ? m_sentence->text() : QString();
}

const SettingsAdvice* ReplayPanel::chosen() const
{
    const QModelIndex row = m_table->selectionModel()->currentIndex();
    if (!m_study || !row.isValid())
        return nullptr;
    const std::size_t advice = m_model.rowAt(row.row()) - adviceRow(0); // huge for the row as recorded
    return advice < m_study->advice.size() ? &m_study->advice[advice] : nullptr;
}

void ReplayPanel::copyConfiguration()
{
    if (const SettingsAdvice* advice = chosen())
        QGuiApplication::clipboard()->setText(
            QStringLiteral("PYTORCH_CUDA_ALLOC_CONF=%1").arg(toQString(advice->configuration)));
}

} // namespace highwater::gui
