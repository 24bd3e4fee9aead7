#include "app/models/function_matches.h"

namespace highwater::gui {

FunctionMatches::FunctionMatches(const std::vector<CallFunction>& functions, const QString& text)
{
    if (text.isEmpty())
        return;
    m_isMatch.reserve(functions.size());
    for (const CallFunction& function : functions)
        m_isMatch.push_back(QString::fromStdString(function.name).contains(text, Qt::CaseInsensitive)
            || QString::fromStdString(function.file).contains(text, Qt::CaseInsensitive));
}

} // namespace highwater::gui
