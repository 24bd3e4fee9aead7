#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

/// Tests how a rehearsal finds out which code reads a value: resources/rehearse/highwater_reads.py, run
/// alone.
namespace highwater {

TEST(Reads, KeepNothingAliveThatTheScriptDrops)
{
    if (std::system("python3 -c 'import weakref' 2>/dev/null") != 0)
        GTEST_SKIP() << "no python3";
    const test::TemporaryFolder folder;
    const std::string code
        = std::filesystem::path(test::samplePath("")).parent_path().parent_path() / "resources" / "rehearse";
    // The folder is that of the trainer, for which reads are attributed.
    const std::string script
        = folder.write("trainer.py", "import sys, weakref\nsys.path.insert(0, '" + code + R"(')
import highwater_reads

class Tensor: pass

class Torch:
    int64 = int32 = int16 = uint8 = None

reads = highwater_reads.Reads(Torch, [], 0)

def train():
    seen = []
    for step in range(3):
        x = Tensor()
        seen.append(weakref.ref(x))
        reads.decide("item")
    return [one() is not None for one in seen]

sys.exit(0 if train() == [False, False, True] else 7)
)");
    EXPECT_EQ(std::system(("python3 -B " + script).c_str()), 0);
}

} // namespace highwater
