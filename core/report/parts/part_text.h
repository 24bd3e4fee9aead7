#pragma once

#include <string>

#include "core/analysis/device/cut_off.h"
#include "core/base/text/sentence_text.h"
#include "core/report/input/report_material.h"
#include "core/table/cells.h"

/// Helpers that all parts of a report share.
namespace highwater {

ReportBlock paragraph(std::string text, Tone tone = Tone::Plain);
/// Returns a paragraph of Tone::Quiet.
ReportBlock quiet(std::string text);

/// Returns the file name without the extensions that only name the format: "r1-before" for
/// "r1-before.pickle.zst".
std::string nameWithoutEndings(const std::string& fileName);

/// Returns "event 5,701, step 3, backward"; "before the first event".
std::string momentWords(const DeviceStudy& study, std::int64_t event);
/// Returns `DeviceStudy::placeText`, for sentences; "at event 5,701" if that is empty.
std::string placeWords(const DeviceStudy& study, std::int64_t event);
/// Returns "30.57 GiB → 23.67 GiB", or a single value if both are equal.
std::string pairText(const std::string& before, const std::string& after);
/// Prefixes a text with "Before: " or "After: " if there are two runs, and then begins it in lower case;
/// empty for an empty text.
std::string captioned(const RunMaterial& run, const std::string& text);
/// Describes a run whose file ends early; empty for a complete file.
std::string cutOffWords(const RunMaterial& run);
/// Returns "peak-sites", "before-peak-sites": ids are unique in a report.
std::string idFor(const RunMaterial& run, const std::string& id);

/// Returns a table of one run, with an id from `idFor` and a caption from `captioned`.
Table tableOfRun(const RunMaterial& run, Table table);

/// Returns the Python frames of a stack outside libraries, innermost first, at most six and the number of
/// further ones: "forward (model.py:39) ← step (train.py:12)"; `site` if there are none.
std::string stackWords(const Trace& trace, StackId stack, const std::string& site);

} // namespace highwater
