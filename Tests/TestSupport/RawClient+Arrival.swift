extension RawClient {
    /// Whether some process has accepted this connection and read all that was sent by it, as the kernel sees it. For connections to
    /// 127.0.0.1.
    public func hasBeenRead(at port: UInt16) -> Bool {
        func address(_ port: UInt16) -> String {
            let digits = String(port, radix: 16, uppercase: true)
            return "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let table = String(decoding: FileBytes.read("/proc/net/tcp") ?? [], as: UTF8.self)
        let (own, peer) = (address(self.localPort), address(port))
        return table.split(separator: "\n").contains { line in
            // Number, its address, ours, state, bytes to send and to read, three more, inode: of no process before it is accepted.
            let words = line.split(separator: " ")
            return words.count > 9 && words[1] == peer && words[2] == own && words[4].hasSuffix(":00000000") && words[9] != "0"
        }
    }
}
