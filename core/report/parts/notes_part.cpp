#include "core/report/parts/first_page.h"
#include "core/report/parts/note_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

std::vector<ReportBlock> notesPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    NoteLookup lookup(material);
    int number = 0;
    for (const Note& note : material.request.notes) {
        ++number; // counts notes shown in the summary, too, since flags are numbered as in the list
        if (!fillsField(note) || material.isPullRequest())
            blocks.push_back(ReportNote{number, notePlaceWords(lookup, note), note});
    }
    return blocks;
}

} // namespace highwater
