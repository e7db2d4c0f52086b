internal import CLinux

/// How many processors this program may run on.
package enum ProcessorCount {
  package static var available: Int { max(1, Int(clinux_processor_count())) }
}
