internal import AppStoreModel
internal import Cryptography
internal import JSON

/// The attributes of a receipt or of a purchase, sorted into those that are known and the rest.
struct ReceiptMembers {
    /// What an attribute says, read once.
    private enum Word {
        case text(String)
        case instant(Int64)
        case number(Int64)
        case bytes
    }

    private struct Known {
        let value: ArraySlice<UInt8>
        let word: Word
    }

    private let fields: [ReceiptField]
    /// For each field the first readable value.
    private var known: [Known?]
    private var others: [ReceiptAttribute] = []

    /// - Throws: `malformed` where one is missing that every receipt has.
    init(_ attributes: [ReceiptAttribute], fields: [ReceiptField]) throws(RefusalReason) {
        self.fields = fields
        known = Array(repeating: nil, count: fields.count)
        for attribute in attributes where !attribute.isEmpty {
            if let index = fields.firstIndex(where: { $0.type == attribute.type }),
                known[index] == nil, let word = Self.word(attribute, fields[index].form)
            {
                known[index] = Known(value: attribute.value, word: word)
            } else {
                others.append(attribute)
            }
        }
        for (field, known) in zip(fields, known) where field.isRequired && known == nil {
            throw .malformed
        }
    }

    /// What an attribute says; `nil` if it cannot be read.
    private static func word(_ attribute: ReceiptAttribute, _ form: ReceiptField.Form) -> Word? {
        switch form {
        case .text: attribute.text.map(Word.text)
        case .instant: attribute.text.flatMap(RFC3339.milliseconds).map(Word.instant)
        case .number, .identifier: attribute.number.map(Word.number)
        case .flag: attribute.number.flatMap { $0 == 0 || $0 == 1 ? .number($0) : nil }
        case .bytes: .bytes
        }
    }

    private func known(_ type: Int64) -> Known? {
        fields.firstIndex { $0.type == type }.flatMap { known[$0] }
    }

    /// How many bytes are told in hexadecimal.
    var otherBytes: Int {
        let known = known.reduce(0) { sum, known in
            if case .bytes = known?.word { sum + (known?.value.count ?? 0) } else { sum }
        }
        return others.reduce(known) { $0 + $1.value.count }
    }

    /// A value as it is encoded; empty if there is none.
    func value(_ type: Int64) -> [UInt8] { known(type).map { Array($0.value) } ?? [] }

    /// A value that is a text.
    func text(_ type: Int64) -> String? {
        if case .text(let text) = known(type)?.word { text } else { nil }
    }

    /// A value that is a number.
    func number(_ type: Int64) -> Int64? {
        if case .number(let number) = known(type)?.word { number } else { nil }
    }

    /// Writes them as members of the object that `writer` is in.
    func write(to writer: inout JSONWriter) {
        for case let (field, known?) in zip(fields, known) {
            switch (known.word, field.form) {
            case (.text(let text), _): writer.member(field.name, text)
            case (.instant(let instant), _): writer.member(field.name, instant)
            case (.number(let number), .flag): writer.member(field.name, number == 1)
            case (.number(let number), .identifier):
                if number != 0 { writer.member(field.name, String(number)) }
            case (.number(let number), _): writer.member(field.name, number)
            case (.bytes, _): writer.member(field.name, Hexadecimal.encode(known.value))
            }
        }
        guard !others.isEmpty else { return }
        writer.name("otherAttributes")
        writer.array(others) { writer, attribute in
            writer.object { writer in
                writer.member("type", attribute.type)
                writer.member("version", attribute.version)
                writer.member("value", Hexadecimal.encode(attribute.value))
            }
        }
    }
}
