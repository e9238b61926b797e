// Package indexes build each executable for all of Apple's systems, where there is no command line.
#if os(macOS) || os(Linux)
  import BenchmarkSuite

  Benchmarks.main()
#endif
