#include "importers/pytorch_snapshot/field_values.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

struct Values
{
    RecordStore store;
    StringPool strings;
    std::vector<PoolKey> pools = {{3, 4}};
    StringId first = strings.intern("first");
    ValueText text{store, strings, pools};

    Value string(std::string_view text_) { return Value::ofString(strings.intern(text_)); }
    Value container(ObjectType type, std::vector<Value> items)
    {
        const Value made = store.add(type);
        EXPECT_TRUE(store.append(made.index, items));
        return made;
    }
};

Value unsignedValue(std::uint64_t value)
{
    Value v = Value::ofInt(static_cast<std::int64_t>(value));
    v.unsignedBits = true;
    return v;
}

} // namespace

TEST(FieldValues, SizesAreNeitherNegativeNorBeyond63Bits)
{
    EXPECT_EQ(toSize(Value::ofInt(5)), 5);
    EXPECT_EQ(toSize(Value::ofInt(-5)), std::nullopt);
    EXPECT_EQ(toSize(unsignedValue(std::uint64_t{1} << 63)), std::nullopt);
    EXPECT_EQ(toSize(Value::ofFloat(5)), std::nullopt);
    EXPECT_EQ(toSize(Value::none()), std::nullopt);
}

TEST(FieldValues, AddressesAreAny64Bits)
{
    EXPECT_EQ(toAddress(Value::ofInt(-1)), ~Address{0});
    EXPECT_EQ(toAddress(unsignedValue(std::uint64_t{1} << 63)), Address{1} << 63);
    EXPECT_EQ(toAddress(Value::ofFloat(1)), std::nullopt);
}

TEST(FieldValues, TruthIsABoolANumberOrAListThatHoldsOne)
{
    Values v;
    EXPECT_TRUE(isTruthy(Value::ofBool(true), v.store, v.pools));
    EXPECT_FALSE(isTruthy(Value::ofInt(0), v.store, v.pools));
    EXPECT_TRUE(
        isTruthy(v.container(ObjectType::GenericList, {Value::ofInt(0), Value::ofInt(2)}), v.store, v.pools));
    EXPECT_FALSE(isTruthy(v.container(ObjectType::GenericList, {Value::ofBool(false)}), v.store, v.pools));
    EXPECT_FALSE(isTruthy(v.string("true"), v.store, v.pools));
}

TEST(FieldValues, AreRenderedAsJson)
{
    Values v;
    EXPECT_EQ(v.text.json(Value::none()), "null");
    EXPECT_EQ(v.text.json(Value::ofBool(true)), "true");
    EXPECT_EQ(v.text.json(Value::ofInt(-3)), "-3");
    EXPECT_EQ(v.text.json(unsignedValue(~std::uint64_t{0})), "18446744073709551615");
    EXPECT_EQ(v.text.json(Value::ofFloat(0.5)), "0.5");
    EXPECT_EQ(v.text.json(v.string("a\"b\n")), "\"a\\\"b\\n\"");
    EXPECT_EQ(v.text.json(v.string("\xff")), "\"\uFFFD\"");
    EXPECT_EQ(v.text.json(Value::object(code(ObjectType::Pool), 0)), "[3, 4]");
    EXPECT_EQ(
        v.text.json(v.container(ObjectType::GenericList, {Value::ofInt(1), Value::none()})), "[1, null]");
    EXPECT_EQ(
        v.text.json(v.container(ObjectType::GenericDict, {v.string("k"), Value::ofInt(1)})), "{\"k\": 1}");
}

TEST(FieldValues, PlainTextsHaveNoQuotes)
{
    Values v;
    EXPECT_EQ(v.text.plain(v.string("text")), "text");
    EXPECT_EQ(v.text.plain(Value::ofInt(1)), "1");
}

TEST(FieldValues, FlattenDictsOfDicts)
{
    Values v;
    const Value inner = v.container(
        ObjectType::GenericDict, {v.string("1"), Value::ofInt(0), v.string("2"), Value::ofInt(8)});
    const Value outer = v.container(
        ObjectType::GenericDict, {v.string("roundup"), inner, v.string("expandable"), Value::ofBool(false)});
    EXPECT_EQ(v.text.flattened(outer),
        (std::vector<NamedText>{{"roundup.1", "0"}, {"roundup.2", "8"}, {"expandable", "false"}}));
}

TEST(FieldValues, CutOffTextsThatGetLong)
{
    Values v;
    Value bomb = v.string("x");
    for (int level = 0; level < 60; ++level)
        bomb = v.container(ObjectType::GenericList, std::vector<Value>(10, bomb));
    EXPECT_LE(v.text.json(bomb).size(), 16u * 1024);
}

TEST(FieldValues, FlattenOnlySoManyEntries)
{
    Values v;
    Value bomb = v.container(ObjectType::GenericDict, {v.string("k"), Value::ofInt(1)});
    for (int level = 0; level < 12; ++level)
        bomb = v.container(ObjectType::GenericDict, {v.string("a"), bomb, v.string("b"), bomb});
    EXPECT_LE(v.text.flattened(bomb).size(), 1000u);
}

TEST(FieldValues, KeepEntriesWithAnEmptyName)
{
    // Entries with empty names count towards the limit above as well: a dict of dicts without names must not
    // be visited forever.
    Values v;
    EXPECT_EQ(
        v.text.flattened(v.container(ObjectType::GenericDict, {v.string(""), Value::ofInt(1)})).size(), 1u);
}

} // namespace highwater
