internal import JSON

/// libFuzzer's way in: whatever is read and written anew reads as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? JSONValue(parsing: bytes) else { return 0 }
    precondition(value.range.upperBound <= count, "a value ends beyond its text")
    var writer = JSONWriter()
    writer.value(value)
    let again = try? JSONValue(parsing: writer.bytes)
    precondition(again == value, "written anew it is another value")
    return 0
}
