#include "app/views/side_panel/source_view.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/plain_text_edit.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_parts.h"

namespace highwater::gui {

namespace {

constexpr int kSourceGap = 4;
constexpr int kShownLines = 5;

/// Returns "model.py:39 · /src/model.py", or "model.py:39 · from the recording".
QString placeText(const SourceAnswer& answer)
{
    const QString place
        = QStringLiteral("%1:%2").arg(toQString(sourceFileName(answer.recordedPath))).arg(answer.line);
    return answer.isRecorded ? SourceView::tr("%1 · from the recording").arg(place)
                             : QStringLiteral("%1 · %2").arg(place, toQString(answer.path));
}

/// Numbers the lines: "  9  x = 1".
QString numberedText(const SourceLines& lines)
{
    const auto last = lines.first + static_cast<std::int32_t>(lines.texts.size()) - 1;
    const auto width = static_cast<int>(QString::number(last).size());
    QStringList rows;
    for (std::size_t i = 0; i < lines.texts.size(); ++i)
        rows << QString::number(lines.first + static_cast<int>(i)).rightJustified(width)
                + QStringLiteral("  ") + toQString(lines.texts[i]);
    return rows.join(QLatin1Char('\n'));
}

} // namespace

SourceView::SourceView(QWidget* parent)
    : QWidget(parent)
    , m_colors(ThemeColors::light())
    , m_place(named(new ElidedLabel(this), "sourcePlace", tr("Source file")))
    , m_lines(named(new PlainTextEdit(this), "sourceLines", tr("Source lines")))
    , m_problem(named(new QLabel(this), "sourceProblem"))
    , m_open(named(new QPushButton(tr("Open in editor"), this), "openSource", {},
          tr("Open the line in your editor (Enter on the frame)")))
    , m_chooseFolder(named(new QPushButton(tr("Choose the source folder…"), this), "chooseSourceFolder", {},
          tr("Choose where to look for files that are not at their recorded path")))
{
    setObjectName(QStringLiteral("source"));
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    m_lines->setFont(fixed);
    m_lines->setReadOnly(true);
    m_lines->setTabChangesFocus(true);
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_lines->document()->setDocumentMargin(kSourceGap);
    m_lines->setFixedHeight(kShownLines * QFontMetrics(fixed).lineSpacing() + 2 * kSourceGap
        + 2 * m_lines->frameWidth() + m_lines->horizontalScrollBar()->sizeHint().height());
    makeSelectable(*m_problem, Qt::PlainText);
    auto* buttons = layRow(nullptr, {m_open, m_chooseFolder, Part::space(1)}, {{}, kSourceGap});
    layColumn(this, {m_place, m_lines, m_problem, buttons}, {{}, kSourceGap});
    connect(m_open, &QPushButton::clicked, this, &SourceView::openRequested);
    connect(m_chooseFolder, &QPushButton::clicked, this, &SourceView::folderRequested);
    clear();
}

void SourceView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    markLine();
}

void SourceView::show(const SourceAnswer& answer)
{
    m_isFilled = true;
    showLines(answer);
    setProblem(toQString(answer.problem));
    m_open->setVisible(!answer.path.empty());
    m_chooseFolder->setVisible(answer.path.empty() && (answer.needsFolder || answer.isRecorded));
    setVisible(true);
}

void SourceView::showLines(const SourceAnswer& answer)
{
    m_place->setVisible(answer.lines.has_value());
    m_lines->setVisible(answer.lines.has_value());
    if (!answer.lines)
        return;
    m_place->setText(placeText(answer));
    m_lines->setPlainText(numberedText(*answer.lines));
    m_marked = answer.line - answer.lines->first;
    markLine();
}

/// Gives the frame's line the background of a selection.
void SourceView::markLine()
{
    QTextEdit::ExtraSelection line;
    line.cursor = QTextCursor(m_lines->document()->findBlockByNumber(m_marked));
    line.format.setBackground(m_colors.accentSoft);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    m_lines->setExtraSelections({line});
}

void SourceView::setProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

void SourceView::clear()
{
    m_isFilled = false;
    hide();
}

int SourceView::heightAt(int width) const
{
    return layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width)
                                         : layout()->totalSizeHint().height();
}

} // namespace highwater::gui
