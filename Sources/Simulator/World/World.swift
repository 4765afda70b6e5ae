/// A world whose truth is known, because it was made up: customers, devices, Apple, a platform and
/// its delivery server, and everything that goes wrong between them.
///
/// It knows what happened and what reached the service; it knows no verdict. It is told in circles
/// of people (`life(of:)`), each a pure function of the configuration, and as a log in the order of
/// arrival (`log()`), in memory that does not grow with the number of orders.
public struct World: Sendable {
    /// What it was made from.
    public let configuration: Configuration

    /// The world of a configuration.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }
}
