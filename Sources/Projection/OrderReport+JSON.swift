package import JSON
internal import Settlement

extension OrderReport {
    /// The stable JSON form of `order show --json`: one object. Money is milliunits, instants are
    /// milliseconds since 1970 UTC, ids are strings.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", name)
            writer.name("match")
            writer.array(matches) { $1.write(to: &$0) }
            writer.name("orders")
            writer.array(orders) { $1.write(to: &$0) }
            writer.name("orphans")
            writer.array(orphans) { $1.write(to: &$0) }
            writer.member("isCut", isCut)
            writer.name("coverage")
            writer.object { writer in
                writer.member("appleUntil", coverage.appleUntil)
                writer.member("deliveryUntil", coverage.deliveryUntil)
            }
            writer.member("acceptsEveryBundle", acceptsEveryBundle)
            writer.member("logPosition", logPosition)
        }
        return writer.bytes
    }
}

extension OrderReport.Match {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", kind)
            writer.member("value", value)
            writer.member("bundleId", bundle)
            writer.name("verdict")
            verdict.write(to: &writer)
        }
    }
}

extension OrderReport.Order {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("orderNumber", number)
            writer.member("bundleId", bundle)
            writer.member("account", answer.account)
            writer.member("status", answer.status.headline.rawValue)
            writer.name("marks")
            answer.status.write(to: &writer)
            writer.name("verdict")
            verdict.write(to: &writer)
            writer.name("charges")
            writer.array(answer.charges) { $1.write(to: &$0) }
            writer.name("candidates")
            writer.array(answer.candidates) { $1.write(to: &$0) }
            holdings.write(to: &writer)
            writer.name("timeline")
            writer.array(timeline) { $1.write(to: &$0) }
            writer.member("hasMoreEvents", hasMoreEvents)
        }
    }
}

extension OrderReport.Orphan {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("transactionId", charge.transactionId)
            writer.member("bundleId", bundle)
            writer.name("verdict")
            verdict.write(to: &writer)
            writer.name("charge")
            charge.write(to: &writer)
            writer.name("candidates")
            writer.array(answer.candidates) { $1.write(to: &$0) }
            holdings.write(to: &writer)
            writer.name("timeline")
            writer.array(timeline) { $1.write(to: &$0) }
        }
    }
}

extension OrderReport.TimelineEntry {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("position", position)
            writer.member("type", type)
            writer.member("source", source)
            writer.member("receivedAt", receivedAt)
            writer.member("recordedAt", recordedAt)
            writer.member("transactionId", transactionId)
        }
    }
}

extension OrderReport.ProvenVerdict {
    /// `code`, `action`, `remarks`, `proof` (positions), `sentence`, and what explains them.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", verdict.code.rawValue)
            writer.member("action", verdict.action.code.rawValue)
            writer.member("actionText", verdict.action.text)
            writer.member("needsSecondAgent", verdict.action.needsSecondAgent)
            writer.member("waitUntil", verdict.action.waitUntil)
            writer.name("remarks")
            writer.array(verdict.alsoTrue.map(\.rawValue) + verdict.remarks.map(\.code.rawValue)) {
                $0.string($1)
            }
            writer.name("remarkDetails")
            writer.array(verdict.remarks) { writer, remark in
                writer.object { writer in
                    writer.member("code", remark.code.rawValue)
                    writer.member("text", remark.code.text)
                    writer.member("isWeak", remark.isWeak)
                    writer.name("subjects")
                    writer.array(remark.subjects) { $0.string($1) }
                }
            }
            writer.name("proof")
            writer.array(proof) { $0.number($1) }
            writer.member("sentence", verdict.sentence)
        }
    }
}

extension OrderStatus {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("attempt", attempt.rawValue)
            writer.member("payment", payment.rawValue)
            writer.member("delivery", delivery.rawValue)
            writer.member("finished", isFinished)
            writer.member("cancelled", isCancelled)
        }
    }
}
