/// A setting of a load, as it is written on the command line.
enum LoadKey: String, CaseIterable {
    case clients
    case count
    case pace
    case rate
    case keepAlive = "keep-alive"
    case verify
    case path
    case size
    case length
    case buffer
    case cold
    case folder
    case names
    case delete
    case chunked
    case to
    case field
    case files
}
