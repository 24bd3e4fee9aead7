#include "app/cli/console/print_table.h"

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "core/base/text_format.h"
#include "core/table/sinks/aligned_text.h"

namespace highwater::cli {

void printTable(const Table& table)
{
    const Style style = Style::forStdout();
    if (!table.caption.empty())
        printOut("{}\n", style.strong(sanitizedText(table.caption)));
    const auto toned = [&style](CellTone tone, const std::string& text) {
        return tone == CellTone::Worse ? style.warning(text)
            : tone == CellTone::Quiet  ? style.quiet(text)
                                       : text;
    };
    printOut("{}", alignedText(withoutEmptyColumns(table), toned, outputWidth()));
}

} // namespace highwater::cli
