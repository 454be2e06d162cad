internal import UVServer

/// What every route works with.
struct RouteContext {
    let store: DropStore
    let lists: FolderLists
    let archives: Archives
    let slots: UploadSlots
    let fileFields: FileFields
    let configuration: Configuration
    /// The heading of the pages.
    let title: String
}
