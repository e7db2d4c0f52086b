"""The parts of the benchmark, each a module with `rows(bench)`."""
