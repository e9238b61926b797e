import Foundation
import Testing

@testable import fling

@Suite("The files of fling")
struct FileTests {
  @Test("have the same fingerprint in whatever pieces they come")
  func pieces() {
    let bytes = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    for size in [1, 3, 8, 64, 999] {
      var maker = Fingerprint.Maker()
      for start in stride(from: 0, to: bytes.count, by: size) {
        maker.add(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(maker.fingerprint == Fingerprint(bytes))
    }
    #expect(Fingerprint(Data([1, 2])) != Fingerprint(Data([2, 1])))
  }

  @Test("are right as they were sent, however they change afterwards")
  func served() async throws {
    try await withFolder { folder in
      let urls = (0..<4).map { folder.appendingPathComponent("\($0)") }
      for url in urls { try Data("old".utf8).write(to: url) }
      let files = ServedFiles(urls)
      let old = Fingerprint(Data("old".utf8))
      for row in 0..<4 { files.willHaveSent(old, for: row) }
      try Data("new".utf8).write(to: urls[1])
      try FileManager.default.removeItem(at: urls[2])
      #expect(files.wasSent(old, for: 1))
      #expect(!files.wasSent(Fingerprint(Data("new".utf8)), for: 1))
      #expect(await files.changed(since: [0: old, 1: old, 2: old, 3: old]) == 2)
      #expect(await files.changed(since: [3: old]) == 0)
    }
  }

  @Test("have changed if they are gone, or were written since the list began")
  func changed() async throws {
    try await withFolder { folder in
      let urls = (0..<3).map { folder.appendingPathComponent("\($0)") }
      for url in urls {
        try Data("old".utf8).write(to: url)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: url.path)
      }
      let files = ServedFiles(urls)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: urls[1].path)
      try FileManager.default.removeItem(at: urls[2])
      #expect((0..<3).map(files.hasChanged) == [false, true, true])
    }
  }

  @Test("are read to the end that they had, and no further")
  func growing() async throws {
    try await withFolder { folder in
      let url = folder.appendingPathComponent("file")
      try Data(count: 300_000).write(to: url)
      let file = try #require(RegularFile(url))
      let writer = try FileHandle(forWritingTo: url)
      try writer.seekToEnd()
      try writer.write(contentsOf: Data(count: 100))
      var count = 0
      while let chunk = file.next() { count += chunk.count }
      #expect(count == 300_000 && file.isAtEnd)

      let shrinking = try #require(RegularFile(url))
      try writer.truncate(atOffset: 10)
      #expect(shrinking.next()?.count == 10)
      #expect(shrinking.next() == nil && !shrinking.isAtEnd)
      #expect(RegularFile(folder) == nil)
    }
  }

  @Test(
    "are noted before the last piece of a reply, even if they are empty",
    arguments: [0, 1, 300_000])
  func replies(length: Int) async throws {
    try await withFolder { folder in
      let url = folder.appendingPathComponent("file")
      let bytes = Data(repeating: 7, count: length)
      try bytes.write(to: url)
      var noted: [Fingerprint] = []
      var notedBefore: [Bool] = []
      var sent = Data()
      var reply = FileReply(try #require(RegularFile(url)), head: Data("head".utf8)) {
        noted.append($0)
      }
      while let piece = reply.next() {
        notedBefore.append(!noted.isEmpty)
        sent += piece
      }
      #expect(sent == Data("head".utf8) + bytes)
      #expect(noted == [Fingerprint(bytes)])
      #expect(notedBefore.last == true && !notedBefore.dropLast().contains(true))
    }
  }

  @Test("are not noted if they become shorter during the reply")
  func shortenedReply() async throws {
    try await withFolder { folder in
      let url = folder.appendingPathComponent("file")
      try Data(count: 300_000).write(to: url)
      var noted: [Fingerprint] = []
      var reply = FileReply(try #require(RegularFile(url)), head: Data("head".utf8)) {
        noted.append($0)
      }
      #expect(reply.next() == Data("head".utf8))
      try FileHandle(forWritingTo: url).truncate(atOffset: 10)
      #expect(reply.next() == Data(count: 10))
      #expect(reply.next() == nil)
      #expect(noted == [])
    }
  }

  @Test(
    "that exist keep what they have until they are written, and others are not there until then")
  func outputs() async throws {
    try await withFolder { folder in
      let (old, new) = (folder.appendingPathComponent("old"), folder.appendingPathComponent("new"))
      try Data("a longer text".utf8).write(to: old)
      let outputs = try Outputs([old.path, new.path])
      #expect(!FileManager.default.fileExists(atPath: new.path))
      #expect(try Data(contentsOf: old).count == 13)
      for url in [old, new] {
        try outputs.write("short", to: url.path)
        #expect(try String(contentsOf: url, encoding: .utf8) == "short")
      }
    }
  }

  @Test("that cannot be made or written are named, with the reason")
  func unwritable() async throws {
    try await withFolder { folder in
      let path = folder.appendingPathComponent("nowhere/file").path
      let complaint = #expect(throws: Complaint.self) { try Outputs([path]) }
      #expect(
        complaint?.description == "\(path) cannot be written: No such file or directory.")
      let url = URL(fileURLWithPath: path)
      let error = try #require(
        #expect(throws: (any Error).self) { try Data([1]).write(to: url) })
      #expect(Complaint.cannotWrite(path, error).description == complaint?.description)
    }
    #if os(Linux)
      let full = try OutputFile("/dev/full")
      let complaint = #expect(throws: Complaint.self) { try full.write(Data([1])) }
      #expect(
        complaint?.description == "/dev/full cannot be written: No space left on device.")
    #endif
  }
}

@Suite("The files below a folder")
struct FolderListingTests {
  @Test("are listed by path, and other entries are counted by reason")
  func listing() async throws {
    try await withFolder { folder in
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      try FileManager.default.createDirectory(
        atPath: path("b/c"), withIntermediateDirectories: true)
      for name in ["b/c/2", "a", "b/1"] { try Data().write(to: URL(fileURLWithPath: path(name))) }
      #expect(symlink("a", path("link")) == 0 && symlink("b", path("folder")) == 0)
      #expect(mkfifo(path("pipe"), 0o600) == 0)
      #if os(Linux)
        var name = Array("\(folder.path)/x".utf8).map { CChar(bitPattern: $0) }
        name += [CChar(bitPattern: 0xFF), 0]
        let file = open(name, O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0 && close(file) == 0)
      #endif
      let listing = try FolderListing(folder.path, limit: nil)
      #expect(listing.files.map(\.path) == ["a", "b/1", "b/c/2"].map(path))
      #expect(listing.leftOut[.symbolicLink] == 2 && listing.leftOut[.special] == 1)
      #if os(Linux)
        #expect(
          listing.leftOutSentence == """
            Left out below '\(folder.path)': 2 symbolic links, 1 name that is not UTF-8, \
            1 pipe, socket or device.
            """)
      #endif
      #expect(try FolderListing(folder.path, limit: 2).files.count == 2)
      #expect(try FolderListing(path("b"), limit: nil).leftOutSentence == nil)
    }
  }

  @Test("are missed with the reason if there are none")
  func nothing() async throws {
    try await withFolder { folder in
      func complaint(_ path: String) -> String? {
        #expect(throws: Complaint.self) { try FolderListing(path, limit: nil) }?.description
      }
      let path = folder.path
      #expect(complaint(path) == "There is no file to serve below the folder '\(path)'.")
      #expect(symlink("nowhere", path + "/link") == 0)
      #expect(
        complaint(path) == """
          There is no file to serve below the folder '\(path)'. Left out below '\(path)': \
          1 symbolic link.
          """)
      #expect(complaint(path + "/x")?.hasSuffix("No such file or directory.") == true)
    }
  }
}

@Suite("The progress line")
struct ProgressLineTests {
  @Test("leaves the last column of the terminal free", arguments: [0, 1, 5, 10, 11, 80])
  func fits(_ columns: Int) {
    let line = Terminal.fitted("0123456789", columns: columns)
    #expect(line.count == min(10, max(columns - 1, 0)))
    #expect("0123456789".hasPrefix(line))
  }
}

@Suite("The watch over the memory")
struct MemoryWatchTests {
  @Test("reads the resident pages")
  func pages() {
    #expect(MemoryWatch.bytes(statm: "9000 25 7 1 0 3 0\n", pageSize: 4096) == 102_400)
    #expect(MemoryWatch.bytes(statm: "", pageSize: 4096) == 0)
  }
}
