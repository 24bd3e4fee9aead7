#include "app/workspace/tasks/qt_text.h"

#include "core/base/text_format.h"

namespace highwater::gui {

QString toQString(std::string_view text)
{
    return QString::fromStdString(sanitizedText(text));
}

QString linesToQString(std::string_view text)
{
    QString lines;
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        lines += toQString(text.substr(0, end)) + QLatin1Char('\n');
        text.remove_prefix(end + 1);
    }
    return lines + toQString(text);
}

QString joined(const std::vector<std::string>& texts, QChar separator)
{
    QStringList list;
    for (const std::string& text : texts)
        list << toQString(text);
    return list.join(separator);
}

QString bytesText(Bytes bytes)
{
    return QString::fromStdString(formatBytes(bytes));
}

QString countText(std::int64_t count)
{
    return QString::fromStdString(formatCount(count));
}

QString countedText(std::int64_t count, const char* singular, const char* plural)
{
    return QString::fromStdString(counted(count, singular, plural));
}

QString eventText(std::int64_t event)
{
    return event < 0 ? QStringLiteral("the start of the trace") : QStringLiteral("event ") + countText(event);
}

} // namespace highwater::gui
