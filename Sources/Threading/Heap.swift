import CLinux

/// The memory of this process, as libc's allocator keeps it.
package enum Heap {
  /// Keeps a few megabytes of freed memory for the next use.
  ///
  /// Otherwise each page of a list takes its memory from the system and returns it, which costs a sixth of the time of
  /// `list --json` and of `/changes`.
  package static func keepFreedMemory() { clinux_keep_freed_memory() }
}
