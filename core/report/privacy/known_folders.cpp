#include "core/report/privacy/known_folders.h"

#include <algorithm>
#include <string_view>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// True for characters with which the rules of strip_directories.h find the whole path.
bool isPlain(char c)
{
    constexpr std::string_view others = "_./\\+@:-~";
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z')
        || (byte >= 'a' && byte <= 'z') || others.find(c) != std::string_view::npos;
}

} // namespace

void KnownFolders::add(std::string folder)
{
    if (std::ranges::find(m_folders, folder) == m_folders.end())
        m_folders.push_back(std::move(folder));
}

void KnownFolders::learn(const Trace& trace)
{
    std::vector<StringId> files;
    for (std::size_t i = 0; i < trace.stacks.functionCount(); ++i)
        if (const StringId file = trace.stacks.function(i).file; !file.isNone())
            files.push_back(file);
    std::ranges::sort(files);
    files.erase(std::unique(files.begin(), files.end()), files.end());
    for (const StringId file : files) {
        const std::string_view path = trace.text(file);
        const std::size_t end = path.find_last_of("/\\");
        if (end == std::string_view::npos || std::ranges::all_of(path.substr(0, end), isPlain))
            continue;
        if (m_folders.size() >= kMax)
            break;
        const std::string folder(path.substr(0, end + 1));
        add(folder);
        add(sanitizedText(folder)); // texts show the folder like this
    }
    std::ranges::stable_sort(m_folders, std::ranges::greater(), &std::string::size);
}

std::string KnownFolders::textWithoutFolders(std::string text) const
{
    for (const std::string& folder : m_folders)
        for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
            text.erase(at, folder.size());
    return text;
}

} // namespace highwater
