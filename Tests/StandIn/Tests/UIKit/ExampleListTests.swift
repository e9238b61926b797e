#if canImport(UIKit)
  @testable import AppleLists
  import RowOperations
  import Testing
  @testable import TestSupport
  import UIKit

  extension StandIn {
    /// Lists of the examples, with pictures from a server on this machine.
    @Suite("Example lists")
    @MainActor
    struct ExampleListTests {
      /// A server whose pictures are the paths of their addresses.
      private static func pictures() throws -> Server {
        try Server { connection in
          let body =
            connection.path.hasSuffix(".html")
            ? "<title>Page \(connection.path)</title>" : connection.path
          connection.send(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
          )
        }
      }

      private func show(_ table: UITableView, on phone: Phone) {
        table.frame = phone.window.bounds
        phone.window.addSubview(table)
      }

      // MARK: A list of carousels

      @Test("Each cover on screen in a list of carousels shows its own picture, after each scroll")
      func carousels() async throws {
        let server = try Self.pictures()
        for seed in 0..<6 as Range<UInt64> {
          let phone = Phone(Variant(seed: seed), seed: seed)
          var dice = Dice(seed: seed)
          let controller = ShelvesViewController()
          controller.shelves = try (0..<30).map { shelf in
            Shelf(
              id: shelf, covers: try (0..<20).map { try server.url("/\(shelf)/\($0).jpg") })
          }
          let table = controller.tableView
          show(table, on: phone)
          for _ in 0..<4 {
            await phone.turns()
            let cells = table.cellsOnScreen
            #expect(cells.count >= 3)
            await until {
              MainLoop.turn(isWhole: true)
              return cells.allSatisfy { covers(of: $1, on: $0.row) == [] }
            }
            #expect(cells.allSatisfy { covers(of: $1, on: $0.row) == [] })
            if let carousel = cells.values.first?.carousel, dice.chance(0.5) {
              carousel.contentOffset.x = CGFloat.random(in: 0...1_500, using: &dice)
            } else {
              table.contentOffset.y = CGFloat.random(in: 0...4_000, using: &dice)
            }
          }
        }
      }

      /// The covers on screen in a shelf that do not show their own picture.
      private func covers(of cell: UIView, on shelf: Int) -> [IndexPath] {
        guard let carousel = cell.carousel else { return [[-1, -1]] }
        return carousel.cellsOnScreen.filter { path, cover in
          let picture = cover.picture?.image?.data
          return picture.map { String(decoding: $0, as: UTF8.self) } != "/\(shelf)/\(path.item).jpg"
        }.map(\.key)
      }

      // MARK: A chat

      @Test("The bubbles of a chat grow with their previews, and show those of their own links")
      func chat() async throws {
        let server = try Self.pictures()
        for seed in 0..<6 as Range<UInt64> {
          let phone = Phone(Variant(seed: seed), seed: seed)
          let controller = ChatViewController()
          show(controller.tableView, on: phone)
          await phone.turns()
          for number in 0..<25 {
            let link = number % 2 == 0 ? try server.url("/\(number).html") : nil
            controller.receive(Message(id: UUID(), text: "Message \(number)", link: link))
            await phone.turn()
          }
          while controller.tableView.isMoving { await phone.wait(frames: 2, of: 40) }
          func wrong() -> [String] {
            controller.tableView.cellsOnScreen.compactMap { path, cell in
              guard let bubble = (cell as? UITableViewCell)?.contentConfiguration else {
                return "no bubble"
              }
              let expected = path.row % 2 == 0 ? "Page /\(path.row).html" : nil
              let height = 24 + 20 * Double(bubble._lines)
              return bubble.text == "Message \(path.row)" && bubble.secondaryText == expected
                && cell.frame.height == height ? nil : "row \(path.row): \(bubble)"
            }
          }
          await until {
            MainLoop.turn(isWhole: true)
            return wrong() == []
          }
          #expect(wrong() == [], "seed \(seed)")
          #expect(!controller.tableView.cellsOnScreen.isEmpty)
        }
      }
    }
  }

  extension UIView {
    fileprivate var carousel: UICollectionView? { descendant() }
    fileprivate var picture: UIImageView? { descendant() }

    private func descendant<Wanted: UIView>() -> Wanted? {
      for view in subviews {
        if let found = view as? Wanted ?? view.descendant() { return found }
      }
      return nil
    }
  }
#endif
