#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

/// A Python package that a rehearsal accepts as PyTorch. Its allocator only keeps a list of events:
/// `torch.alloc(bytes)` returns an address, `torch.free(address)` and `torch.empty_cache()` free memory,
/// `torch.run_out(bytes)` raises `torch.cuda.OutOfMemoryError`, `torch.optimizer_step()` allocates and frees
/// in the optimizer of a training step. Modules are those that the user's script defines. The Python recorder
/// and the command are the real ones.
class FakeTorch
{
public:
    FakeTorch();

    /// False if there is no python3 to import the package.
    static bool isUsable();
    const std::filesystem::path& folder() const { return m_folder.path(); }
    /// The environment in which Python finds the package, and rehearsals create their temporary folders in
    /// `temporary()`.
    std::vector<std::pair<std::string, std::string>> environment() const;
    std::filesystem::path temporary() const { return folder() / "tmp"; }
    std::string snapshot() const { return (folder() / "out.pickle").string(); }
    /// Returns the arguments of a rehearsal of a script with this text, on an L4.
    std::vector<std::string> rehearsal(
        const std::string& script, const std::vector<std::string>& options = {}) const;
    /// Rehearses a script with this text.
    ProgramRun run(const std::string& script, const std::vector<std::string>& options = {}) const;

private:
    TemporaryFolder m_folder;
};

} // namespace highwater::test

/// Skips the test if Python is not installed.
#define SKIP_WITHOUT_PYTHON()                                                                                \
    if (!test::FakeTorch::isUsable())                                                                        \
    GTEST_SKIP() << "no python3"
