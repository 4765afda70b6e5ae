import Cryptography
import EventLog
import Testing

@Suite("The text of a checkpoint")
struct CheckpointTests {
    private let root = SHA256.hash([])

    private func head(size: Int64) -> LogHead {
        LogHead(
            logId: "0b1f", epoch: 3, size: size, recordedAt: 0, treeSize: size, root: root)
    }

    @Test("it is origin, size, root and epoch, a line each, and is read back")
    func text() throws {
        let checkpoint = Checkpoint(head(size: 20_852_163))
        #expect(
            checkpoint.text == """
                quittance/0b1f
                20852163
                47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
                epoch 3

                """)
        #expect(Checkpoint(checkpoint.text) == checkpoint)
    }

    @Test("signatures and further lines are left aside")
    func note() throws {
        let text = Checkpoint(head(size: 0)).text
        let signed =
            text + "\n— example.com/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe=\n"
        #expect(Checkpoint(signed) == Checkpoint(text))
        let lines = "example.com/other\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
        let other = try #require(Checkpoint(lines))
        #expect(other.size == 7 && other.root == root && other.epoch == nil)
        #expect(Checkpoint(lines + "anything\n") == other)
    }

    @Test(
        "what is no checkpoint is refused",
        arguments: [
            "", "\n", "a\n7\n", "a\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "a\n07\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "a\n-7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "a\n99999999999999999999\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n", "a\n7\nAAAA\n",
            "a\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU\n",
        ])
    func refused(text: String) {
        #expect(Checkpoint(text) == nil)
    }
}
