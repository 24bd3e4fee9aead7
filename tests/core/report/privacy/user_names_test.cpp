#include "core/report/privacy/user_names.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::string replacedAfter(const char* learnt, const char* text)
{
    UserNames names;
    names.learn(learnt);
    return names.replaced(text);
}

} // namespace

TEST(UserNames, AreLearntFromHomesAndAccounts)
{
    for (const char* learnt : {"/home/alice/x.py", "at /Users/alice/x", "C:\\Users\\alice\\x",
             "C:\\\\Users\\\\alice\\\\x", "/home/alice", "see /home/alice.", "alice@node1:~$", "~alice/x.py",
             "https://alice:pw@example.org/x", "/export/home/alice:/x"})
        EXPECT_EQ(replacedAfter(learnt, "run of alice"), "run of user") << learnt;
}

TEST(UserNames, AreReplacedAsWholeWords)
{
    EXPECT_EQ(replacedAfter("/home/alice/x", "alice, alice-1 alice.log alices malice alice_x Alice"),
        "user, user-1 user.log alices malice alice_x Alice");
}

TEST(UserNames, MayHoldDotsHyphensAndSpaces)
{
    EXPECT_EQ(replacedAfter("/home/jane.doe-x/y", "jane.doe-x, jane"), "user, jane");
    EXPECT_EQ(replacedAfter("C:\\Users\\Jane Doe\\y", "by Jane Doe"), "by user");
    EXPECT_EQ(replacedAfter("/home/jürgen/y", "jürgen"), "user");
}

TEST(UserNames, AreReplacedByTheLongestThatFits)
{
    EXPECT_EQ(replacedAfter("/home/jane/x /home/jane.doe/x", "jane.doe jane jane.d"), "user user user.d");
}

TEST(UserNames, AreNotThoseThatManyMachinesHave)
{
    for (const char* learnt : {"/home/ubuntu/x", "/home/al/x", "root@node", "/home/user/x", "/home/12345/x"})
        EXPECT_EQ(replacedAfter(learnt, "ubuntu al root user 12345"), "ubuntu al root user 12345") << learnt;
}

TEST(UserNames, AreNotLearntFromVersionsAndWords)
{
    for (const char* learnt : {"torch@2.1", "model @ 5", "go home/alice", "@alice", "home of alice"})
        EXPECT_EQ(replacedAfter(learnt, "torch model alice"), "torch model alice") << learnt;
}

} // namespace highwater
