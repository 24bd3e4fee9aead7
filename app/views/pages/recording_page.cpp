#include "app/views/pages/recording_page.h"

#include <utility>

#include <QLabel>
#include <QLayout>

#include "app/views/pages/import_log_view.h"
#include "app/views/pages/snippet.h"
#include "app/views/pages/start_page.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text/sentence_text.h"
#include "core/study/run_study.h"

namespace highwater::gui {

namespace {
constexpr int kTextWidth = 760;

QLabel* makeParagraph(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

RecordingPage::RecordingPage(QWidget* parent)
    : Page(parent)
    , m_title(makeParagraph(this))
    , m_remarks(makeParagraph(this))
    , m_lines(new Snippet(this))
{
    named(this, "recordingPage", tr("Recording"));
    setFocusPolicy(Qt::StrongFocus);
    m_title->setObjectName(QStringLiteral("recordingTitle"));
    m_remarks->setObjectName(QStringLiteral("recordingRemarks"));
    makeBold(*m_title, 20.0 / 12);
    auto* content = named(new QWidget(this), "recordingContent");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QWidget(content);
    column->setMaximumWidth(kTextWidth);
    layColumn(column, {Part::space(1), m_title, m_remarks, m_lines, Part::space(1)}, {{}, 16});
    layRow(content, {Part::space(1), {column, 20}, Part::space(1)}, {{24, 24, 24, 24}, 0});
    layColumn(this, {makeScrollArea(content, this, tr("Recording"))});
}

void RecordingPage::show(std::shared_ptr<const Document> document)
{
    m_document = std::move(document);
    const Trace& trace = m_document->trace();
    m_title->setText(tr("No memory events in %1").arg(toQString(m_document->fileName())));
    m_remarks->setText(importLogText(trace.log));
    m_lines->setLines(StartPage::recordingOf(trace.metadata.kind).lines);
    emit changed();
}

void RecordingPage::showDiagnosis(const RunStudy* run)
{
    if (!run || !m_document || &run->trace() != &m_document->trace())
        return;
    const Diagnosis& diagnosis = run->diagnosis();
    m_title->setText(toQString(diagnosis.sentence));
    if (m_remarks->text().isEmpty())
        m_remarks->setText(toQString(fullSentence(diagnosis.next)));
    layout()->activate(); // the texts may have another height now
}

std::vector<NoteSubject> RecordingPage::subjects() const
{
    return onlySubject(m_document);
}

} // namespace highwater::gui
