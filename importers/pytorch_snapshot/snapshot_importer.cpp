#include "importers/pytorch_snapshot/snapshot_importer.h"

#include "core/base/characters.h"
#include "core/base/text_parts.h"
#include "importers/conclude_import.h"
#include "importers/pickle/pickle_machine.h"
#include "importers/pytorch_snapshot/html_page_source.h"
#include "importers/pytorch_snapshot/snapshot_assembler.h"
#include "importers/pytorch_snapshot/snapshot_json_reader.h"
#include "importers/source/read_buffer.h"

namespace highwater {

namespace {

/// Judges by the first opcodes.
bool looksLikePickle(std::string_view prefix)
{
    if (prefix.empty())
        return false;
    if (prefix[0] == '\x80')
        return true;
    // Protocols 0 and 1 have no header. They begin with an empty container and its memo entry or its
    // contents.
    const bool isEmptyContainer = prefix.starts_with("(d") || prefix.starts_with("(l");
    const bool hasMemoEntry = prefix.size() > 3 && prefix[2] == 'p' && isDigit(prefix[3]);
    const bool hasContents = prefix.size() > 2 && (prefix[2] == '(' || prefix[2] == '.');
    if (isEmptyContainer && (hasMemoEntry || hasContents))
        return true;
    return prefix.size() > 1 && (prefix[0] == '}' || prefix[0] == ']')
        && (prefix[1] == 'q' || prefix[1] == 'r' || prefix[1] == '(' || prefix[1] == '.');
}

/// Returns the snapshot, or the part of it that was read before `error`. Returns the error if that part is
/// empty.
Result<ImportedTrace> concludeSnapshot(
    SnapshotAssembler& assembler, const Value& root, const std::optional<Error>& error)
{
    Result<std::shared_ptr<const Trace>> trace = assembler.finish(root);
    if (!trace)
        return tl::unexpected<Error>(error ? *error : trace.error());
    const bool isEmpty
        = (*trace)->events.rows() == 0 && (*trace)->segments.segments.empty() && (*trace)->spans.empty();
    return concludeImport(error, isEmpty, [&] { return *trace; });
}

Result<ImportedTrace> importPickle(ByteSource& source, const ImportOptions& options)
{
    ReadBuffer buffer(source);
    SnapshotAssembler assembler;
    std::optional<Error> error;
    Value root;
    {
        PickleMachine machine(buffer, assembler, options.maxMemoryBytes);
        assembler.setPlaceProvider([&machine] { return Place::byte(machine.offset()); });
        const Result<Value> outcome = machine.run();
        if (!outcome)
            error = outcome.error();
        if (error && !leavesUsablePart(*error))
            return tl::unexpected<Error>(*error);
        root = outcome ? *outcome : machine.salvage();
        assembler.setPlaceProvider({});
    } // free the memo before pairing needs memory
    return concludeSnapshot(assembler, root, error);
}

Result<ImportedTrace> importJson(ByteSource& source, const ImportOptions& options)
{
    SnapshotAssembler assembler;
    const JsonOutcome outcome = readSnapshotJson(source, assembler, options.maxMemoryBytes);
    return concludeSnapshot(assembler, outcome.root, outcome.error);
}

} // namespace

SnapshotContainer sniffSnapshot(std::string_view prefix)
{
    if (looksLikePickle(prefix))
        return SnapshotContainer::Pickle;
    const std::size_t start = prefix.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const std::string_view text = start == std::string_view::npos ? std::string_view() : prefix.substr(start);
    if (text.starts_with('<') && containsAny(text, {"<html", "<HTML", "<script", "<!DOCTYPE", "<!doctype"}))
        return SnapshotContainer::HtmlPage;
    const bool json = text.starts_with('{') || text.starts_with('[');
    if (json && !containsAny(text, {"\"traceEvents\""})
        && containsAny(text,
            {"\"segments\"", "\"device_traces\"", "\"total_size\"", "\"allocator_settings\"",
                "\"external_annotations\""}))
        return SnapshotContainer::Json;
    return SnapshotContainer::None;
}

Result<ImportedTrace> importSnapshot(
    SnapshotContainer container, std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    if (container == SnapshotContainer::Json)
        return importJson(*source, options);
    if (container == SnapshotContainer::Pickle)
        return importPickle(*source, options);
    Result<std::unique_ptr<ByteSource>> inner = HtmlPageSource::open(std::move(source));
    if (!inner)
        return tl::unexpected<Error>(inner.error());
    Result<ImportedTrace> imported = importPickle(**inner, options);
    if (imported)
        imported->containers.push_back("html");
    return imported;
}

} // namespace highwater
