#pragma once

#include <cstdint>

namespace highwater::pickle {

/// Names and codes as in CPython, Lib/pickletools.py.
enum Opcode : std::uint8_t {
    Mark = '(', Stop = '.', Pop = '0', PopMark = '1', Dup = '2', Float = 'F', Int = 'I', BinInt = 'J', BinInt1 = 'K', Long = 'L',
    BinInt2 = 'M', None = 'N', PersId = 'P', BinPersId = 'Q', Reduce = 'R', String = 'S', BinString = 'T', ShortBinString = 'U',
    Unicode = 'V', BinUnicode = 'X', Append = 'a', Build = 'b', Global = 'c', Dict = 'd', EmptyDict = '}', Appends = 'e', Get = 'g',
    BinGet = 'h', Inst = 'i', LongBinGet = 'j', List = 'l', EmptyList = ']', Obj = 'o', Put = 'p', BinPut = 'q', LongBinPut = 'r',
    SetItem = 's', Tuple = 't', EmptyTuple = ')', SetItems = 'u', BinFloat = 'G', BinBytes = 'B', ShortBinBytes = 'C',
    Proto = 0x80, NewObj = 0x81, Ext1 = 0x82, Ext2 = 0x83, Ext4 = 0x84, Tuple1 = 0x85, Tuple2 = 0x86, Tuple3 = 0x87, NewTrue = 0x88,
    NewFalse = 0x89, Long1 = 0x8a, Long4 = 0x8b, ShortBinUnicode = 0x8c, BinUnicode8 = 0x8d, BinBytes8 = 0x8e, EmptySet = 0x8f,
    AddItems = 0x90, FrozenSet = 0x91, NewObjEx = 0x92, StackGlobal = 0x93, Memoize = 0x94, Frame = 0x95, ByteArray8 = 0x96,
    NextBuffer = 0x97, ReadonlyBuffer = 0x98,
};

} // namespace highwater::pickle
