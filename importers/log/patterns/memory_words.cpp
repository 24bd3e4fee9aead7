#include "importers/log/patterns/memory_words.h"

#include "importers/log/text/match_view.h"

namespace highwater::logs {

const MemoryMeaning* findMeaning(const MemoryWords& words, std::string_view phrase, bool lineIsAboutMemory)
{
    const bool hasMemoryWord = re2::RE2::PartialMatch(piece(phrase), *words.memory);
    if (words.meanings.empty() || (!hasMemoryWord && !lineIsAboutMemory))
        return nullptr;
    for (std::size_t i = 0; i + 1 < words.meanings.size(); ++i)
        if (re2::RE2::PartialMatch(piece(phrase), *words.meanings[i].words))
            return &words.meanings[i];
    return hasMemoryWord ? &words.meanings.back() : nullptr;
}

} // namespace highwater::logs
