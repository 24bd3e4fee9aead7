#pragma once

#include <string>
#include <vector>

#include "core/report/material/report_material.h"

/// Small things that all parts of a report say alike.
namespace highwater {

ReportBlock paragraph(std::string text, Tone tone = Tone::Plain);
/// The title of what follows, where a part is about more than one thing.
ReportBlock quiet(std::string text);

ReportCell bytesCell(Bytes bytes);
ReportCell deltaCell(Bytes bytes);
ReportCell countCell(std::int64_t count);
ReportCell eventCell(std::int64_t event);
/// Of a whole; nothing where the whole is 0.
ReportCell shareCell(Bytes part, Bytes whole);
/// How often the whole; rounded once, to the digits that `formatRatio` shows. Nothing where the whole is 0.
ReportCell factorCell(Bytes part, Bytes whole);
/// Nothing where the text is empty.
ReportCell textCell(std::string text);

/// Begins with a capital, and has a full stop unless it ends as a sentence already.
std::string fullSentence(std::string text);
/// "The peak…" as "the peak…"; names in capitals stay.
std::string lowerFirst(std::string text);
/// The name of a file without the endings that only say what kind it is: "r1-before" of
/// "r1-before.pickle.zst".
std::string nameWithoutEndings(const std::string& fileName);

/// "event 5,701, step 3, backward"; "before the first event".
std::string momentWords(const DeviceStudy& study, std::int64_t event);
/// "requested bytes"; "allocated bytes, inferred" where some follow from the rounding rule alone; "requested
/// bytes, at least" of a file that is cut off.
std::string quantityWords(const DeviceStudy& study);
/// "before: " in front of a caption where there are two runs, else the text as a caption.
std::string captioned(const RunMaterial& run, const std::string& text);
/// What is known of a run whose file ends early; nothing of a whole one.
std::string cutOffWords(const RunMaterial& run);
/// "peak-sites", "before-peak-sites": ids are unique in a report.
std::string idFor(const RunMaterial& run, const std::string& id);

/// What a frame says in few words: "forward model.py:39".
std::string frameWords(const Trace& trace, const Frame& frame);
/// The user's own frames of a stack, innermost first: "forward model.py:39 ← step train.py:12"; what `site`
/// says where there are none.
std::string stackWords(const Trace& trace, StackId stack, const std::string& site);

} // namespace highwater
