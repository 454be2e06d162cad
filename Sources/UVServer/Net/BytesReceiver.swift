/// Who is offered received bytes before they are kept for a reader.
@EventLoop protocol BytesReceiver: AnyObject {
    /// - Parameter bytes: lent for the call.
    /// - Returns: whether they were used, all of them.
    func didReceive(_ bytes: Span<UInt8>) -> Bool
}
