/// The protections of a decoder, one bit each.
package struct ProtectionSet: OptionSet, Sendable, Equatable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let trustedLoadersOnly = ProtectionSet(rawValue: 1 << 0)
  package static let resourceLimits = ProtectionSet(rawValue: 1 << 1)
  package static let noNewPrivileges = ProtectionSet(rawValue: 1 << 2)
  package static let noFiles = ProtectionSet(rawValue: 1 << 3)
  package static let noPorts = ProtectionSet(rawValue: 1 << 4)
  package static let systemCallFilter = ProtectionSet(rawValue: 1 << 5)
  package static let endsWithParent = ProtectionSet(rawValue: 1 << 6)
}
