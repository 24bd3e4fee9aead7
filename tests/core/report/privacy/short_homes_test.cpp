#include "core/report/privacy/short_homes.h"

#include <utility>

#include <gtest/gtest.h>

namespace highwater {

TEST(ShortHomes, ReplaceHomesOfEverySystem)
{
    const std::pair<const char*, const char*> cases[] = {
        {"/home/jane/run/train.py:3", "~/run/train.py:3"},
        {"/Users/jane/train.py", "~/train.py"},
        {R"(C:\Users\Jane Doe\train.py)", R"(~\train.py)"},
        {R"("C:\\Users\\jane\\train.py")", R"("~\\train.py")"},
        {"in (/home/jane/a.py:1), /home/joe", "in (~/a.py:1), ~"},
        {"node:/home/jane/x", "node:~/x"},
        {"file:///home/jane/x", "file://~/x"},
    };
    for (const auto& [text, expected] : cases)
        EXPECT_EQ(withShortHomes(text), expected);
}

TEST(ShortHomes, KeepWhatIsNoHome)
{
    for (const char* text : {"/home/", "/opt/home.py", "s3://team/home/jane", "https://x.org/Users/jane",
             "/Users/Shared/data", "/srv/home/jane", "at home", "C:/work"})
        EXPECT_EQ(withShortHomes(text), text);
}

} // namespace highwater
