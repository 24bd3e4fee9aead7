#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "importers/importer.h"

namespace highwater::cli {

struct ExportJob;

/// A kind that `--what` names, with its file formats and the options that it takes.
struct ExportKind
{
    enum class Form : std::uint8_t
    {
        Table, ///< .csv or .json
        Stacks, ///< .csv, .json or .txt
        Document, ///< .json
        Database ///< .sqlite, .sqlite3 or .db
    };
    enum Option : std::uint8_t
    {
        Filter = 1,
        Moment = 2,
        Range = 4,
        AuxiliaryFiles = 8,
        Activities = 16,
    };

    std::string_view name;
    std::string_view sentence; ///< description in lists of kinds
    Form form = Form::Table;
    unsigned options = 0;
    void (*write)(const ExportJob& job, const ImportedTrace& imported) = nullptr;

    bool takes(Option option) const { return (options & option) != 0; }
};

/// Returns all kinds: the tables of a device (`deviceTables`), then the others.
const std::vector<ExportKind>& exportKinds();

/// Returns the kind with this name, which must exist.
const ExportKind& exportKindNamed(std::string_view name);

} // namespace highwater::cli
