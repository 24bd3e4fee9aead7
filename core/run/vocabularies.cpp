#include "core/run/vocabularies.h"

#include "core/base/embedded_resource.h"
#include "core/base/json.h"
#include "core/base/whole_number.h"

namespace highwater {

Result<std::vector<Vocabulary>> parseVocabularies(std::string_view text)
{
    std::vector<Vocabulary> found;
    try {
        const nlohmann::json document = parseJson(text);
        for (const nlohmann::json& entry : document.at("vocabularies"))
            found.push_back({wholeNumber<std::int64_t>(entry.at("size")), entry.at("of").get<std::string>()});
    } catch (const nlohmann::json::exception& error) {
        return fail(
            ErrorCode::Malformed, std::string("the list of vocabularies cannot be read: ") + error.what());
    }
    for (const Vocabulary& vocabulary : found)
        if (vocabulary.size < 2)
            return fail(
                ErrorCode::Malformed, "the vocabulary of \"" + vocabulary.models + "\" has an invalid size");
    return found;
}

const std::vector<Vocabulary>& knownVocabularies()
{
    static const std::vector<Vocabulary> vocabularies
        = parseVocabularies(embeddedResource("vocabularies.json").value_or(""))
              .value_or(std::vector<Vocabulary>());
    return vocabularies;
}

} // namespace highwater
