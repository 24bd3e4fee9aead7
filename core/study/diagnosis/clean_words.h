#pragma once

#include <string>

#include "core/study/diagnosis/diagnosis.h"

/// The words for runs in which no fault was found or could be found, and sentences that other diagnoses
/// share.
namespace highwater {

/// Sets the texts of a diagnosis without a fault: of a clean run, of a file that is cut off, untrusted or
/// without data, of a recording in which the driver refused memory. Returns false for all other diagnoses,
/// which it leaves as they are.
bool wordWithoutFault(const DiagnosedRun& run, Diagnosis& diagnosis);

/// Returns "The peak is 21.26 GiB of 39.39 GiB."; empty if no file gives the memory in use.
std::string peakText(const DiagnosedRun& run);
/// Returns "no leak in 12 steps"; empty without allocations over enough steps.
std::string noLeakText(const Diagnosis& diagnosis);
/// Returns "The file is cut off at byte 6,466, after 5 events", for a run that is cut off.
std::string cutTitle(const DiagnosedRun& run);
/// Adds a sentence after those that are there; does nothing if it is empty.
void appendSentence(std::string& text, const std::string& more);

} // namespace highwater
