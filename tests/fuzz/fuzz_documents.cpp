#include <cstdint>
#include <string_view>

#include "core/analysis/budget/budget.h"
#include "core/analysis/usage/allocation_filter.h"
#include "core/run/category_rules.h"
#include "core/run/configuration.h"
#include "core/run/note_json.h"
#include "core/run/run_shape.h"
#include "core/run/workspace_file.h"
#include "importers/registry/open_trace.h"
#include "importers/source/peekable_source.h"

namespace {

using namespace highwater;

/// A configuration becomes a run and its budget.
void readConfiguration(std::string_view text)
{
    const Result<std::vector<ConfigurationEntry>> entries = parseConfiguration(text);
    if (!entries)
        return;
    const Result<ModelShape> model = parseModelShape(*entries);
    const Result<RunShape> run = parseRunShape(*entries, model.value_or(ModelShape{}));
    if (run)
        expectedBudget(*run);
}

/// What was read is written and read again as the same.
void readWorkspace(std::string_view text)
{
    const Result<ReadWorkspace> read = workspaceFromJson(text);
    if (!read)
        return;
    const std::string written = workspaceToJson(read->file);
    const Result<ReadWorkspace> again = workspaceFromJson(written);
    if (!again || workspaceToJson(again->file) != written)
        __builtin_trap();
}

/// The text as patterns by which a log is read.
void readPatterns(std::string_view text)
{
    ImportOptions options;
    options.logPatterns = text;
    const Result<ImportedTrace> imported = importTrace(
        std::make_unique<MemorySource>("step 5 | memory allocated: 3.5 GiB | loss 1.25\n"), options);
}

} // namespace

/// Any bytes as each of the small documents of a user: they are read, or refused in a sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    readConfiguration(text);
    readWorkspace(text);
    readPatterns(text);
    [[maybe_unused]] const Result<ReadNotes> notes = parseNotes(text);
    [[maybe_unused]] const Result<std::vector<CategoryRule>> rules = parseCategoryRules(text);
    [[maybe_unused]] const Result<FilterSpec> filter = parseFilter(std::string(text));
    return 0;
}
