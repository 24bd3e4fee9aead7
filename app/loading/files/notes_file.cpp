#include "app/loading/files/notes_file.h"

#include "app/loading/files/small_file.h"

namespace highwater {

Result<ParsedNotes> loadNotes(const std::string& path)
{
    constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
    return readSmallFile(path, "exceeds the limit for notes (64 MiB)", kMaxBytes)
        .and_then([](const std::string& text) { return parseNotes(text); });
}

} // namespace highwater
