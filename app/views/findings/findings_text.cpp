#include "app/views/findings/findings_text.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"
#include "core/report/model/finding_text.h"

namespace highwater::gui {

namespace {

QString escaped(const std::string& text)
{
    return toQString(text).toHtmlEscaped();
}

QString link(const QString& target, const QString& text)
{
    return QStringLiteral("<a href='%1'>%2</a>").arg(target, text);
}

class FindingsText
{
public:
    FindingsText(const std::vector<Finding>& findings, const ThemeColors& colors)
        : m_findings(findings)
        , m_colors(colors)
    {
    }

    QString all(const Diagnosis& diagnosis)
    {
        QString text = paragraph(
            QStringLiteral("<b>%1</b> %2").arg(escaped(diagnosis.verdict), escaped(diagnosis.sentence)));
        text += ofKind(FindingKind::Fault);
        if (countOf(FindingKind::Fault) > 0 && countOf(FindingKind::Fact) > 0)
            text += paragraph(quiet(QObject::tr("Facts")));
        return text + ofKind(FindingKind::Fact);
    }

private:
    std::size_t countOf(FindingKind kind) const
    {
        return static_cast<std::size_t>(std::ranges::count(m_findings, kind, &Finding::kind));
    }

    QString quiet(const QString& text) const
    {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(m_colors.quietText.name(), text);
    }

    static QString paragraph(const QString& text)
    {
        return QStringLiteral("<p style='margin:6px 0 2px 0'>%1</p>").arg(text);
    }

    QString ofKind(FindingKind kind)
    {
        std::vector<std::size_t> ofKind;
        for (std::size_t i = 0; i < m_findings.size(); ++i)
            if (m_findings[i].kind == kind)
                ofKind.push_back(i);
        std::ranges::stable_sort(
            ofKind, [&](std::size_t a, std::size_t b) { return readsBefore(m_findings[a], m_findings[b]); });
        QString text;
        for (const std::size_t i : ofKind)
            text += finding(m_findings[i], i);
        return text;
    }

    QString finding(const Finding& finding, std::size_t number) const
    {
        const bool grave = finding.kind == FindingKind::Fault && finding.grade != Grade::C;
        const QColor color = grave ? m_colors.warning : m_colors.text;
        const QString title = QStringLiteral("<a href='finding:%1' style='color:%2;text-decoration:none'>"
                                             "<b>%3</b></a>")
                                  .arg(QString::number(number), color.name(), escaped(finding.title));
        QString text = paragraph(title + QStringLiteral("&nbsp; ")
            + quiet(QStringLiteral("%1 · %2").arg(toQString(toText(finding.grade)), escaped(finding.rule)))
            + QStringLiteral("&nbsp; ")
            + link(QStringLiteral("keep:%1").arg(number), QObject::tr("keep as note")));
        text += QStringLiteral("<ul style='margin:0 0 0 -18px'>");
        for (std::size_t i = 0; i < finding.evidence.size(); ++i)
            text += item(evidence(finding.evidence[i], number, i));
        if (!finding.remedy.action.empty())
            text += item(QObject::tr("<b>Next:</b> %1").arg(remedy(finding)));
        if (!finding.wouldDisprove.empty())
            text += item(quiet(QObject::tr("Would disprove it: %1").arg(escaped(finding.wouldDisprove))));
        return text + QStringLiteral("</ul>");
    }

    static QString item(const QString& text) { return QStringLiteral("<li>%1</li>").arg(text); }

    static QString remedy(const Finding& finding)
    {
        const std::string saving = savingText(finding);
        const QString action = escaped(finding.remedy.action);
        return saving.empty() ? action : QStringLiteral("%1 (%2)").arg(action, escaped(saving));
    }

    static QString evidence(const Evidence& piece, std::size_t finding, std::size_t number)
    {
        if (std::holds_alternative<std::monostate>(piece.target))
            return escaped(piece.sentence);
        return escaped(piece.sentence) + QStringLiteral(" ")
            + link(QStringLiteral("evidence:%1:%2").arg(finding).arg(number), QObject::tr("show"));
    }

    const std::vector<Finding>& m_findings;
    const ThemeColors& m_colors;
};

} // namespace

QString findingsHtml(
    const Diagnosis& diagnosis, const std::vector<Finding>& findings, const ThemeColors& colors)
{
    return QStringLiteral("<style>a { color: %1; }</style>").arg(colors.accent.name())
        + FindingsText(findings, colors).all(diagnosis);
}

} // namespace highwater::gui
