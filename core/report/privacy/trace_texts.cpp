#include "core/report/privacy/trace_texts.h"

#include <array>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text_parts.h"
#include "core/report/privacy/strip_directories.h"

namespace highwater {

TraceTexts::TraceTexts(const Trace& trace)
{
    m_folders.learn(trace);
    for (std::size_t id = 0; id < trace.strings.size(); ++id)
        m_names.learn(trace.strings.view(StringId(id)));
    for (const auto* const texts :
        {&trace.metadata.producer, &trace.metadata.settings, &trace.metadata.unknownEntries})
        for (const auto& [name, value] : *texts)
            m_names.learn(value);
}

std::string TraceTexts::withoutPaths(std::string_view text) const
{
    return m_names.replaced(withoutDirectories(m_folders.textWithoutFolders(std::string(text))));
}

std::string TraceTexts::file(std::string_view path) const
{
    constexpr std::array<std::string_view, 7> kLibraryFolders = {"/site-packages/", "/dist-packages/",
        "/pytorch/torch/", "/lib/python3", "/lib64/python3", "/Lib/", "torch/"};
    const std::string slashes = forwardSlashes(path);
    if (isCompiledFile(slashes))
        return "/torchinductor_/" + std::string(sourceFileName(path));
    if (!isLibraryFile(path) && !containsAny(slashes, {"/site-packages/", "/dist-packages/"}))
        return withoutPaths(path);
    for (const std::string_view folder : kLibraryFolders)
        if (const std::size_t at = slashes.rfind(folder); at != std::string::npos)
            return m_names.replaced(slashes.substr(at));
    return withoutPaths(path);
}

} // namespace highwater
