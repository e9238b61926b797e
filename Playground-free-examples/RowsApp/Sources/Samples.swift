#if canImport(UIKit)
  import Foundation

  /// The data of the lists; `SampleServer` answers at their addresses.
  enum Samples {
    static let pictures = (1...2_000).map { address("pictures/\($0).jpg") }

    static let albums = (1...12).map { album in
      Album(
        id: "Album \(album)",
        photos: (1...60).map { Photo(id: UUID(), url: address("albums/\(album)/\($0).jpg")) })
    }

    static let posts = (1...500).map { number in
      Post(
        id: number,
        text: "Post \(number): \(sentences[number % sentences.count])",
        // Each thirteenth author has no picture.
        avatar: number % 13 == 0 ? nil : address("authors/\(number % 17).jpg"),
        pictures: (0..<number % 5).map { address("posts/\(number)/\($0).jpg") })
    }

    static let messages = (1...200).map { number in
      Message(
        id: UUID(), text: sentences[number % sentences.count],
        link: number % 3 == 0 ? address("articles/\(number)") : nil)
    }

    static let shelves = (1...100).map { shelf in
      Shelf(id: shelf, covers: (1...20).map { address("covers/\(shelf)/\($0).jpg") })
    }

    static let stocks = (1...1_000).map { "Stock \($0)" }

    /// Prices that change now and then, by chance, until nobody listens.
    static func quotes(of stock: String) -> AsyncThrowingStream<Double, any Error> {
      AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let walk = Task {
          var price = Double.random(in: 10...500)
          while !Task.isCancelled {
            continuation.yield(price)
            try await Task.sleep(for: .milliseconds(.random(in: 200...3_000)))
            price *= .random(in: 0.99...1.01)
          }
        }
        continuation.onTermination = { _ in walk.cancel() }
      }
    }

    private static func address(_ path: String) -> URL { SampleServer.address("/\(path)") }

    private static let sentences = [
      "The ferry was late, and the hills were blue behind it.",
      "Bread, cheese and a good knife: nothing else fits in the bag.",
      "The window was open, and the papers are all over the garden.",
      "We counted nineteen herons on the way to the lighthouse, and one fox.",
      "The third picture is my favourite.",
    ]
  }
#endif
