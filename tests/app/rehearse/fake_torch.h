#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

/// A Python package that a rehearsal takes for PyTorch, with an allocator that only keeps a list of events:
/// `torch.alloc(bytes)` gives an address, `torch.free(address)` and `torch.empty_cache()` give back,
/// `torch.run_out(bytes)` raises `torch.cuda.OutOfMemoryError`, `torch.optimizer_step()` allocates and frees
/// in the optimizer of a training step. The recorder in Python and the command are the real ones.
class FakeTorch
{
public:
    FakeTorch();

    /// False: there is no python3 to import it.
    static bool isUsable();
    const std::filesystem::path& folder() const { return m_folder.path(); }
    /// Under which Python finds it, and rehearsals make their temporary folders in `temporary()`.
    std::vector<std::pair<std::string, std::string>> environment() const;
    std::filesystem::path temporary() const { return folder() / "tmp"; }
    std::string snapshot() const { return (folder() / "out.pickle").string(); }
    /// The arguments of a rehearsal of a script with this text, on an L4.
    std::vector<std::string> rehearsal(
        const std::string& script, const std::vector<std::string>& options = {}) const;
    /// Rehearses it.
    ProgramRun run(const std::string& script, const std::vector<std::string>& options = {}) const;

private:
    TemporaryFolder m_folder;
};

} // namespace highwater::test

/// Ends the test as skipped where no Python is installed.
#define SKIP_WITHOUT_PYTHON()                                                                                \
    if (!test::FakeTorch::isUsable())                                                                        \
    GTEST_SKIP() << "no python3"
